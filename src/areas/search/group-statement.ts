import type { FoundHits, IndexedGroup } from '../../platform/area/search-group';
import type { Query } from '../../platform/postgres/statement-batch';
import type { Bind } from '../../platform/query/filters';
import { Parameters } from '../../platform/database/parameters';
import type { AnyOf } from '../../platform/search/bits/any-of';
import { BIT_TOTAL, bitParts, foldedIds, GUESSES } from '../../platform/search/bits/bits-sql';
import { IS_SPARSE, newestFolded } from '../../platform/search/bits/newest-sql';
import { linesOf } from '../../platform/search/bits/rows-sql';
import { hasPhrase, isCommon, isExact, leading } from '../../platform/search/bits/word-bits';
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
type Tier = (typeof TIERS)[number];

/** Totals are exact up to here, and beyond where bits count them: otherwise, counting would cost more than anybody gains by it. */
export const MOST_COUNTED = 100_000;

/** With more matches than this, the newest records are looked through before the index is asked. */
const COMMON = 2_000;
/** Newest records looked through: a common word fills its page from them. */
const RECENT = 1_000;
/** Bytes of text looked through in them. */
const RECENT_BYTES = 1_000_000;
/** So many times more for a phrase: its words, by which the index would find it, may be in many more records than it is. */
const PHRASES = 10;

const NEWEST = 'ORDER BY created_at DESC, id DESC';
/** Columns of a line `s`. */
const LINE = 's.id, s.created_at, s.search_text, s.title_length';

/** One look for hits: rows of `id`, `created_at`. */
interface Step {
  name: string;
  /** How close its matches are; 0 = named exactly. */
  place: number;
  sql: string;
}

/**
 * One group of a search in one statement: a single row of `hits` (JSON array, at most 20, best first, each with
 * `id`, `place` and the group's columns) and `total` (exact up to `MOST_COUNTED`, one more when there are more, unless it is `exact`).
 *
 * Closer matches come first, newer ones before older ones. Each step asks for the newest of one kind of match, and only
 * when the steps before have neither filled the page nor found all; `place` is the number of the kind. So the work is bounded
 * by what the index says of the words, however common they are. Before the index is asked for a kind, lines that were looked
 * through in one go are (`lines`): all that was found, where it is little; of the newest records; of the newest that bits found.
 *
 * @param common keys of words that are in many records (`WordBits`): where all are, bits count what is found; otherwise the rare ones
 *   lead to it
 * @param seen what the caller sees: a condition over `t` with AND before it, or nothing
 * @param ofSeen what bits tell of that, where it is anything
 */
