import type { Statement } from '../database/statement-batch';
import { workspacePredicate } from '../database/database';
import { equalityValues } from './filters';
import type { ActiveFilter, ListPlan } from './list-query';
import { relationColumns } from './expand';
import { type Resource, selectList } from './resource';
import type { Selection } from './selection';

/** A condition that a service adds to a list, e.g. the ticket of its comments. Columns are trusted names. */
export type Scope = Readonly<Record<string, number | string>>;

/** Collects parameters; `$1` is always the workspace. */
class Parameters {
  readonly values: unknown[];

  constructor(workspaceId: number) {
    this.values = [workspaceId];
  }

  readonly bind = (value: unknown): string => `$${this.values.push(value)}`;
}

/** SQL of one record as JSON text: the select list of `selection` over `alias`, as column `body` of each row. */
export function recordSelect(resource: Resource, selection: Selection, alias: string): string {
  const relations = selection.expand.map((name) => relationColumns(resource, name, alias));
  return [selectList(resource, selection.fields, alias), ...relations].filter((part) => part !== '').join(', ');
}

/** One record by id: columns `body`, `version`. */
export function readStatement(
  resource: Resource,
  selection: Selection,
  workspaceId: number,
  id: number,
  scope: Scope = {},
): Statement {
  const parameters = new Parameters(workspaceId);
  const conditions = [
    workspacePredicate.of('t.workspace_id', '$1'),
    `t.id = ${parameters.bind(id)}`,
    ...scopeConditions(scope, parameters),
  ];
  return {
    text: `SELECT row_to_json(r)::text, t.version FROM ${resource.table} t CROSS JOIN LATERAL (SELECT ${recordSelect(resource, selection, 't')}) r WHERE ${conditions.join(' AND ')}`,
    values: parameters.values,
  };
}

/**
 * A page of a list in one statement: columns `json` (array text), `first_key`, `first_id`, `last_key`, `last_id`,
 * `total`. Rows are found by an index in sort order (keyset position, or offset from the nearer end when `total` is
 * known), then turned into JSON by PostgreSQL.
 */
export function listStatement(
  resource: Resource,
  plan: ListPlan,
  workspaceId: number,
  scope: Scope,
  knownTotal: number | null,
): Statement {
  const parameters = new Parameters(workspaceId);
  const conditions = listConditions(plan, parameters, scope);
  const total = knownTotal === null ? `(${totalExpression(resource, plan, parameters, scope)})` : String(knownTotal);
  const page = pageOrder(plan, knownTotal);
  const keyset = page.position ? [positionCondition(plan, parameters, page.reversed)] : [];
  const key = sortKey(plan);
  const forward = plan.sort.descending ? 'DESC' : 'ASC';
  const scan = page.reversed === plan.sort.descending ? 'ASC' : 'DESC';
  const source = plan.terms.length ? resource.search?.view : resource.table;
  const ids = `SELECT s.id, ${key} AS k FROM ${source ?? resource.table} s WHERE ${[...conditions, ...keyset].join(' AND ')} ORDER BY ${key} ${scan}, s.id ${scan} LIMIT ${page.limit}${page.offset > 0 ? ` OFFSET ${page.offset}` : ''}`;
  const direct = plan.terms.length === 0 && page.offset === 0;
  const rows = direct
    ? `SELECT s.id, ${key} AS k, row_to_json(r)::text AS j FROM ${resource.table} s CROSS JOIN LATERAL (SELECT ${recordSelect(resource, plan.selection, 's')}) r WHERE ${[...conditions, ...keyset].join(' AND ')} ORDER BY ${key} ${scan}, s.id ${scan} LIMIT ${page.limit}`
    : `SELECT i.id, i.k, row_to_json(r)::text AS j FROM (${ids}) i JOIN ${resource.table} t ON t.id = i.id AND ${workspacePredicate.of('t.workspace_id', '$1')} CROSS JOIN LATERAL (SELECT ${recordSelect(resource, plan.selection, 't')}) r`;
  const order = `ORDER BY x.k ${forward}, x.id ${forward}`;
  return {
    text: `SELECT '[' || coalesce(string_agg(x.j, ',' ${order}), '') || ']', (array_agg(x.k::text ${order}))[1], (array_agg(x.id ${order}))[1], (array_agg(x.k::text ${order}))[count(*)], (array_agg(x.id ${order}))[count(*)], ${total} FROM (${rows}) x`,
    values: parameters.values,
    unnamed:
      plan.terms.length > 0 || page.offset > 0 || plan.filters.some((filter) => !resource.tally?.includes(filter.name)),
  };
}

/** The exact number of records that match, alone: needed first when the offset is deep. */
export function totalStatement(resource: Resource, plan: ListPlan, workspaceId: number, scope: Scope): Statement {
  const parameters = new Parameters(workspaceId);
  return {
    text: `SELECT (${totalExpression(resource, plan, parameters, scope)})`,
    values: parameters.values,
    unnamed: plan.terms.length > 0 || plan.filters.length > 0,
  };
}

