import type { OnModuleInit } from '@nestjs/common';
import { Database } from '../../database/database';
import { PeriodicJobs, RUN_AGAIN } from '../../schedule/periodic-jobs';
import { learnAsked } from './asked-phrases';
import { ChunkFold, commonKeys, type FoldedRecord } from './folding';
import { CHUNK, CHUNK_SHIFT, facetKey, facetKeys, PAIR_KEYS, type WordBits } from './word-bits';

/** The job's name, for who cannot wait for its time. */
export const FOLD_WORDS = 'fold-words';
const EVERY_MS = 5_000;
/** Records read at once: each text has at most 100,000 characters. */
const SLICE = 512;
/** Rows that are deleted at once. */
const MOST_DELETED = 20_000;
/** Notes among which a run looks for the workspace that has most. */
const WINDOW = 100_000;
/** How long a run folds changes before it commits. */
const SPELL_MS = 300;

/** What is worth folding. */
export interface FoldLimits {
  /** The newest number of a workspace from which on it has bits; below, the index of words answers at once. */
  smallest: number;
  /** Share of the records that a common word is in, the records it is told by, and the most keys. */
  share: number;
  sample: number;
  mostKeys: number;
  /** Changes that a run waits for. */
  changes: number;
  /** Phrases that have bits because they were asked for. */
  mostLearned: number;
  /** Keys are chosen anew once there are so many times the records. */
  growth: number;
}

export const FOLD_LIMITS: FoldLimits = {
  smallest: 20_000,
  share: 0.01,
  sample: 4_000,
  mostKeys: 6_000,
  changes: 1_500,
  mostLearned: 500,
  growth: 1.5,
};

/** Where the folding of a workspace is. */
interface State {
  ready: boolean;
  chunks: number;
  chosen_at_number: number | null;
}

/**
 * Makes and keeps the bits of large workspaces, in small transactions that lock nothing that anybody else writes. Whatever is
 * interrupted is as it was: notes of changes go in the transaction that folds what they tell of.
 */
export class WordFolder implements OnModuleInit {
  /** @param all what there is to fold, once everything is declared */
  constructor(
    private readonly jobs: PeriodicJobs,
    private readonly database: Database,
    private readonly all: () => readonly WordBits[],
  ) {}

  onModuleInit(): void {
    this.jobs.register(FOLD_WORDS, EVERY_MS, () => this.run(), { forRequests: true });
  }

  /** One step for one workspace; inside `Database.system()`. */
  async run(limits: FoldLimits = FOLD_LIMITS): Promise<typeof RUN_AGAIN | null> {
    for (const bits of this.all()) {
      const workspaceId = await this.next(bits, limits);
      if (workspaceId === null) continue;
      await this.step(bits, workspaceId, limits);
      return RUN_AGAIN;
    }
    return null;
  }

  /** A workspace whose bits are being made; the one with most of the notes that are looked at, when it has enough or there are many; or one that asks. */
  private async next({ folds, unfolded, asked }: WordBits, limits: FoldLimits): Promise<number | null> {
    const [begun] = await this.database.query<{ workspace_id: number }>(
      `SELECT workspace_id FROM ${folds} WHERE NOT ready ORDER BY random() LIMIT 1`,
    );
    if (begun) return begun.workspace_id;
    const [most] = await this.database.query<{ workspace_id: number; notes: number; seen: number }>(
      `SELECT workspace_id, count(*) AS notes, (sum(count(*)) OVER ())::bigint AS seen
       FROM (SELECT workspace_id FROM ${unfolded} LIMIT ${WINDOW}) u GROUP BY workspace_id ORDER BY notes DESC LIMIT 1`,
    );
    if (most && (most.notes >= limits.changes || most.seen >= WINDOW)) return most.workspace_id;
    const [waiting] = await this.database.query<{ workspace_id: number }>(
      `SELECT a.workspace_id FROM ${asked} a JOIN ${folds} f ON f.workspace_id = a.workspace_id AND f.ready ORDER BY a.asked_at LIMIT 1`,
    );
    return waiting?.workspace_id ?? null;
  }