export function groupStatement(
  group: IndexedGroup,
  text: string,
  terms: readonly Term[],
  workspaceId: number,
  common: ReadonlySet<string>,
  seen = '',
  ofSeen: readonly AnyOf[] = [],
): Query<FoundHits> {
  const parameters = new Parameters(workspaceId);
  const { bind } = parameters;
  const isSeen = (row: string): string[] =>
    seen === '' ? [] : [`EXISTS (SELECT FROM ${group.table} t WHERE t.workspace_id = $1 AND t.id = ${row}.id${seen})`];
  const { led, asked, looked } = leading(terms, common);
  const phrases = led.filter(({ spellings }) => spellings.some(({ words }) => words.length > 1));
  const byName = group.exact(text, bind);
  const exact =
    byName === null || seen === '' ? byName : `SELECT e.id FROM (${byName}) e WHERE ${isSeen('e').join('')}`;
  const { bits, view } = group;
  const byBits = exact === null && terms.every((term) => isCommon(term, common)) ? bits : undefined;
  // One word alone is looked up as fast as what the bits found of it.
  const isPhrase = hasPhrase(terms);
  const isSeveral = terms.length > 1 || isPhrase;
  const isLed = byBits === undefined && exact === null && group.large && isSeveral;
  const isNear = isSeveral && (byBits !== undefined || isLed);
  const few = `(SELECT count(*) FROM near) <= ${COMMON}`;
  const isFew = isLed ? `(${few})` : `(EXISTS (SELECT FROM state) AND (SELECT n FROM total) <= ${COMMON})`;
  const hasBeginnings = terms.some(({ spellings }) => spellings.some(({ prefix }) => prefix));
  const tiers = TIERS.map((tier, index) => ({ ...tier, place: index + 1 })).filter(
    ({ whole }) => whole || hasBeginnings,
  );
  const hasLines = group.large || isNear;
  const isShort = (name: string): string => {
    const closest = tierConditions(terms, TIERS[0], bind).join(' AND ');
    return `(SELECT count(*) FROM (SELECT FROM ${name} s WHERE ${closest} LIMIT ${MAX_LIMIT}) c) < ${MAX_LIMIT}`;
  };
  const steps = exact === null ? [] : [named(exact)];
  for (const tier of tiers) {
    const { place } = tier;
    if (hasLines) steps.push({ name: `l${place}`, place, sql: ofLines(tierConditions(terms, tier, bind)) });
    const title = tier.mark === MARKS.title && !group.large ? bind(wordLine(text)) : null;
    const lexemes = `s.lexemes @@ ${bind(lexemeQuery(tier.whole ? led : asked, workspaceId, tier))}::tsquery`;
    const conditions = [lexemes, ...tierConditions([...phrases, ...looked], tier, bind), ...isSeen('s')];
    steps.push({
      name: `f${place}`,
      place,
      sql: indexed(group, isNear ? [...conditions, `NOT ${isFew}`] : conditions, title),
    });
  }
  const lexemes = `s.lexemes @@ ${bind(lexemeQuery(asked, workspaceId))}::tsquery`;
  const beside = looked.map((term) => lineCondition(term, bind, 's.search_text'));
  const matching = [lexemes, ...sequenceConditions(led, bind, 's.search_text'), ...beside, ...isSeen('s')];
  const count = `least(${counted(group, matching, exact)}, ${MOST_COUNTED + 1})`;
  const ledLines = `SELECT ${LINE} FROM ${view} s WHERE ${matching.join(' AND ')} LIMIT ${COMMON + 1}`;
  // The last that has any: each has those before it among its own. Those of an index alone may be any, where there are many.
  const looks = [...(group.large ? ['likely'] : []), ...(byBits ? ['newest'] : []), ...(isNear ? ['near'] : [])];
  const lines = looks.map((name, index) => {
    const later = isLed ? [] : looks.slice(index + 1).map((other) => `NOT EXISTS (SELECT FROM ${other})`);
    const all = isLed && name === 'near' ? [isFew] : later;
    return `SELECT * FROM ${name}${all.length > 0 ? ` WHERE ${all.join(' AND ')}` : ''}`;
  });
  const parts = [
    ...(byBits
      ? bitParts(byBits, { view, conditions: isSeen('s') }, { terms, facets: ofSeen }, common, workspaceId, bind)
      : [`state AS (SELECT WHERE false)`]),
    ...(isLed ? [`near AS MATERIALIZED (${ledLines})`] : []),
    `total AS MATERIALIZED (SELECT coalesce(${byBits ? BIT_TOTAL : isLed ? `CASE WHEN ${few} THEN (SELECT count(*) FROM near) END` : 'NULL'}, ${count}) AS n)`,
    ...(group.large
      ? [`likely AS MATERIALIZED (${likely(group, terms, bind, isSeen('s'), byBits !== undefined)})`]
      : []),
    ...(byBits ? newestFolded(byBits, view, LINE, group.large ? isShort('likely') : 'true') : []),
    ...(byBits && isNear
      ? [`near AS MATERIALIZED (${bitLines(foldedIds(byBits), view, `${isFew} AND ${isShort('newest')}`)})`]
      : []),
    ...(hasLines ? [`lines AS NOT MATERIALIZED (${lines.join(' UNION ALL ')})`] : []),
    ...steps.map((step, index) => expression(step, steps.slice(0, index))),
  ];
  return {
    text: `WITH ${parts.join(', ')} SELECT ${hits(group, steps, isSeen('s'))} AS hits, n AS total, EXISTS (SELECT FROM state) AS exact${byBits && !isExact(terms, common) ? `, ${GUESSES} AS guesses` : ''} FROM total`,
    values: parameters.values,
  };
}

/** The lines of all that the bits found (`ids`), where the condition is met. */
function bitLines(ids: string, view: string, condition: string): string {
  const all = `SELECT i.id FROM (${ids} UNION ALL SELECT workspace_id, id FROM live) i WHERE ${condition}`;
  return `SELECT ${LINE} FROM ${linesOf(view, all)} s`;
}

/** The newest of the lines that match so closely. */
const ofLines = (conditions: readonly string[]): string =>
  `SELECT s.id, s.created_at FROM lines s WHERE ${conditions.join(' AND ')} ${NEWEST} LIMIT ${MAX_LIMIT}`;

/** SQL conditions over a line of words: how closely the terms match, as the index of words has it. */
function tierConditions(terms: readonly Term[], tier: Tier, bind: Bind): string[] {
  const line = tier.mark === MARKS.title ? 'left(s.search_text, s.title_length)' : 's.search_text';
  return terms.map((term) => lineCondition(tier.whole ? whole(term) : term, bind, line));
}

/** The term, where beginnings of words do not count. */
function whole({ spellings, ...term }: Term): Term {
  return { ...term, spellings: spellings.map(({ words }) => ({ words, prefix: false })) };
}