function listConditions(plan: ListPlan, parameters: Parameters, scope: Scope): string[] {
  return [
    workspacePredicate.of('s.workspace_id', '$1'),
    ...scopeConditions(scope, parameters, 's'),
    ...plan.filters.map((filter) => filter.spec.sql('s', filter.value, parameters.bind)),
    ...plan.terms.map((term) => `s.search_text LIKE lower(${parameters.bind(`%${escapeLike(term)}%`)}::text)`),
  ];
}

function scopeConditions(scope: Scope, parameters: Parameters, alias = 't'): string[] {
  return Object.entries(scope).map(([column, value]) => `${alias}.${column} = ${parameters.bind(value)}`);
}

/** `%`, `_` and `\` match themselves. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** Totals come from the tallies when every filter is tallied; otherwise from counting what the filters leave. */
function totalExpression(resource: Resource, plan: ListPlan, parameters: Parameters, scope: Scope): string {
  const tally = resource.tally;
  const tallied =
    tally &&
    plan.terms.length === 0 &&
    Object.keys(scope).length === 0 &&
    plan.filters.every((filter) => tally.includes(filter.name));
  if (!tallied) {
    const source = plan.terms.length ? resource.search?.view : resource.table;
    return `SELECT count(*) FROM ${source ?? resource.table} s WHERE ${listConditions(plan, parameters, scope).join(' AND ')}`;
  }
  const name = parameters.bind(resource.name);
  const wanted = tally.map((dimension) => plan.filters.find((filter) => filter.name === dimension));
  const folded = wanted.map((filter, index) => dimensionCondition(index, filter, parameters, `= '*'`));
  const fresh = wanted
    .map((filter, index) => dimensionCondition(index, filter, parameters, null))
    .filter((part) => part !== '');
  const workspace = workspacePredicate.of('workspace_id', '$1');
  const unused = [1, 2, 3].slice(tally.length).map((index) => `d${index} = '*'`);
  return `SELECT coalesce((SELECT sum(n) FROM resource_tallies WHERE ${[workspace, `resource = ${name}`, ...folded, ...unused].join(' AND ')}), 0) + coalesce((SELECT sum(n) FROM resource_tally_deltas WHERE ${[workspace, `resource = ${name}`, ...fresh].join(' AND ')}), 0)`;
}

function dimensionCondition(
  index: number,
  filter: ActiveFilter | undefined,
  parameters: Parameters,
  any: string | null,
): string {
  const column = `d${index + 1}`;
  if (!filter) return any === null ? '' : `${column} ${any}`;
  const values = equalityValues(filter.value).map((value) => (value === null ? '' : String(value as string | number)));
  return values.length === 1
    ? `${column} = ${parameters.bind(values[0])}`
    : `${column} = ANY(${parameters.bind(values)}::text[])`;
}

interface PageOrder {
  limit: number;
  offset: number;
  /** Scan against the sort order and turn the page round afterwards. */
  reversed: boolean;
  position: boolean;
}

/** Offset at which it pays to know the total first, so that the list can be scanned from its nearer end. */
export const DEEP_OFFSET = 1_000;

function pageOrder(plan: ListPlan, knownTotal: number | null): PageOrder {
  const { limit, offset, position } = plan;
  if (position) return { limit, offset: 0, reversed: position.direction === 'before', position: true };
  if (knownTotal !== null && offset >= knownTotal) return { limit: 0, offset: 0, reversed: false, position: false };
  if (knownTotal !== null && offset > knownTotal / 2) {
    const size = Math.min(limit, knownTotal - offset);
    return { limit: size, offset: knownTotal - offset - size, reversed: true, position: false };
  }
  return { limit, offset, reversed: false, position: false };
}

/**
 * The expression sorted by. Nullable columns are sorted by a never-null stand-in that puts nulls last, so that one index
 * and one row comparison serve ORDER BY and keyset positions.
 */
export function sortKey(plan: Pick<ListPlan, 'sort'>, alias = 's'): string {
  const { spec, descending } = plan.sort;
  const column = `${alias}.${spec.column}`;
  if (!spec.nullable) return column;
  return `coalesce(${column}, ${descending ? lowest[spec.type] : highest[spec.type]})`;
}

const highest = {
  timestamptz: `'infinity'::timestamptz`,
  date: `'infinity'::date`,
  bigint: '9223372036854775807',
  integer: '2147483647',
  text: `U&'\\+10FFFF'`,
};
const lowest = {
  timestamptz: `'-infinity'::timestamptz`,
  date: `'-infinity'::date`,
  bigint: '-9223372036854775808',
  integer: '-2147483648',
  text: `''`,
};

function positionCondition(plan: ListPlan, parameters: Parameters, reversed: boolean): string {
  const position = plan.position;
  if (!position) throw new Error('No position in this plan.');
  const operator = plan.sort.descending === reversed ? '>' : '<';
  return `(${sortKey(plan)}, s.id) ${operator} (${parameters.bind(position.key)}::${plan.sort.spec.type}, ${parameters.bind(position.id)}::bigint)`;
}