  /** What is next for a workspace. */
  async step(bits: WordBits, workspaceId: number, limits: FoldLimits): Promise<void> {
    const { table, folds } = bits;
    // Held until all is committed: a workspace that is deleted meanwhile waits, and then takes with it what is written here.
    const [state] = await this.database.query<State>(
      `SELECT ready, chunks, chosen_at_number FROM ${folds} WHERE workspace_id = $1 FOR UPDATE`,
      [workspaceId],
    );
    const [last] = await this.database.query<{ number: number }>(
      `SELECT number FROM ${table} WHERE workspace_id = $1 ORDER BY number DESC LIMIT 1`,
      [workspaceId],
    );
    const newest = last?.number ?? 0;
    if (!state) {
      if (newest < limits.smallest) return this.forget(bits, workspaceId, limits);
      await this.database.query(`INSERT INTO ${folds} (workspace_id) VALUES ($1)`, [workspaceId]);
    } else if (!state.ready) {
      if (state.chosen_at_number === null) await this.choose(bits, workspaceId, newest, limits);
      else await this.make(bits, workspaceId, state.chunks, newest);
    } else if (newest < limits.growth * (state.chosen_at_number ?? 0) + limits.changes) {
      const held = { workspaceId, chunks: state.chunks, mostLearned: limits.mostLearned };
      if (!(await learnAsked(this.database, bits, held))) await this.foldChanges(bits, workspaceId);
    } else {
      await this.database.query(
        `UPDATE ${folds} SET ready = false, chunks = 0, chosen_at_number = NULL WHERE workspace_id = $1`,
        [workspaceId],
      );
    }
  }

  /**
   * Nobody needs to know what changed in a workspace without bits: when it gets some, all of it is read. Other small workspaces are
   * swept along, lest the notes of very many add up.
   */
  private async forget({ table, folds, unfolded }: WordBits, workspaceId: number, limits: FoldLimits): Promise<void> {
    await this.database.query(
      `DELETE FROM ${unfolded} u WHERE u.ctid = ANY (ARRAY(SELECT ctid FROM ${unfolded} WHERE workspace_id = $1 LIMIT ${MOST_DELETED}))`,
      [workspaceId],
    );
    await this.database.query(
      `WITH notes AS MATERIALIZED (SELECT ctid AS place, workspace_id FROM ${unfolded} LIMIT ${MOST_DELETED}),
       small AS MATERIALIZED (
         SELECT n.workspace_id FROM (SELECT DISTINCT workspace_id FROM notes) n
         WHERE NOT EXISTS (SELECT FROM ${folds} f WHERE f.workspace_id = n.workspace_id)
           AND NOT EXISTS (SELECT FROM ${table} t WHERE t.workspace_id = n.workspace_id AND t.number >= $1)
       )
       DELETE FROM ${unfolded} u
       WHERE u.ctid = ANY (ARRAY(SELECT place FROM notes WHERE workspace_id IN (SELECT workspace_id FROM small)))`,
      [limits.smallest],
    );
  }

