import { LRUCache } from 'lru-cache';
import type { Sight } from '../../context/principal';
import { workspacePredicate } from '../../database/database';
import { CUSTOM_FIELDS } from '../../fields/field-definition';
import { type Statement, statementName } from '../../postgres/statement-batch';
import type { ListPlan } from './list-query';
import {
  keyExpression,
  keysetConditions,
  orderBy,
  type PageOrder,
  pageOrder,
  scanOrder,
  slice,
  sortKeys,
} from './page-order';
import { pageOfHalves } from './halves';
import { timestampText } from '../../columns/column-spec';
import { Parameters } from '../../database/parameters';
import { type Resource, resourceIfAny, selectList, shownExpression } from '../resource';
import { type Found, foundPlace } from './search-plan';
import type { Selection } from './selection';
import { isReadable, markValues, seenRows, withMarks } from './sight';
import { placeOf, rowOf, type Scope, scopeConditions, totalExpression } from './where';

/** Select list of a record as the client asked for it, over `alias`. */
function recordSelect(resource: Resource, selection: Selection, alias: string): string {
  const { fields, keys, expand, sight } = selection;
  const columns = fields.map((name) =>
    name === CUSTOM_FIELDS && keys !== null
      ? `${partOf(shownExpression(resource, name, alias, sight), keys)} AS ${name}`
      : selectList(resource, [name], alias, sight),
  );
  return [...columns, ...expand.map((name) => relationColumns(resource, name, alias, sight))].join(', ');
}

/** Those of the members of an object (jsonb) that it has. @param keys words, as keys of custom fields are */
function partOf(object: string, keys: readonly string[]): string {
  return `jsonb_strip_nulls(jsonb_build_object(${keys.map((key) => `'${key}', ${object} -> '${key}'`).join(', ')}))`;
}

/**
 * Select-list items for one relation of `resource`, as correlated sub-selects inside the same statement: constant
 * number of statements whatever the page size. A capped to-many relation also yields `<name>_truncated`.
 */
function relationColumns(resource: Resource, name: string, alias: string, sight: Sight | null): string {
  const relation = resource.expand[name];
  if (!relation) throw new Error(`${resource.name} has no relation "${name}".`);
  if ('sql' in relation) {
    const shown = relation.of && resourceIfAny(relation.of.resource);
    return `(${relation.of && shown && !isReadable(shown, sight) ? relation.of.hidden : relation.sql(alias)}) AS ${name}`;
  }
  const target = resourceIfAny('one' in relation ? relation.one : relation.many);
  if (!target) return `NULL AS ${name}`;
  const list = selectList(
    target,
    target.columns.map((column) => column.name),
    'x',
    sight,
  );
  const seen = isReadable(target, sight) ? seenRows(target, 'x', sight) : 'false';
  const andSeen = seen === null ? '' : ` AND ${seen}`;
  if ('one' in relation) {
    return `(SELECT row_to_json(e) FROM (SELECT ${list} FROM ${target.table} x WHERE x.workspace_id = ${alias}.workspace_id AND x.id = ${alias}.${relation.by}${andSeen}) e) AS ${name}`;
  }
  const filter = [
    `x.workspace_id = ${alias}.workspace_id`,
    `x.${relation.by} = ${alias}.id`,
    ...(relation.where ? [relation.where('x')] : []),
    ...(seen === null ? [] : [seen]),
  ].join(' AND ');
  const newest = `SELECT ${list}, x.${relation.order} AS sort_key FROM ${target.table} x WHERE ${filter} ORDER BY x.${relation.order} DESC, x.id DESC LIMIT ${relation.limit}`;
  const fields = target.columns.map((column) => `n.${column.name}`).join(', ');
  return (
    `(SELECT coalesce(json_agg(row_to_json(e)), '[]'::json) FROM (SELECT ${fields} FROM (${newest}) n ORDER BY n.sort_key, n.id) e) AS ${name}, ` +
    `(SELECT count(*) > ${relation.limit} FROM (SELECT 1 FROM ${target.table} x WHERE ${filter} LIMIT ${relation.limit + 1}) c) AS ${name}_truncated`
  );
}

