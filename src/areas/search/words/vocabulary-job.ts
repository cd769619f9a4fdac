import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { IndexedGroup } from '../../../platform/area/search-group';
import { Database } from '../../../platform/database/database';
import { PeriodicJobs, RUN_AGAIN } from '../../../platform/schedule/periodic-jobs';
import { isIndexed, searchGroups } from '../groups';

const EVERY_MS = 10_000;
/** Texts per statement, and bytes of them, so that none comes near the statement timeout. */
const BATCH = 2_000;
const BATCH_BYTES = 1_000_000;
/** Characters of a text whose words are learned. */
const LEARNED_LENGTH = 20_000;
/** Sources per run. */
const SOURCES = 20;
/** Changes are looked at again for so long, in case one commits after a later one. */
const OVERLAP = '10 seconds';
/** A few new records are read directly by searches: learning from them may wait until it is worth while, or so long. */
const FEW = 100;
const PAUSE = '1 minute';

/** Where words come from: groups with the table whose changes tell of new ones, and the one with the text. */
const sources = (): IndexedGroup[] => searchGroups.filter(isIndexed);

/** A source with records that nobody has learned from. */
interface Stale {
  workspace_id: number;
  source: string;
  learned_id: number;
  learned_at: string;
  changed: string;
}

/**
 * Learns the words of all workspaces, for searches with typing errors. Apart from the writes themselves, which it would
 * slow down; the newest records are searched for words directly (`Vocabulary`). Words stay when their records go: a
 * correction is only ever shown with a record that has it.
 */
@Injectable()
export class VocabularyJob implements OnModuleInit {
  constructor(
    private readonly jobs: PeriodicJobs,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.jobs.register('search-words', EVERY_MS, () => this.run());
  }

  /** One round; inside `Database.system()`. */
  async run(): Promise<typeof RUN_AGAIN | null> {
    const text = `SELECT w.id AS workspace_id, s.source, coalesce(p.learned_id, 0) AS learned_id,
         coalesce(p.learned_at, '-infinity')::text AS learned_at, least(s.changed, now() - $1::interval)::text AS changed
       FROM workspaces w
       CROSS JOIN LATERAL (${sources()
         .map(
           ({ type, table }) =>
             `SELECT '${type}' AS source, (SELECT max(id) FROM ${table} WHERE workspace_id = w.id) AS newest, (SELECT max(updated_at) FROM ${table} WHERE workspace_id = w.id) AS changed`,
         )
         .join(' UNION ALL ')}) s
       LEFT JOIN search_progress p ON p.workspace_id = w.id AND p.source = s.source
       WHERE s.newest > coalesce(p.learned_id, 0) + ${FEW}
         OR (s.newest > coalesce(p.learned_id, 0) OR least(s.changed, now() - $1::interval) > p.learned_at)
           AND coalesce(p.learned_at, w.created_at) <= now() - interval '${PAUSE}'
       ORDER BY p.learned_at NULLS FIRST LIMIT ${SOURCES}`;
    const stale = await this.database.read<Stale>({ text, values: [OVERLAP] });
    let more = stale.length === SOURCES;
    // How many it takes at once depends on their size: there are more until there is none.
    for (const source of stale) more = (await this.learn(source)) > 0 || more;
    return more ? RUN_AGAIN : null;
  }

  /** Learns from the next records and from changed ones. Answers how many new ones there were. */
  private async learn({ workspace_id, source, learned_id, learned_at, changed }: Stale): Promise<number> {
    const group = sources().find(({ type }) => type === source);
    if (!group) return 0;
    const { table, words } = group;
    const { texts } = words;
    const [row] = await this.database.query<{ fresh: number }>(
      `WITH fresh AS MATERIALIZED (
         ${bounded(`SELECT id, search_text, id AS rank FROM ${texts} WHERE workspace_id = $1 AND id > $3 ORDER BY id LIMIT ${BATCH}`)}
       ), changed AS MATERIALIZED (
         ${bounded(`SELECT x.id, x.search_text, t.rank FROM (
           SELECT id, row_number() OVER (ORDER BY updated_at DESC) AS rank FROM ${table}
           WHERE workspace_id = $1 AND updated_at > $4::timestamptz AND id <= $3 ORDER BY updated_at DESC LIMIT ${BATCH}
         ) t JOIN ${texts} x ON x.workspace_id = $1 AND x.id = t.id`)}
       ), learned AS (
         INSERT INTO search_words (workspace_id, word)
         SELECT $1::bigint, word
         FROM (
           SELECT DISTINCT word COLLATE "C" AS word
           FROM (SELECT search_text FROM fresh UNION ALL SELECT search_text FROM changed) s
           CROSS JOIN LATERAL unnest(string_to_array(left(s.search_text, ${LEARNED_LENGTH}), ' ')) AS w (word) OFFSET 0) w
         WHERE length(word) BETWEEN 4 AND 40 AND word !~ '[0-9]'
         ON CONFLICT DO NOTHING
       ), progress AS (
         INSERT INTO search_progress (workspace_id, source, learned_id, learned_at)
         VALUES ($1, $2, greatest($3, (SELECT max(id) FROM fresh)), $5::timestamptz)
         ON CONFLICT (workspace_id, source) DO UPDATE SET learned_id = excluded.learned_id, learned_at = excluded.learned_at
       )
       SELECT count(*) AS fresh FROM fresh`,
      [workspace_id, source, learned_id, learned_at, changed],
    );
    return row?.fresh ?? 0;
  }
}

/** The first of the texts, as many as there is time for: one at least, which is never so long. */
function bounded(texts: string): string {
  return (
    `SELECT id, search_text FROM (SELECT id, search_text, rank, ` +
    `sum(least(octet_length(search_text), ${4 * LEARNED_LENGTH})) OVER (ORDER BY rank) AS bytes FROM (${texts}) n) z ` +
    `WHERE bytes <= ${BATCH_BYTES} ORDER BY rank`
  );
}