  /** Chooses the keys of a workspace, from a sample of its records, once no bits of others are left. */
  private async choose(bits: WordBits, workspaceId: number, newest: number, limits: FoldLimits): Promise<void> {
    const left = await this.database.query(
      `DELETE FROM ${bits.bits} b WHERE b.ctid = ANY (ARRAY(SELECT ctid FROM ${bits.bits} WHERE workspace_id = $1 LIMIT ${MOST_DELETED})) RETURNING 1`,
      [workspaceId],
    );
    if (left.length > 0) return;
    await this.database.query(`DELETE FROM ${bits.spans} WHERE workspace_id = $1`, [workspaceId]);
    const pace = Math.max(1, newest / limits.sample);
    const lines: string[] = [];
    const numbers = Array.from({ length: Math.ceil(newest / pace) }, (_, index) => 1 + Math.floor(index * pace));
    for await (const records of this.read(bits, workspaceId, numbers)) {
      for (const { line } of records) if (line !== null) lines.push(line);
    }
    const keys = [...facetKeys(bits), ...PAIR_KEYS, ...(await commonKeys(lines, limits.share, limits.mostKeys))];
    await this.database.query(`DELETE FROM ${bits.words} WHERE workspace_id = $1`, [workspaceId]);
    await this.database.query(`INSERT INTO ${bits.words} (workspace_id, word) SELECT $1, unnest($2::text[])`, [
      workspaceId,
      keys,
    ]);
    await this.database.query(`UPDATE ${bits.folds} SET chosen_at_number = $2 WHERE workspace_id = $1`, [
      workspaceId,
      newest,
    ]);
  }

  /** Makes the bits of the next chunk, or says that there is none left. What came meanwhile is noted. */
  private async make(bits: WordBits, workspaceId: number, chunk: number, newest: number): Promise<void> {
    if (chunk * CHUNK > newest) {
      await this.database.query(`UPDATE ${bits.folds} SET ready = true WHERE workspace_id = $1`, [workspaceId]);
      return;
    }
    await this.taken(bits, workspaceId, chunk);
    const keys = await this.keys(bits, workspaceId);
    const numbers = Array.from({ length: CHUNK }, (_, index) => chunk * CHUNK + index);
    await this.foldChunk(bits, workspaceId, chunk, numbers, keys);
  }

  /** Folds what was noted, chunk by chunk, for a while. */
  private async foldChanges(bits: WordBits, workspaceId: number): Promise<void> {
    const began = performance.now();
    const chunks = await this.database.query<{ chunk: number }>(
      `SELECT (number >> ${CHUNK_SHIFT})::integer AS chunk FROM ${bits.unfolded} WHERE workspace_id = $1 GROUP BY 1 ORDER BY count(*) DESC`,
      [workspaceId],
    );
    const keys = await this.keys(bits, workspaceId);
    for (const { chunk } of chunks) {
      const { numbers, worded } = await this.taken(bits, workspaceId, chunk);
      await this.foldChunk(bits, workspaceId, chunk, numbers, worded ? keys : facetKeys(bits));
      if (performance.now() - began > SPELL_MS) return;
    }
  }

  private async keys({ words }: WordBits, workspaceId: number): Promise<string[]> {
    const rows = await this.database.query<{ word: string }>(`SELECT word FROM ${words} WHERE workspace_id = $1`, [
      workspaceId,
    ]);
    return rows.map(({ word }) => word);
  }

  /**
   * Takes the notes of a chunk. The records are read after it: what changes in between has a note of its own, which stays, so that
   * searches look at the record until it is folded once more.
   */
  private async taken(
    { unfolded }: WordBits,
    workspaceId: number,
    chunk: number,
  ): Promise<{ numbers: number[]; worded: boolean }> {
    const rows = await this.database.query<{ number: number; worded: boolean }>(
      `DELETE FROM ${unfolded} WHERE workspace_id = $1 AND number >= $2 AND number < $3 RETURNING number, worded`,
      [workspaceId, chunk * CHUNK, (chunk + 1) * CHUNK],
    );
    return { numbers: [...new Set(rows.map(({ number }) => number))], worded: rows.some(({ worded }) => worded) };
  }

