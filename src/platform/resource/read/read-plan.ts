import { LRUCache } from 'lru-cache';
import { type Statement, statementName } from '../../postgres/statement-batch';
import type { ListPlan } from './list-query';
import {
  keyExpression,
  keyName,
  keysetConditions,
  orderBy,
  type PageOrder,
  pageOrder,
  PREPARED_OFFSET,
  scanOrder,
  slice,
  sortKeys,
} from './page-order';
import { pageOfHalves } from './halves';
import { timestampText } from '../../columns/column-spec';
import { Parameters } from '../../database/parameters';
import { isCommon, isSoonerGathered, isSoonerSorted } from './gathering';
import { type LeftOut, leftOutOfPage } from './left-out';
import { recordSelect } from './record-select';
import { type Resource, shownExpression } from '../resource';
import { type Found, foundPlace, isInOrderOfWords } from './search-plan';
import type { Selection } from './selection';
import { markValues, withMarks } from './sight';
import { placeOf, rowOf, type Scope, totalExpression } from './where';

const RECORD_JOIN = /\{record ([a-z])\}/g;
const ROW_STAMP = /\{stamp ([a-z])\}/g;
const MAX_TEXTS = 300;
const texts = new WeakMap<Selection, LRUCache<string, NamedText>>();

/**
 * The version of the row `alias` (`xmin`: which transaction wrote it), and what of the record is not in the row as it is shown: computed
 * columns, those that depend on the clock or on who asks. Without relations.
 */
function stampOf(resource: Resource, { fields, sight }: Selection, alias: string): string {
  const shown = fields.map((name) => ({
    own: `${alias}.${name}`,
    expression: shownExpression(resource, name, alias, sight),
  }));
  const made = shown.filter(({ own, expression }) => expression !== own && expression !== timestampText(own));
  return `(${alias}.id, ${alias}.xmin${made.map(({ expression }) => `, ${expression}`).join('')})::text`;
}

interface NamedText {
  text: string;
  name: string;
  /** What of the caller comes behind the other parameters. */
  marks: ReturnType<typeof withMarks>['marks'];
}

/** Stands for the join that yields the record as `r` over `alias`; `render` puts it in. */
export const recordJoin = (alias: string): string => `{record ${alias}}`;
/** Stands for what tells whether the text of the row `alias` is what it was. */
export const rowStamp = (alias: string): string => `{stamp ${alias}}`;
export const JSON_TEXT = 'row_to_json(r)::text AS j';
export const STAMPED = `${rowStamp('s')} AS v`;

/**
 * The complete text of a statement, its name and its parameters. What a template becomes depends on the selection alone, so the long
 * part (the select list) is put together once per template and selection, not once per request.
 */
export function render(
  resource: Resource,
  selection: Selection,
  template: string,
  { values }: Parameters,
): Pick<Statement, 'text' | 'name' | 'values'> {
  const known = texts.get(selection) ?? new LRUCache<string, NamedText>({ max: MAX_TEXTS });
  texts.set(selection, known);
  let rendered = known.get(template);
  if (!rendered) {
    const whole = template
      .replace(
        RECORD_JOIN,
        (_marker, alias: string) => `CROSS JOIN LATERAL (SELECT ${recordSelect(resource, selection, alias)}) r`,
      )
      .replace(ROW_STAMP, (_marker, alias: string) => stampOf(resource, selection, alias));
    const { text, marks } = withMarks(whole, values.length);
    rendered = { text, name: statementName(text), marks };
    known.set(template, rendered);
  }
  const { text, name, marks } = rendered;
  return { text, name, values: marks.length === 0 ? values : [...values, ...markValues(marks)] };
}

/**
 * A page of a list in one statement: columns `json` (array text), `first_key`, `first_id`, `last_key`, `last_id`,
 * `rows`, `total`, and first and last of each further sort key. Rows are found by an index in sort order (keyset position, or offset from the nearer end when the
 * total is known), then turned into JSON by PostgreSQL.
 *
 * @param knownTotal the total when it was read before; null to read it here
 * @param found what a search found, its total among it
 * @param stamped whether there is one more column, before those of further keys: `stamp`, as `stampStatement` has it
 */
