import { currentWorkspaceId } from '../../platform/context/current';
import type { Bind } from '../../platform/query/filters';
import { lexemeQuery, sequenceConditions } from '../../platform/search/matching';
import { termsOf } from '../../platform/search/terms';
import type { Search } from '../../platform/resource/resource';
import { articleMatches, written } from './article-search';
import { searchTerm, searchTerms } from './text/search-words';

/** What is found in fields stands behind what is found in texts. */
const RELEVANCE = 1_000;

/**
 * SQL of the articles of the current workspace of which some term is in a text of their custom fields, and each other one there or in the
 * text that editors see: columns `id` and `relevance`. Readers do not search fields, so `/search` and answers know nothing of them.
 *
 * @param terms as `searchTerms` cuts them
 */
function fieldMatches(terms: readonly string[], bind: Bind): string {
  const workspaceId = currentWorkspaceId();
  const inFields: string[] = [];
  const anywhere = terms.map((term) => {
    const asked = termsOf(term.includes(' ') ? `"${term}"` : term);
    const ways: string[] = [];
    if (asked.length > 0) {
      const query = `${bind(lexemeQuery(asked, workspaceId))}::tsquery`;
      const found = [`a.lexemes @@ ${query}`, ...sequenceConditions(asked, bind, 'a.search_text')].join(' AND ');
      inFields.push(query);
      ways.push(`(${found})`);
    }
    const wanted = searchTerm(term);
    if (wanted !== null) {
      if (wanted.words !== '') ways.push(`x.document @@ (SELECT kb_query(ARRAY[${bind(wanted.words)}::text], false))`);
      ways.push(written(wanted.text, bind));
    }
    return ways.length > 0 ? `(${ways.join(' OR ')})` : 'false';
  });
  if (inFields.length === 0) return `SELECT NULL::bigint AS id, NULL::integer AS relevance WHERE false`;
  return (
    `SELECT a.id, ${RELEVANCE} AS relevance FROM kb_article_fields_search a JOIN kb_article_texts_search x ON x.article_id = a.id AND x.is_current ` +
    `WHERE a.lexemes @@ (${inFields.join(' || ')}) AND ${anywhere.join(' AND ')}`
  );
}

/** What lists of articles find, among what editors see. */
export function foundArticles({ text }: Search, bind: Bind): string {
  const terms = searchTerms(text);
  const matches = `SELECT m.id, m.relevance FROM (${articleMatches(terms, bind)}) m UNION ALL ${fieldMatches(terms, bind)}`;
  const found = `SELECT u.id, max(u.relevance) AS relevance FROM (${matches}) u GROUP BY u.id`;
  return `(SELECT t.*, f.relevance FROM (${found}) f JOIN kb_articles t ON t.id = f.id AND t.workspace_id = $1)`;
}