/** So many rows are sooner sorted than found in two halves of an index, far down a filtered list. */
const FEW = 50_000;

const RECORD_JOIN = /\{record ([a-z])\}/g;
const MAX_TEXTS = 300;
const texts = new WeakMap<Selection, LRUCache<string, NamedText>>();

/**
 * The version of the row `s` (`xmin`: which transaction wrote it), and what of the record is not in the row as it is shown: computed
 * columns, those that depend on the clock or on who asks. Without relations.
 */
function stampOf(resource: Resource, { fields, sight }: Selection): string {
  const shown = fields.map((name) => ({ own: `s.${name}`, expression: shownExpression(resource, name, 's', sight) }));
  const made = shown.filter(({ own, expression }) => expression !== own && expression !== timestampText(own));
  return `(s.id, s.xmin${made.map(({ expression }) => `, ${expression}`).join('')})::text`;
}

interface NamedText {
  text: string;
  name: string;
  /** What of the caller comes behind the other parameters. */
  marks: ReturnType<typeof withMarks>['marks'];
}

/** Stands for the join that yields the record as `r` over `alias`; `render` puts it in. */
const recordJoin = (alias: string): string => `{record ${alias}}`;
/** Stands for what tells whether the text of the row `s` is what it was. */
const STAMP = '{stamp}';
const JSON_TEXT = 'row_to_json(r)::text AS j';
const STAMPED = `${STAMP} AS v`;
/** Rows that a page may skip and still be prepared: the few pages behind the first are asked for often; of all others there are too many. */
const PREPARED_OFFSET = 100;

/**
 * The complete text of a statement, its name and its parameters. What a template becomes depends on the selection alone, so the long
 * part (the select list) is put together once per template and selection, not once per request.
 */
function render(
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
      .replaceAll(STAMP, () => stampOf(resource, selection));
    const { text, marks } = withMarks(whole, values.length);
    rendered = { text, name: statementName(text), marks };
    known.set(template, rendered);
  }
  const { text, name, marks } = rendered;
  return { text, name, values: marks.length === 0 ? values : [...values, ...markValues(marks)] };
}

/** One record by id: columns `body`, `version`. @param seen condition over `t` of what the caller sees; null = all */
export function readStatement(
  resource: Resource,
  selection: Selection,
  workspaceId: number,
  id: number,
  seen: string | null,
  scope: Scope = {},
): Statement {
  const parameters = new Parameters(workspaceId);
  const conditions = [
    workspacePredicate.of('t.workspace_id', '$1'),
    `t.id = ${parameters.bind(id)}`,
    ...scopeConditions(scope, parameters, 't'),
    ...(seen === null ? [] : [seen]),
  ];
  const template = `SELECT row_to_json(r)::text AS json, t.version FROM ${resource.table} t ${recordJoin('t')} WHERE ${conditions.join(' AND ')}`;
  return { ...render(resource, selection, template, parameters), quick: true };
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
  // Of what a search named, in a parameter: searches that find different numbers have one statement.
  const known = found?.ids ? `${parameters.bind(knownTotal)}::bigint` : String(knownTotal);
  const total = knownTotal === null ? `(${totalExpression(resource, plan, parameters, scope)})` : known;
  const order = rowOrder(plan);
  const at = (value: string, index: string): string => `(array_agg(${value} ${order}))[${index}]`;
  const edge = (index: string): string => `${at('x.k::text', index)}, ${at('x.id', index)}`;
  const more = plan.further.map((_, index) => {
    const key = `x.${keyName(index + 1)}::text`;
    return `, ${at(key, '1')}, ${at(key, 'count(*)')}`;
  });
  const template = `SELECT '[' || coalesce(string_agg(x.j, ',' ${order}), '') || ']', ${edge('1')}, ${edge('count(*)')}, count(*), ${total}${stamped ? `, ${stamps(order)}` : ''}${more.join('')} FROM (${rows}) x`;
  const unnamed = page.offset > PREPARED_OFFSET || !(isCommon(resource, plan) || isOfNamed(plan, found));
  const quick = !unnamed && !found && plan.selection.expand.length === 0;
  return { ...render(resource, plan.selection, template, parameters), quick, unnamed };
}