export function listStatement(
  resource: Resource,
  plan: ListPlan,
  workspaceId: number,
  scope: Scope,
  knownTotal: number | null,
  found?: Found,
  stamped = false,
): Statement {
  const parameters = new Parameters(workspaceId);
  const page = pageOrder(plan, knownTotal);
  const shown = stamped ? `${JSON_TEXT}, ${STAMPED}` : JSON_TEXT;
  const rows = pageRows(resource, plan, page, scope, parameters, knownTotal, found, shown);
  // Of what a search found, in a parameter: searches that find different numbers have one statement.
  const known = (): string => (found ? `${parameters.bind(knownTotal)}::bigint` : String(knownTotal));
  const isGathered = isSoonerGathered(resource, plan, knownTotal);
  const isRead = knownTotal === null || (isGathered && page.keyset);
  // All of what is gathered is counted on the way: the total is of the moment of the page.
  const told = (): string => (isGathered ? `coalesce(max(x.gathered), ${known()})` : known());
  const total = isRead ? `(${totalExpression(resource, plan, parameters, scope)})` : told();
  const template = pageTemplate(plan, rows, total, stamped);
  const isSettled =
    isOfNamed(resource, plan, found) || (found?.few === null && isInOrderOfWords(resource, plan, scope));
  const unnamed = page.offset > PREPARED_OFFSET || isGathered || !(isCommon(resource, plan) || isSettled);
  // One record beside each is little to read; of relations to many nobody knows how much.
  const isLittle = plan.selection.expand.every((name) => 'one' in (resource.expand[name] ?? {}));
  const quick = !unnamed && !found && isLittle;
  return { ...render(resource, plan.selection, template, parameters), quick, unnamed, settled: isSettled };
}

/** The columns of a page, of its rows and the SQL of its total. */
export function pageTemplate(plan: ListPlan, rows: string, total: string, stamped = false): string {
  const order = rowOrder(plan);
  const at = (value: string, index: string): string => `(array_agg(${value} ${order}))[${index}]`;
  const edge = (index: string): string => `${at('x.k::text', index)}, ${at('x.id', index)}`;
  const more = plan.further.map((_, index) => {
    const key = `x.${keyName(index + 1)}::text`;
    return `, ${at(key, '1')}, ${at(key, 'count(*)')}`;
  });
  return `SELECT '[' || coalesce(string_agg(x.j, ',' ${order}), '') || ']', ${edge('1')}, ${edge('count(*)')}, count(*), ${total}${stamped ? `, ${stamps(order)}` : ''}${more.join('')} FROM (${rows}) x`;
}

/** Whether the rows of a page can have stamps: as they are in the table, without others, few, and of a statement that is one of few. */
export function isStampable({ listed }: Resource, plan: ListPlan, { quick }: Statement): boolean {
  const isPlain = listed === undefined && plan.selection.expand.length === 0;
  return quick === true && isPlain && pageOrder(plan, null).offset === 0;
}

/**
 * What tells whether a page is what it was, in its order: columns `stamp`, `total`. Of a page whose statement `isStampable`, with the
 * same parameters.
 */
export function stampStatement(resource: Resource, plan: ListPlan, workspaceId: number, scope: Scope): Statement {
  const parameters = new Parameters(workspaceId);
  const rows = pageRows(resource, plan, pageOrder(plan, null), scope, parameters, null, undefined, STAMPED);
  const total = totalExpression(resource, plan, parameters, scope);
  return { ...render(resource, plan.selection, stampTemplate(plan, rows, `(${total})`), parameters), quick: true };
}

/** The columns of `stampStatement`, of its rows and the SQL of the total. */
export function stampTemplate(plan: ListPlan, rows: string, total: string): string {
  return `SELECT ${stamps(rowOrder(plan))}, ${total} FROM (${rows}) x`;
}

const stamps = (order: string): string => `coalesce(string_agg(x.v, ';' ${order}), '')`;

/** ORDER BY of such rows. */
const rowOrder = (plan: ListPlan): string =>
  `ORDER BY ${orderBy(plan, false, (_, index) => `x.${keyName(index)}`, 'x.id')}`;

/**
 * The records behind the plan's position, in order: columns `json`, `id`, and the sort keys, a row for each. As many as the plan wants,
 * or fewer when their texts come to more characters than `most`, but at least one, if there is any.
 */
