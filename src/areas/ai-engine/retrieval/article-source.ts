import { currentWorkspaceId } from '../../../platform/context/current';
import type { Database } from '../../../platform/database/database';
import { Parameters } from '../../../platform/database/parameters';
import { sql } from '../../../platform/postgres/statement-batch';
import { andSeen, filled } from '../../../platform/resource/read/sight';
import { AUDIENCES, type Visibility } from './retrieval.dto';
import type { Source, Wanted } from './source';

interface Row {
  id: number;
  title: string;
  body: string;
  tags: string;
  language: string;
  visibility: Visibility;
  updated_at: string;
}

/**
 * Live articles that have any of the words, the closest first, by the index of the knowledge base: in the stems of their language.
 * Only what the AI engine may use, and what the audience may see, by the article and the categories above it; articles for some
 * companies are for agents alone, since nobody says here which company asks.
 */
export async function articles(database: Database, { words, audience, language, limit }: Wanted): Promise<Source[]> {
  const parameters = new Parameters(currentWorkspaceId());
  const { bind } = parameters;
  const text = bind(words.join(' '));
  const configs = `SELECT DISTINCT x.config FROM kb_article_texts x WHERE x.workspace_id = $1 AND x.is_live`;
  const query = `replace(plainto_tsquery(c.config::regconfig, ${text}::text)::text, ' & ', ' | ')::tsquery`;
  const conditions = [
    `a.workspace_id = $1 AND a.ai_enabled AND a.live_version = f.number AND v.workspace_id = $1 AND v.article_id = a.id AND v.number = f.number`,
    ...(language === null ? [] : [`a.language = ${bind(language)}`]),
    ...seenBy(audience),
  ];
  const found = `SELECT x.article_id, x.number, ts_rank(x.document, q.query, 1) AS rank FROM (SELECT c.config, ${query} AS query FROM (${configs}) c) q
    JOIN kb_article_texts_search x ON x.config = q.config AND x.is_live AND x.document @@ q.query`;
  const statement = `SELECT a.id, v.title, v.body, a.tags, a.language, a.visibility, a.updated_at FROM (${found}) f
    JOIN kb_articles a ON a.id = f.article_id JOIN kb_article_versions v ON true
    WHERE ${conditions.join(' AND ')}${andSeen('kb_articles', 'a')} ORDER BY f.rank DESC, a.id LIMIT ${limit}`;
  const rows = await database.read(filled(sql<Row>(statement, parameters.values)));
  return rows.map((row) => ({
    type: 'kb_article',
    id: row.id,
    title: row.title,
    url: `/kb/articles/${row.id}`,
    text: row.body,
    about: row.tags,
    language: row.language,
    visibility: row.visibility,
    updated_at: row.updated_at,
  }));
}

/** Conditions that an audience may see the article `a`. */
function seenBy(audience: Visibility): string[] {
  if (audience === 'internal') return [];
  const list = AUDIENCES.slice(0, AUDIENCES.indexOf(audience) + 1)
    .map((each) => `'${each}'`)
    .join(', ');
  const above = `WITH RECURSIVE up AS (
      SELECT k.id, k.parent_id, k.visibility FROM kb_categories k WHERE k.workspace_id = $1 AND k.id = a.category_id
      UNION SELECT k.id, k.parent_id, k.visibility FROM up JOIN kb_categories k ON k.workspace_id = $1 AND k.id = up.parent_id)
    SELECT FROM up WHERE visibility NOT IN (${list})`;
  return [`a.visibility IN (${list})`, `a.company_ids = '{}'`, `NOT EXISTS (${above})`];
}
