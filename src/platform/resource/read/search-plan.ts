import { workspacePredicate } from '../../database/database';
import { Parameters } from '../../database/parameters';
import type { Statement } from '../../postgres/statement-batch';
import { numberedRows } from '../../search/bits/rows-sql';
import { leading } from '../../search/bits/word-bits';
import { lexemeQuery, lineCondition, sequenceConditions } from '../../search/matching';
import type { Resource, Search } from '../resource';
import type { ListPlan } from './list-query';
import { filled } from './sight';
import { type Place, rowConditions, rowOf, rowSource, type Scope } from './where';

/*
 * PostgreSQL knows neither how often the beginning of a word occurs nor, between two runs of ANALYZE, that a workspace has any
 * rows at all: left to itself it has joined 3,600 texts with 1,800 tickets row by row. So the order of the work is laid down
 * here, by walls that the planner cannot move: MATERIALIZED, LATERAL with OFFSET 0 (`rowOf`), INTERSECT.
 */

/** Records found from which on a search goes through the list in its order instead of sorting all that it found. */
export const MANY = 3_000;

/** The same of large tables, whose words are apart: along the list, a line has to be looked up for each row. */
export const MOST_SORTED = 10_000;

const mostSorted = ({ search }: Resource): number => (search?.texts ? MOST_SORTED : MANY);