export function rowsStatement(
  resource: Resource,
  plan: ListPlan,
  workspaceId: number,
  scope: Scope,
  most: number,
  found?: Found,
): Statement {
  const parameters = new Parameters(workspaceId);
  const rows = pageRows(resource, plan, pageOrder(plan, null), scope, parameters, null, found);
  const order = rowOrder(plan);
  const keys = sortKeys(plan).map((_, index) => `x.${keyName(index)}::text`);
  const template = `SELECT x.j, x.id, ${keys.join(', ')}
    FROM (SELECT x.*, sum(length(x.j)) OVER (${order} ROWS UNBOUNDED PRECEDING) - length(x.j) AS before FROM (${rows}) x) x
    WHERE x.before < ${most} ${order}`;
  return { ...render(resource, plan.selection, template, parameters), unnamed: !isCommon(resource, plan) };
}

/** Whether the page among the few that a search found is one of few statements: the order of the work is laid down, and planning it took longer than most of them. */
function isOfNamed({ counters }: Resource, plan: ListPlan, found: Found | undefined): boolean {
  const { seen, filters, further, sort } = plan;
  const isUsual = filters.every(({ name }) => counters?.includes(name));
  return Boolean(found?.few) && seen === null && isUsual && further.length === 0 && sort.spec.expression === undefined;
}

/**
 * Rows `id`, `k` (sort key; `k1`, `k2` further ones), `j` (JSON text) of a page; what a search finds is read from the table, under row-level
 * security.
 *
 * @param shown what a row has in place of `j`, where its statement `isStampable`
 */
function pageRows(
  resource: Resource,
  plan: ListPlan,
  page: PageOrder,
  scope: Scope,
  parameters: Parameters,
  knownTotal: number | null,
  found?: Found,
  shown = JSON_TEXT,
): string {
  const { from, conditions: all } = found
    ? foundPlace(resource, plan, found, scope, parameters)
    : placeOf(resource, plan, scope, parameters);
  const keys = sortKeys(plan);
  const columns = ['s.id', ...keys.map((key, index) => `${keyExpression(key)} AS ${keyName(index)}`)].join(', ');
  // The few that a search has named, or that filters leave, are sorted in one go.
  const isGathered = isSoonerGathered(resource, plan, knownTotal);
  const isSortedWhole = isGathered || Boolean(found?.few) || isSoonerSorted(plan, page, knownTotal);
  const rows = (list: string, source: string, of = plan, conditions = all): string => {
    const halved = isSortedWhole
      ? null
      : pageOfHalves(of, page, parameters, { columns: list, from: source, conditions });
    if (halved !== null) return halved;
    const behind = keysetConditions(plan, page, parameters);
    const filter = (of: readonly string[]): string => (of.length > 0 ? `WHERE ${of.join(' AND ')}` : '');
    const end = `ORDER BY ${scanOrder(plan, page)} ${slice(page)}`;
    // Behind OFFSET 0 the planner cannot go through all rows in order instead, in the hope to meet these few soon; nor from a position on.
    if (isGathered)
      return `SELECT ${list}, count(*) OVER () AS gathered FROM (SELECT s.* FROM ${source} ${filter(conditions)} OFFSET 0) s ${filter(behind)} ${end}`;
    return `SELECT ${list} FROM ${source} ${filter([...conditions, ...behind])} ${end}`;
  };
  if (from === `${resource.table} s` && page.offset === 0 && !isGathered)
    return rows(`${columns}, ${shown}`, shown === STAMPED ? from : `${from} ${recordJoin('s')}`);
  const list = `s.workspace_id, ${columns}`;
  // By the ids of what filters leave out where these are few, otherwise by the filters.
  const besides = (left: LeftOut): string => {
    const others = { ...plan, filters: left.others };
    const { conditions } = placeOf(resource, others, scope, parameters);
    const names = ['workspace_id', 'id', ...keys.map((_, index) => keyName(index))].join(', ');
    const byIds = rows(list, from, others, [...conditions, left.condition, left.isWhole]);
    const byFilters = rows(list, from, plan, [...all, `NOT (${left.isWhole})`]);
    return `WITH ${left.item} SELECT ${names} FROM (${byIds}) f UNION ALL SELECT ${names} FROM (${byFilters}) f`;
  };
  const left = found ? null : leftOutOfPage(resource, plan, knownTotal, parameters);
  const ids = left ? besides(left) : rows(list, from);
  const sortedBy = keys.map((_, index) => `i.${keyName(index)}`).join(', ');
  const counted = isGathered ? ', i.gathered' : '';
  return `SELECT i.id, ${sortedBy}${counted}, ${JSON_TEXT} FROM (${ids}) i CROSS JOIN LATERAL ${rowOf(resource, 'i')} t ${recordJoin('t')}`;
}