/** Whether the rows of a page can have stamps: as they are in the table, few, and of a statement that is one of few. */
export function isStampable({ listed }: Resource, plan: ListPlan, { quick }: Statement): boolean {
  return quick === true && listed === undefined && pageOrder(plan, null).offset === 0;
}

/**
 * What tells whether a page is what it was, in its order: columns `stamp`, `total`. Of a page whose statement `isStampable`, with the
 * same parameters.
 */
export function stampStatement(resource: Resource, plan: ListPlan, workspaceId: number, scope: Scope): Statement {
  const parameters = new Parameters(workspaceId);
  const rows = pageRows(resource, plan, pageOrder(plan, null), scope, parameters, null, undefined, STAMPED);
  const total = totalExpression(resource, plan, parameters, scope);
  const template = `SELECT ${stamps(rowOrder(plan))}, (${total}) FROM (${rows}) x`;
  return { ...render(resource, plan.selection, template, parameters), quick: true };
}

const stamps = (order: string): string => `coalesce(string_agg(x.v, ';' ${order}), '')`;

/** What the rows of a page call a sort key, by its place. */
const keyName = (index: number): string => (index === 0 ? 'k' : `k${index}`);

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

/** Whether the statement is one of few: those of other filters and sorts are planned for their values. */
function isCommon({ counters }: Resource, { search, seen, filters, further, sort }: ListPlan): boolean {
  const isPlain = search === null && seen === null && further.length === 0 && sort.spec.expression === undefined;
  return isPlain && filters.every(({ name }) => counters?.includes(name) === true);
}

/** The same of a page among the ids that a search found: the order of the work is laid down, and planning it took longer than most of them. */
function isOfNamed({ seen, filters, further, sort }: ListPlan, found: Found | undefined): boolean {
  const isPlain = seen === null && filters.length === 0 && further.length === 0 && sort.spec.expression === undefined;
  return isPlain && Boolean(found?.ids);
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
  const { from, conditions } = found
    ? foundPlace(resource, plan, found, scope, parameters)
    : placeOf(resource, plan, scope, parameters);
  const keys = sortKeys(plan);
  const columns = ['s.id', ...keys.map((key, index) => `${keyExpression(key)} AS ${keyName(index)}`)].join(', ');
  // The few that a search has named, or that filters with an index leave, are sorted in one go.
  const { filters } = plan;
  const isIndexed = filters.length > 0 && filters.every(({ spec, value }) => spec.isAbsence?.(value) !== true);
  const isFew = page.offset > 0 && isIndexed && knownTotal !== null && knownTotal <= FEW;
  const isSortedWhole = isFew || Boolean(found?.ids);
  const rows = (list: string, source: string): string => {
    const halved = isSortedWhole
      ? null
      : pageOfHalves(plan, page, parameters, { columns: list, from: source, conditions });
    if (halved !== null) return halved;
    const where = [...conditions, ...keysetConditions(plan, page, parameters)];
    const filter = where.length > 0 ? `WHERE ${where.join(' AND ')}` : '';
    return `SELECT ${list} FROM ${source} ${filter} ORDER BY ${scanOrder(plan, page)} ${slice(page)}`;
  };
  if (from === `${resource.table} s` && page.offset === 0)
    return rows(`${columns}, ${shown}`, shown === STAMPED ? from : `${from} ${recordJoin('s')}`);
  const ids = rows(`s.workspace_id, ${columns}`, from);
  const sortedBy = keys.map((_, index) => `i.${keyName(index)}`).join(', ');
  return `SELECT i.id, ${sortedBy}, ${JSON_TEXT} FROM (${ids}) i CROSS JOIN LATERAL ${rowOf(resource, 'i')} t ${recordJoin('t')}`;
}
