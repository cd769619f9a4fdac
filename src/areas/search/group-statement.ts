import type { FoundHits, IndexedGroup } from '../../platform/area/search-group';
import type { Query } from '../../platform/postgres/statement-batch';
import type { Bind } from '../../platform/query/filters';
import { Parameters } from '../../platform/database/parameters';
import { lexemeQuery, lineCondition, MARKS, sequenceConditions } from '../../platform/search/matching';
import type { Term } from '../../platform/search/terms';
import { wordLine } from '../../platform/search/words';
import { rowOf } from '../../platform/resource/read/where';
import { MAX_LIMIT } from './query';

/** How closely a record matches, best first; the order of the answer, and the base of its score. */
export const TIERS = [
  { mark: MARKS.title, whole: true },
  { mark: MARKS.title, whole: false },
  { mark: MARKS.anywhere, whole: true },
  { mark: MARKS.anywhere, whole: false },
] as const;

/** Totals are exact up to here: beyond, counting would cost more than anybody gains by it. */
export const MOST_COUNTED = 100_000;

/** With more matches than this, the newest records are looked through before the index is asked. */
const COMMON = 2_000;
/** Newest records looked through: a common word fills its page from them. */
const RECENT = 1_000;
/** Bytes of text looked through in them. */
const RECENT_BYTES = 1_000_000;
/** Of those, how many likely ones are looked at closely. */
const LIKELY = 200;

const NEWEST = 'ORDER BY created_at DESC, id DESC';

/** One look for hits: rows of `id`, `created_at`. */
interface Step {
  name: string;
  /** How close its matches are; 0 = named exactly. */
  place: number;
  sql: string;
}

/**
 * One group of a search in one statement: a single row of `hits` (JSON array, at most 20, best first, each with
 * `id`, `place` and the group's columns) and `total` (exact up to `MOST_COUNTED`, one more when there are more).
 *
 * Closer matches come first, newer ones before older ones. Each step asks for the newest of one kind of match, and only
 * when the steps before have not filled the page; `place` is the number of the kind. So the work is bounded by what the
 * index says of the words, however common they are.
 */
export function groupStatement(
  group: IndexedGroup,
  text: string,
  terms: readonly Term[],
  workspaceId: number,
): Query<FoundHits> {
  const parameters = new Parameters(workspaceId);
  const { bind } = parameters;
  const sequences = sequenceConditions(terms, bind, 's.search_text');
  const exact = group.exact(text, bind);
  const steps = exact === null ? [] : [named(exact)];
  for (const [index, tier] of TIERS.entries()) {
    const place = index + 1;
    const query = `${bind(lexemeQuery(terms, workspaceId, tier))}::tsquery`;
    const title = tier.mark === MARKS.title && !group.large ? bind(wordLine(text)) : null;
    if (group.large) steps.push({ name: `r${place}`, place, sql: recent(query) });
    steps.push({ name: `f${place}`, place, sql: indexed(group, [`s.lexemes @@ ${query}`, ...sequences], title) });
  }
  const parts = [
    `total AS MATERIALIZED (SELECT count(*) AS n FROM (${counted(group, [`s.lexemes @@ ${bind(lexemeQuery(terms, workspaceId))}::tsquery`, ...sequences], exact)}) c)`,
    ...(group.large ? [`likely AS MATERIALIZED (${likely(group, terms, bind)})`] : []),
    ...steps.map((step, index) => expression(step, steps.slice(0, index))),
  ];
  return {
    text: `WITH ${parts.join(', ')} SELECT ${hits(group, steps)} AS hits, least(n, ${MOST_COUNTED + 1}) AS total FROM total`,
    values: parameters.values,
    unnamed: true,
  };
}