/** What a search found. */
export interface Found {
  total: number;
  /** The few that were found; null when they are many. */
  few: { by: 'id' | 'number'; /** PostgreSQL array. */ array: string } | null;
  /** Of the many, those of the page are known to be met soon by going through the list in its order. */
  soon: boolean;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * What a search finds: columns `total` and, unless they are many, `ids`.
 *
 * @param common keys of words that are in many records (`WordBits`): others lead to those that have them all
 */
export function foundStatement(
  resource: Resource,
  plan: ListPlan,
  workspaceId: number,
  scope: Scope,
  common: ReadonlySet<string> = NONE,
): Statement {
  const parameters = new Parameters(workspaceId);
  const text = foundText(resource, plan, workspaceId, scope, parameters, common);
  return filled({ text, values: parameters.values, unnamed: true });
}

/** The same as the text of a statement that may be part of another. */
export function foundText(
  resource: Resource,
  plan: ListPlan,
  workspaceId: number,
  scope: Scope,
  parameters: Parameters,
  common: ReadonlySet<string> = NONE,
): string {
  const rows = rowConditions(plan, scope, parameters);
  const words = wordConditions(resource, plan, workspaceId, parameters, common);
  return resource.search?.texts && rows.length > 0
    ? withRows(resource, plan, { words, rows, lines: lineConditions(plan, 'w.search_text', parameters) })
    : `SELECT n, CASE WHEN n < ${mostSorted(resource)} THEN (SELECT array_agg(s.id) FROM ${wordSource(resource)} s WHERE ${all(words, rows)}) END
         FROM (SELECT count(*) AS n FROM ${wordSource(resource)} s WHERE ${all(words, rows)}) c`;
}

/** The rows of the words alone that a search finds: `workspace_id`, `id`, and what they are sorted by. Of texts apart. */
export function wordsFound(
  resource: Resource,
  plan: ListPlan,
  workspaceId: number,
  parameters: Parameters,
  common: ReadonlySet<string>,
): string {
  // Behind SELECT the planner does not see the words: it would plan anew for each of them, which takes longer than most searches.
  const words = wordConditions(resource, plan, workspaceId, parameters, common, (query) => `(SELECT ${query})`);
  return `SELECT s.workspace_id, s.id, s.${resource.search?.texts?.sortedBy} FROM ${wordSource(resource)} s WHERE ${all(words)}`;
}

/** What is few leads to the rest: the words to their rows, or what the filters leave to its lines; of many, both are counted. */
function withRows(
  resource: Resource,
  plan: ListPlan,
  { words, rows, lines }: Readonly<Record<'words' | 'rows' | 'lines', readonly string[]>>,
): string {
  const isFew = (name: string): string =>
    `(SELECT count(*) FROM (SELECT FROM ${name} LIMIT ${MOST_SORTED}) l) < ${MOST_SORTED}`;
  const left = all([workspacePredicate.of('s.workspace_id', '$1')], rows);
  const byWord = `SELECT s.id FROM words w CROSS JOIN LATERAL ${rowOf(resource, 'w', rows)} s WHERE ${isFew('words')}`;
  const byRow = `SELECT s.id FROM rest s CROSS JOIN LATERAL ${lineOf(resource)} w WHERE NOT ${isFew('words')} AND ${isFew('rest')} AND ${all(lines)}`;
  const byBoth = `SELECT x.id FROM (SELECT id FROM words INTERSECT ALL SELECT id FROM rest) x WHERE NOT ${isFew('words')} AND NOT ${isFew('rest')}`;
  return `WITH words AS MATERIALIZED (SELECT s.workspace_id, s.id FROM ${wordSource(resource)} s WHERE ${all(words)}),
      rest AS MATERIALIZED (SELECT s.workspace_id, s.id FROM ${rowSource(resource, plan)} s WHERE ${left}),
      found AS MATERIALIZED (${byWord} UNION ALL ${byRow} UNION ALL ${byBoth})
    SELECT n, CASE WHEN n < ${MOST_SORTED} THEN (SELECT array_agg(id) FROM found) END FROM (SELECT count(*) AS n FROM found) c`;
}

/** Where a search finds its page: among the few that it found, or along the list, of which it found many. */
export function foundPlace(
  resource: Resource,
  plan: ListPlan,
  { few }: Found,
  scope: Scope,
  parameters: Parameters,
): Place {
  const rows = rowConditions(plan, scope, parameters);
  if (few !== null) {
    const each = `unnest(${parameters.bind(few.array)}::bigint[])`;
    if (few.by === 'number') {
      const numbers = `(SELECT ${each} AS number)`;
      return { from: `${numberedRows(resource.table, 's.*', numbers, rows)} s`, conditions: [] };
    }
    const ids = `(SELECT $1::bigint AS workspace_id, ${each} AS id OFFSET 0)`;
    return { from: `${ids} w CROSS JOIN LATERAL ${rowOf(resource, 'w', rows)} s`, conditions: [] };
  }
  const { view = resource.table, texts } = resource.search ?? {};
  const conditions = [workspacePredicate.of('s.workspace_id', '$1'), ...rows];
  // Inside of CASE, PostgreSQL takes a condition for one that half of the rows meet: it then goes through the list in its order.
  const has = (line: string): string[] =>
    lineConditions(plan, line, parameters).map((condition) => `CASE WHEN ${condition} THEN true END`);
  if (!texts) return { from: `${view} s`, conditions: [...conditions, ...has('s.search_text')] };
  if (isInOrderOfWords(resource, plan, scope))
    return { from: `${texts.view} s`, conditions: [...conditions, ...has('s.search_text')] };
  return {
    from: `${resource.table} s CROSS JOIN LATERAL ${lineOf(resource)} w`,
    conditions: [...conditions, ...has('w.search_text')],
  };
}

/** Whether a search asks for nothing but words, in the order that their own rows have. */
export function isInOrderOfWords({ search }: Resource, plan: ListPlan, scope: Scope): boolean {
  const isWhole = plan.seen === null && plan.filters.length === 0 && Object.keys(scope).length === 0;
  return isWhole && plan.further.length === 0 && plan.sort.spec.column === search?.texts?.sortedBy;
}

/** Condition over a row `s`, as its line of words has it: every term is in it. */
export function isSought(resource: Resource, plan: ListPlan, parameters: Parameters): string {
  return `EXISTS (SELECT FROM ${lineOf(resource)} w WHERE ${all(lineConditions(plan, 'w.search_text', parameters))})`;
}

/** LATERAL item: the line of words of `s`. */
function lineOf(resource: Resource): string {
  return `(SELECT x.search_text FROM ${wordSource(resource)} x WHERE x.workspace_id = s.workspace_id AND x.id = s.id OFFSET 0)`;
}

function wordSource({ search, table }: Resource): string {
  return search?.texts?.view ?? search?.view ?? table;
}

/**
 * Every term is among the words of the record, as the index of words and, of several words, the line of words has them. Where some
 * are rare, common ones are looked for in the lines of those alone.
 */
function wordConditions(
  resource: Resource,
  plan: ListPlan,
  workspaceId: number,
  { bind }: Parameters,
  common: ReadonlySet<string>,
  asSeen = (query: string): string => query,
): string[] {
  const { led, asked, looked } = leading(searchOf(plan).terms, common);
  // Of texts apart, the index of words knows the workspace; another one of the workspace alone would only be in the way.
  const workspace = resource.search?.texts ? 's.workspace_id + 0' : 's.workspace_id';
  return [
    workspacePredicate.of(workspace, '$1'),
    `s.lexemes @@ ${asSeen(`${bind(lexemeQuery(asked, workspaceId))}::tsquery`)}`,
    ...sequenceConditions(led, bind, 's.search_text'),
    ...looked.map((term) => lineCondition(term, bind, 's.search_text')),
  ];
}

/** Every term is in the line of words. */
function lineConditions(plan: ListPlan, line: string, { bind }: Parameters): string[] {
  return searchOf(plan).terms.map((term) => lineCondition(term, bind, line));
}

function searchOf({ search }: ListPlan): Search {
  if (!search) throw new Error('This list is no search.');
  return search;
}

const all = (...conditions: readonly (readonly string[])[]): string => conditions.flat().join(' AND ');