  private async foldChunk(
    bits: WordBits,
    workspaceId: number,
    chunk: number,
    numbers: readonly number[],
    keys: readonly string[],
  ): Promise<void> {
    const fold = new ChunkFold(keys);
    for await (const records of this.read(bits, workspaceId, numbers)) await fold.add(records);
    // Only what changes is written: of a record that was edited, some words; of one that was solved, two facets.
    const text = `WITH given AS MATERIALIZED (
         SELECT k.word, ('x' || encode(substr($4::bytea, (k.n - 1)::integer * ${CHUNK / 8} + 1, ${CHUNK / 8}), 'hex'))::bit(${CHUNK}) AS bits
         FROM unnest($3::text[]) WITH ORDINALITY AS k (word, n)
       ), mask AS MATERIALIZED (SELECT ('x' || encode($5::bytea, 'hex'))::bit(${CHUNK}) AS bits)
       INSERT INTO ${bits.bits} (workspace_id, chunk, word, bits)
       SELECT $1, $2, g.word, coalesce((o.bits & (~m.bits)) | g.bits, g.bits)
       FROM given g CROSS JOIN mask m
         LEFT JOIN LATERAL (SELECT b.bits FROM ${bits.bits} b WHERE b.workspace_id = $1 AND b.chunk = $2 AND b.word = g.word OFFSET 0) o ON true
       WHERE CASE WHEN o.bits IS NULL THEN bit_count(g.bits) > 0 ELSE (o.bits & m.bits) <> g.bits END
       ORDER BY g.word
       ON CONFLICT (workspace_id, chunk, word) DO UPDATE SET bits = excluded.bits`;
    const values = [workspaceId, chunk, keys, fold.bits, fold.mask];
    await this.database.run([{ text, values }]);
    await this.widen(bits, workspaceId, chunk, numbers);
    await this.database.query(`UPDATE ${bits.folds} SET chunks = greatest(chunks, $2) WHERE workspace_id = $1`, [
      workspaceId,
      chunk + 1,
    ]);
  }

  /** Makes the span of a chunk reach as far as the moments of these records. Never narrower: whoever is gone is in no bits. */
  private async widen(
    { table, spans }: WordBits,
    workspaceId: number,
    chunk: number,
    numbers: readonly number[],
  ): Promise<void> {
    await this.database.query(
      `INSERT INTO ${spans} AS s (workspace_id, chunk, first, last)
       SELECT $1, $2, min(t.created_at), max(t.created_at)
       FROM (SELECT $1::bigint AS workspace_id, unnest($3::bigint[]) AS number OFFSET 0) n
         CROSS JOIN LATERAL (SELECT t.created_at FROM ${table} t WHERE t.workspace_id = n.workspace_id AND t.number = n.number OFFSET 0) t
       HAVING count(*) > 0
       ON CONFLICT (workspace_id, chunk) DO UPDATE SET first = least(s.first, excluded.first), last = greatest(s.last, excluded.last)
       WHERE excluded.first < s.first OR excluded.last > s.last`,
      [workspaceId, chunk, numbers],
    );
  }

  /** Records by their numbers, some at a time; those that are gone, too. */
  private async *read(
    { table, texts, facets }: WordBits,
    workspaceId: number,
    numbers: readonly number[],
  ): AsyncGenerator<FoldedRecord[], void> {
    const columns = Object.keys(facets);
    const row = `SELECT x.search_text, ${columns.map((name) => `t.${name}`).join(', ')} FROM ${table} t
      CROSS JOIN LATERAL (SELECT x.search_text FROM ${texts} x WHERE x.workspace_id = t.workspace_id AND x.id = t.id OFFSET 0) x
      WHERE t.workspace_id = n.workspace_id AND t.number = n.number OFFSET 0`;
    for (let at = 0; at < numbers.length; at += SLICE) {
      const rows = await this.database.query<{ number: number; line: string | null; [facet: string]: unknown }>(
        `SELECT n.number, r.search_text AS line, ${columns.map((name) => `r.${name}`).join(', ')}
         FROM (SELECT $1::bigint AS workspace_id, unnest($2::bigint[]) AS number OFFSET 0) n LEFT JOIN LATERAL (${row}) r ON true`,
        [workspaceId, numbers.slice(at, at + SLICE)],
      );
      yield rows.map(({ number, line, ...values }) => ({
        number,
        line,
        facets: columns.flatMap((name) => (typeof values[name] === 'string' ? facetKey(name, values[name]) : [])),
      }));
    }
  }
}
