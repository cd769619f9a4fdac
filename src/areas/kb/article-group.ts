import { type FoundHits, MOST_HITS, type OwnGroup, SNIPPET_TEXT } from '../../platform/area/search-group';
import type { Query } from '../../platform/postgres/statement-batch';
import { searchTerms } from './text/search-words';
import { Parameters } from '../../platform/database/parameters';
import { articleMatches } from './article-search';

/** Terms that the search of articles takes. */
const MAX_TERMS = 10;

/** Relevance of an article whose title is what was searched, and whose text is about nothing else. */
const FULL_RELEVANCE = 2_250_000;

/**
 * Articles as one group of a search. Agents
 * search what they edit (the current version); published articles come first, with scores from 0.5 up.
 */
function articleStatement(text: string, workspaceId: number, seen: string): Query<FoundHits> {
  const parameters = new Parameters(workspaceId);
  const matches = articleMatches(searchTerms(text).slice(0, MAX_TERMS), parameters.bind);
  const score = `least(1, m.relevance / ${FULL_RELEVANCE}.0) / 2 + CASE a.status WHEN 'published' THEN 0.5 ELSE 0 END`;
  const rows = `SELECT a.id, round(${score}, 4) AS score, a.title, left(x.plain_text, ${SNIPPET_TEXT}) AS text, a.status, a.slug, a.category_id, a.language, a.visibility
    FROM m JOIN kb_articles a ON a.workspace_id = $1 AND a.id = m.id
    JOIN kb_article_texts_search x ON x.workspace_id = $1 AND x.article_id = m.id AND x.number = m.number
    ORDER BY score DESC, a.updated_at DESC, a.id DESC LIMIT ${MOST_HITS}`;
  const isSeen =
    seen === '' ? '' : ` WHERE EXISTS (SELECT FROM kb_articles t WHERE t.workspace_id = $1 AND t.id = found.id${seen})`;
  return {
    text: `WITH m AS MATERIALIZED (SELECT * FROM (${matches}) found${isSeen}) SELECT (SELECT coalesce(json_agg(r), '[]') FROM (${rows}) r) AS hits, (SELECT count(*) FROM m) AS total`,
    values: parameters.values,
  };
}

/** Articles in `GET /search`. */
export const articleGroup: OwnGroup = {
  type: 'kb_articles',
  singular: 'kb_article',
  path: '/kb/articles',
  schema: 'ArticleHit',
  fields: {
    status: { type: 'string' },
    slug: { type: 'string' },
    category_id: { type: 'integer', format: 'int64', nullable: true },
    language: { type: 'string' },
    visibility: { type: 'string' },
  },
  statement: articleStatement,
};