/** SQL of the number of all that match, whichever way, as far as they are counted. */
function counted(group: IndexedGroup, conditions: readonly string[], exact: string | null): string {
  const most = `LIMIT ${MOST_COUNTED + 1}`;
  const matching = `SELECT s.id FROM ${group.view} s WHERE ${conditions.join(' AND ')} ${most}`;
  if (exact === null) return `(SELECT count(*) FROM (${matching}) c)`;
  // Those that are named exactly are few, and nearly always among the others.
  return `(WITH matching AS MATERIALIZED (${matching}) SELECT (SELECT count(*) FROM matching)
    + (SELECT count(*) FROM (${exact} ${most}) e WHERE e.id NOT IN (SELECT id FROM matching)))`;
}

/**
 * Those of the newest records that have the words. From the table: of the view's condition
 * on the workspace PostgreSQL expects so little that it would rather read and sort all.
 *
 * @param isCounted bits may know what is found: what few records have is left to `newest`
 */
function likely(
  group: IndexedGroup,
  terms: readonly Term[],
  bind: Bind,
  isSeen: readonly string[],
  isCounted: boolean,
): string {
  const isPhrase = hasPhrase(terms);
  const many = isPhrase ? PHRASES : 1;
  const times = isPhrase && isCounted ? `(CASE WHEN EXISTS (SELECT FROM state) THEN 1 ELSE ${many} END)` : `${many}`;
  const conditions = [
    `(SELECT n FROM total) > ${COMMON}`,
    ...(isCounted ? [`NOT ${IS_SPARSE}`] : []),
    ...terms.map((term) => lineCondition(term, bind, 's.search_text')),
    ...isSeen,
  ];
  const sized = `SELECT *, sum(octet_length(search_text)) OVER (${NEWEST}) AS bytes FROM (SELECT workspace_id, id, created_at, search_text, title_length FROM ${group.words.texts} WHERE workspace_id = $1 ${NEWEST} LIMIT ${RECENT} * ${times}) n`;
  const newest = `SELECT * FROM (${sized}) z WHERE bytes <= ${RECENT_BYTES} * ${times} OFFSET 0`;
  return `SELECT ${LINE} FROM (${newest}) s WHERE ${conditions.join(' AND ')}`;
}

function named(exact: string): Step {
  const sql = `SELECT x.id, 'infinity'::timestamptz AS created_at FROM (${exact} LIMIT ${MAX_LIMIT}) x`;
  return { name: 'e', place: 0, sql };
}

/**
 * The newest matches of all. OFFSET 0 keeps the planner from reading records in order of creation until enough match.
 *
 * @param title placeholder of the words of the search: records of that very title come before the newest
 */
function indexed(group: IndexedGroup, conditions: readonly string[], title: string | null): string {
  const columns = `s.id, s.created_at${title === null ? '' : ', s.search_text'}`;
  // Where a title ends is worked out from it, so only for those that begin so.
  const isTitle = `SELECT left(v.search_text, v.title_length) = ${title} FROM ${group.view} v WHERE v.workspace_id = $1 AND v.id = m.id`;
  const order =
    title === null ? '' : `CASE WHEN starts_with(m.search_text, ${title}) THEN (${isTitle}) ELSE false END DESC, `;
  const matches = `SELECT ${columns} FROM ${group.view} s WHERE ${conditions.join(' AND ')} OFFSET 0`;
  return `SELECT m.id, m.created_at FROM (${matches}) m ORDER BY ${order}m.created_at DESC, m.id DESC LIMIT ${MAX_LIMIT}`;
}

/** The step, to be taken when those before have found neither enough nor all. */
function expression({ name, sql }: Step, before: readonly Step[]): string {
  const found = before.map((step) => `SELECT id FROM ${step.name}`).join(' UNION ');
  const wanted = `least(${MAX_LIMIT}, (SELECT n FROM total))`;
  const gate = before.length ? ` WHERE (SELECT count(*) FROM (${found}) b) < ${wanted}` : '';
  return `${name} AS MATERIALIZED (SELECT id, created_at FROM (${sql}) x${gate})`;
}

/** The best of what the steps found, read from the table under row-level security. */
function hits(group: IndexedGroup, steps: readonly Step[], isSeen: readonly string[]): string {
  const found = steps
    .map(({ name, place }) => `SELECT $1::bigint AS workspace_id, id, ${place} AS place FROM ${name}`)
    .join(' UNION ALL ');
  const columns = Object.entries(group.columns).map(([name, sql]) => `${sql} AS ${name}`);
  const best = `SELECT workspace_id, id, min(place) AS place FROM (${found}) x GROUP BY workspace_id, id`;
  const rows = `SELECT t.id, b.place, ${group.last ?? 'false'} AS last, ${columns.join(', ')} FROM (${best}) b CROSS JOIN LATERAL ${rowOf(group, 'b', isSeen)} t ORDER BY b.place, last, t.created_at DESC, t.id DESC LIMIT ${MAX_LIMIT}`;
  return `(SELECT coalesce(json_agg(r), '[]') FROM (${rows}) r)`;
}
