import type { Bind } from '../../platform/query/filters';
import { escapeLike } from '../../platform/text/like';
import { foldText } from './text/fold-text';
import { beginsWord, searchTerm, type SearchTerm } from './text/search-words';

/** Which text of an article is looked through: the one that editors see, or the one that readers see. */
export type ArticleCopy = 'current' | 'live';

/** What words weigh in the keywords, the body, the title and the headings (product reference 1.7: 1, 5, 6, 8). */
const WEIGHTS = `'{0.125, 0.625, 0.75, 1}'`;

/** Parts of one term in which mistakes are looked for. */
const MAX_LOOSE = 20;

/** With fewer exact matches than this, words spelt nearly the same count, too. */
const TOO_FEW = 3;

/**
 * SQL of the articles of the current workspace that a search finds, for use as a sub-select: columns `id` (of the article),
 * `number` (of the version that matches) and `relevance` (an integer, the higher the better). No order, no limit.
 *
 * Every term must occur: as a word in the stem of the article's language, or as it is written, at the beginning of a word; a term
 * of several words stays together. Where that finds fewer than three articles, words with one typing mistake (two from eight
 * letters on) count, ranked below. Case, accents and full-width forms make no difference. The statement runs on views that are
 * confined to `app.workspace_id`; whether a reader may see an article (`visibleTo`) is for the caller to add.
 *
 * @param terms as `searchTerms` cuts them, at most 10
 * @param copy `current` for those who write articles; `live` for those who read them
 */
export function articleMatches(terms: readonly string[], bind: Bind, copy: ArticleCopy = 'current'): string {
  const wanted = terms.map(searchTerm).filter((term) => term !== null);
  if (wanted.length === 0)
    return `SELECT NULL::bigint AS id, NULL::integer AS number, NULL::integer AS relevance WHERE false`;
  const text = bind(foldText(terms.join(' ')));
  const words = bind(wanted.map((term) => term.words).filter((each) => each !== ''));
  const asWritten = (list: readonly SearchTerm[]): string[] => list.map((term) => written(term.text, bind));
  const signs = asWritten(wanted.filter((term) => term.words === ''));
  const stems = (query: string): string => [`x.document @@ ${query}`, ...signs].join(' AND ');
  const source = `kb_article_texts_search x WHERE x.is_${copy}`;
  const exact = `(SELECT kb_query(${words}::text[], false))`;
  const near = `(SELECT kb_query(${bind(wanted.flatMap(looseWords))}::text[], true))`;
  const columns = (query: string, scale: number): string =>
    `x.article_id AS id, x.number, ${relevance(query, `${text}::text`, scale)} AS relevance`;
  // Two ways in, each with its index: joined by OR they would have none. The ranks are left out where only the total is asked.
  return (
    `WITH hits AS MATERIALIZED (SELECT x.article_id, x.number FROM ${source} AND ${stems(exact)} ` +
    `UNION SELECT x.article_id, x.number FROM ${source} AND ${asWritten(wanted).join(' AND ')}) ` +
    `SELECT ${columns(exact, 1)} FROM hits h JOIN kb_article_texts_search x ON x.article_id = h.article_id AND x.number = h.number ` +
    `UNION ALL SELECT ${columns(near, 0.1)} FROM ${source} AND (SELECT count(*) FROM hits) < ${TOO_FEW} AND ${stems(near)} ` +
    `AND x.article_id NOT IN (SELECT article_id FROM hits)`
  );
}

/** Words in which mistakes are forgiven: of a term like `l'imprimante` one by one, of "several words" only as they stand. */
function looseWords({ text, words }: SearchTerm): string[] {
  const single = words.split(' ');
  return text.includes(' ') || single.length > MAX_LOOSE ? [words] : single.filter((word) => word !== '');
}

/**
 * SQL condition that a text has the term as it is written: where a word begins, but for scripts without spaces and for signs, which
 * may stand anywhere. The index answers the first half.
 */
export function written(text: string, bind: Bind): string {
  const anywhere = `x.search_text LIKE ${bind(`%${escapeLike(text)}%`)}`;
  if (!beginsWord(text)) return anywhere;
  const begun = `(^|[^[:alnum:]])${text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`;
  return `(${anywhere} AND x.search_text ~ ${bind(begun)}::text)`;
}

/** How much of the words the text is made of, where they are, and how near the title is to what was asked. */
function relevance(query: string, text: string, scale: number): string {
  const rank = `coalesce(ts_rank(${WEIGHTS}, x.document, ${query}, 1), 0)`;
  const title = `CASE WHEN x.title_text = ${text} THEN 1 WHEN strpos(x.title_text, ${text}) > 0 THEN 0.5 ELSE 0 END`;
  return `(1000000 * ${scale} * (${rank} + ${title} + 0.25 * similarity(x.title_text, ${text})))::integer`;
}