/** Ids of all that match, whichever way, as far as they are counted. */
function counted(group: IndexedGroup, conditions: readonly string[], exact: string | null): string {
  const most = `LIMIT ${MOST_COUNTED + 1}`;
  const matching = `SELECT s.id FROM ${group.view} s WHERE ${conditions.join(' AND ')} ${most}`;
  return exact === null ? matching : `(${matching}) UNION (${exact} ${most})`;
}

/** Those of the newest records that have the words as texts, with what the index knows of them. */
function likely(group: IndexedGroup, terms: readonly Term[], bind: Bind): string {
  const conditions = terms.map((term) => lineCondition(term, bind, 's.search_text'));
  const sized = `SELECT *, sum(octet_length(search_text)) OVER (${NEWEST}) AS bytes FROM (SELECT workspace_id, id, created_at, search_text, title_length FROM ${group.view} WHERE workspace_id = $1 ${NEWEST} LIMIT ${RECENT}) n`;
  const newest = `SELECT * FROM (${sized}) z WHERE bytes <= ${RECENT_BYTES} OFFSET 0`;
  return `SELECT s.id, s.created_at, search_terms(s.workspace_id, s.search_text, s.title_length) AS lexemes FROM (${newest}) s WHERE (SELECT n FROM total) > ${COMMON} AND ${conditions.join(' AND ')} ORDER BY s.created_at DESC, s.id DESC LIMIT ${LIKELY}`;
}

function named(exact: string): Step {
  const sql = `SELECT x.id, 'infinity'::timestamptz AS created_at FROM (${exact} LIMIT ${MAX_LIMIT}) x`;
  return { name: 'e', place: 0, sql };
}

/** The newest matches among the likely ones. */
function recent(query: string): string {
  return `SELECT id, created_at FROM likely WHERE lexemes @@ ${query} ${NEWEST} LIMIT ${MAX_LIMIT}`;
}

/**
 * The newest matches of all. OFFSET 0 keeps the planner from reading records in order of creation until enough match.
 *
 * @param title placeholder of the words of the search: records of that very title come before the newest
 */
function indexed(group: IndexedGroup, conditions: readonly string[], title: string | null): string {
  const columns = `s.id, s.created_at${title === null ? '' : ', s.search_text, s.title_length'}`;
  const order = title === null ? '' : `(left(m.search_text, m.title_length) = ${title}) DESC, `;
  const matches = `SELECT ${columns} FROM ${group.view} s WHERE ${conditions.join(' AND ')} OFFSET 0`;
  return `SELECT m.id, m.created_at FROM (${matches}) m ORDER BY ${order}m.created_at DESC, m.id DESC LIMIT ${MAX_LIMIT}`;
}

/** The step, to be taken when those before have not found enough. */
function expression({ name, sql }: Step, before: readonly Step[]): string {
  const found = before.map((step) => `SELECT id FROM ${step.name}`).join(' UNION ');
  const gate = before.length ? ` WHERE (SELECT count(*) FROM (${found}) b) < ${MAX_LIMIT}` : '';
  return `${name} AS MATERIALIZED (SELECT id, created_at FROM (${sql}) x${gate})`;
}

/** The best of what the steps found, read from the table under row-level security. */
function hits(group: IndexedGroup, steps: readonly Step[]): string {
  const found = steps
    .map(({ name, place }) => `SELECT $1::bigint AS workspace_id, id, ${place} AS place FROM ${name}`)
    .join(' UNION ALL ');
  const columns = Object.entries(group.columns).map(([name, sql]) => `${sql} AS ${name}`);
  const best = `SELECT workspace_id, id, min(place) AS place FROM (${found}) x GROUP BY workspace_id, id`;
  const rows = `SELECT t.id, b.place, ${group.last ?? 'false'} AS last, ${columns.join(', ')} FROM (${best}) b CROSS JOIN LATERAL ${rowOf(group, 'b')} t ORDER BY b.place, last, t.created_at DESC, t.id DESC LIMIT ${MAX_LIMIT}`;
  return `(SELECT coalesce(json_agg(r), '[]') FROM (${rows}) r)`;
}
