import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { SharedReads } from '../../../platform/database/shared-reads';
import { Parameters } from '../../../platform/database/parameters';
import { sql } from '../../../platform/postgres/statement-batch';
import { andSeen, filled } from '../../../platform/resource/read/sight';
import type { Prepared } from './prepared';
import { PreparedTexts } from './prepared-texts';
import { AUDIENCES, type Visibility } from './retrieval.dto';
import type { Source, Wanted } from './source';

interface Row {
  id: number;
  number: number;
  /** Another one whenever the version is written again. */
  written: string;
  title: string;
  tags: string;
  language: string;
  visibility: Visibility;
  updated_at: string;
}

/** Characters of articles whose words are kept in memory. */
const MOST_CHARACTERS = 4_000_000;

/** Live articles that say something of what is asked. */
@Injectable()
export class ArticleSource {
  private readonly known = new PreparedTexts(MOST_CHARACTERS);

  constructor(
    private readonly database: Database,
    private readonly shared: SharedReads,
  ) {}

  /**
   * Live articles that have any of the words, the closest first, by the index of the knowledge base: in the stems of their language.
   * Only what the AI engine may use, and what the audience may see, by the article and the categories above it; articles for some
   * companies are for agents alone, since nobody says here which company asks.
   */
  async find({ words, audience, language, maxAgeDays, limit }: Wanted): Promise<Source[]> {
    const parameters = new Parameters(currentWorkspaceId());
    const { bind } = parameters;
    // In one order: who asks the same in other words at the same time asks it once.
    const text = bind([...words].sort().join(' '));
    // A scalar of the statement, or it would be made for every article, and no index would serve it.
    const query = `(SELECT string_agg(nullif(replace(plainto_tsquery(k::regconfig, ${text}::text)::text, ' & ', ' | '), ''), ' | ')::tsquery FROM kb_configs() AS k)`;
    const conditions = [
      `a.workspace_id = $1 AND a.ai_enabled AND a.live_version = f.number AND v.workspace_id = $1 AND v.article_id = a.id AND v.number = f.number`,
      ...(language === null ? [] : [`a.language = ${bind(language)}`]),
      ...(maxAgeDays === null ? [] : [`a.updated_at >= now() - make_interval(days => ${bind(maxAgeDays)}::integer)`]),
      ...seenBy(audience),
    ];
    const found = `SELECT x.article_id, x.number, ts_rank(x.document, ${query}, 1) AS rank FROM kb_article_texts_search x WHERE x.is_live AND x.document @@ ${query}`;
    const statement = `SELECT a.id, v.number, v.xmin::text AS written, v.title, a.tags, a.language, a.visibility, a.updated_at FROM (${found}) f
      JOIN kb_articles a ON a.id = f.article_id JOIN kb_article_versions v ON true
      WHERE ${conditions.join(' AND ')}${andSeen('kb_articles', 'a')} ORDER BY f.rank DESC, a.id LIMIT ${limit}`;
    const rows = await this.shared.read(filled(sql<Row>(statement, parameters.values)));
    const texts = await this.textsOf(rows);
    return rows.flatMap((row) => {
      const found = texts.get(row.id);
      return found ? [{ ...shown(row), prepared: found }] : [];
    });
  }

  /** What the articles say: of those that were looked at lately as it is known, of the others as it stands there. */
  private async textsOf(rows: readonly Row[]): Promise<ReadonlyMap<number, Prepared>> {
    const texts = new Map<number, Prepared>();
    for (const row of rows) {
      const known = this.known.get(keyOf(row));
      if (known) texts.set(row.id, known);
    }
    const missing = rows.filter(({ id }) => !texts.has(id));
    if (missing.length === 0) return texts;
    const bodies = await this.database.read(
      sql<{ id: number; body: string }>(
        `SELECT v.article_id AS id, v.body FROM json_to_recordset($2::json) AS m(id bigint, number integer)
         JOIN kb_article_versions v ON v.workspace_id = $1 AND v.article_id = m.id AND v.number = m.number`,
        [currentWorkspaceId(), JSON.stringify(missing.map(({ id, number }) => ({ id, number })))],
      ),
    );
    const written = new Map(bodies.map(({ id, body }) => [id, body]));
    const there = missing.flatMap((row) => {
      const { id, title, tags: about } = row;
      const text = written.get(id);
      return text === undefined ? [] : [{ id, key: keyOf(row), title, about, text }];
    });
    for (const [at, made] of (await this.known.all(there)).entries()) texts.set(there[at]?.id ?? 0, made);
    return texts;
  }
}

/** Another one as soon as the article, or its version, says something else: by an erasure, too. */
function keyOf({ id, number, written, updated_at }: Row): string {
  return `${currentWorkspaceId()}:${id}:${number}:${written}:${updated_at}`;
}

function shown({ id, title, language, visibility, updated_at }: Row): Omit<Source, 'prepared'> {
  return { type: 'kb_article', id, title, url: `/kb/articles/${id}`, language, visibility, updated_at };
}

/** Conditions that an audience may see the article `a`. */
function seenBy(audience: Visibility): string[] {
  if (audience === 'internal') return [];
  const list = AUDIENCES.slice(0, AUDIENCES.indexOf(audience) + 1)
    .map((each) => `'${each}'`)
    .join(', ');
  // Once for all articles: what is below a category that is not shown is not shown.
  const hidden = `WITH RECURSIVE hidden AS (
      SELECT k.id FROM kb_categories k WHERE k.workspace_id = $1 AND k.visibility NOT IN (${list})
      UNION SELECT k.id FROM hidden h JOIN kb_categories k ON k.workspace_id = $1 AND k.parent_id = h.id)
    SELECT id FROM hidden`;
  return [
    `a.visibility IN (${list})`,
    `a.company_ids = '{}'`,
    `(a.category_id IS NULL OR a.category_id NOT IN (${hidden}))`,
  ];
}
