import { workspacePredicate } from '../../database/database';
import type { Statement } from '../../postgres/statement-batch';
import { equalityValues } from '../../query/filters';
import { isAbsence, isCommon } from './gathering';
import { leavingOut, leftOut } from './left-out';
import type { ActiveFilter, ListPlan } from './list-query';
import { Parameters } from '../../database/parameters';
import type { Resource } from '../resource';
import { filled } from './sight';

/** A condition that a service adds to a list, e.g. the ticket of its comments. Columns are trusted names. */
export type Scope = Readonly<Record<string, number | string | undefined>>;

/** The same of one kind of records. */
export type ScopeOf<E> = { readonly [Name in keyof E & string]?: number | string };

export function scopeConditions(scope: Scope, parameters: Parameters, alias: string): string[] {
  return Object.entries(scope).map(([column, value]) => `${alias}.${column} = ${parameters.bind(value)}`);
}

/** FROM item with the rows of a list (`s`), and the conditions on them. */
export interface Place {
  from: string;
  conditions: string[];
}

/** Conditions of what the caller sees, scope and filters, over `s`. */
export function rowConditions(plan: ListPlan, scope: Scope, parameters: Parameters): string[] {
  return [
    ...scopeConditions(scope, parameters, 's'),
    ...plan.filters.map((filter) => filter.spec.sql('s', filter.value, parameters.bind)),
    ...(plan.seen === null ? [] : [plan.seen]),
  ];
}

/** The table, or the search view when a condition is not leakproof and would otherwise find no index under row-level security. */
export function rowSource({ search, table, listed }: Resource, { filters }: ListPlan): string {
  return search && filters.some((filter) => filter.spec.leaky) ? search.view : (listed ?? table);
}

/**
 * LATERAL item: the row that `of` names by `workspace_id` and `id`, if it meets the conditions on `s`. The workspace comes from a
 * column, behind OFFSET 0: of a constant that its statistics do not know yet, PostgreSQL takes the workspace for empty, and then
 * reads all of it for each row instead of looking the row up.
 */
export function rowOf(
  { table }: Pick<Resource, 'table'>,
  of: string,
  conditions: readonly string[] = [],
  columns = 's.*',
): string {
  const where = [`s.workspace_id = ${of}.workspace_id`, `s.id = ${of}.id`, ...conditions];
  return `(SELECT ${columns} FROM ${table} s WHERE ${where.join(' AND ')} OFFSET 0)`;
}

/** Where a list looks for its rows that is no search, or whose area tells itself what its search finds. */
export function placeOf(resource: Resource, plan: ListPlan, scope: Scope, parameters: Parameters): Place {
  const found = plan.search && resource.search?.found?.(plan.search, parameters.bind);
  return {
    from: `${found ?? rowSource(resource, plan)} s`,
    conditions: [workspacePredicate.of('s.workspace_id', '$1'), ...rowConditions(plan, scope, parameters)],
  };
}

/** The exact number of records that match, alone: needed first when the offset is deep. @param fewWithin as of `LeftOut` */
export function totalStatement(
  resource: Resource,
  plan: ListPlan,
  workspaceId: number,
  scope: Scope,
  fewWithin?: number,
): Statement {
  const parameters = new Parameters(workspaceId);
  return filled({
    text: `SELECT (${totalExpression(resource, plan, parameters, scope, fewWithin)})`,
    values: parameters.values,
    unnamed: plan.search !== null || plan.filters.length > 0,
  });
}

/** SQL of the total: from the counters when they know every filter, otherwise by counting what the filters leave. */
export function totalExpression(
  resource: Resource,
  plan: ListPlan,
  parameters: Parameters,
  scope: Scope,
  fewWithin?: number,
): string {
  const { counters } = resource;
  if (counters && isCounted(counters, plan, scope)) return counterExpression(resource.name, counters, plan, parameters);
  const byLeftOut = counters && leftOutTotal(resource, counters, plan, parameters, scope, fewWithin);
  if (byLeftOut) return byLeftOut;
  const { from, conditions } = placeOf(resource, plan, scope, parameters);
  return `SELECT count(*) FROM ${from} WHERE ${conditions.join(' AND ')}`;
}

/** The same where filters may leave out next to nothing, and what they leave out is sooner counted; null where that does not help. */
function leftOutTotal(
  resource: Resource,
  counters: readonly string[],
  plan: ListPlan,
  parameters: Parameters,
  scope: Scope,
  fewWithin: number | undefined,
): string | null {
  const leaving = leavingOut(resource, plan);
  const others = { ...plan, filters: plan.filters.filter((filter) => !leaving.includes(filter)) };
  const isTold = isCounted(counters, others, scope);
  // One filter more has an index, from which alone its ids are read.
  if (!isTold && (others.filters.length > 1 || plan.seen !== null || Object.keys(scope).length > 0)) return null;
  const [only] = leaving;
  if (isTold && only && leaving.length === 1 && isAbsence(only)) {
    // Records without a value are all but those with one, however many.
    const { from, conditions } = placeOf(resource, others, scope, parameters);
    const isThere = `NOT (${only.spec.sql('s', only.value, parameters.bind)})`;
    const told = counterExpression(resource.name, counters, others, parameters);
    return `SELECT (${told}) - (SELECT count(*) FROM ${from} WHERE ${[...conditions, isThere].join(' AND ')})`;
  }
  const left = leftOut(resource, plan, parameters);
  if (!left) return null;
  const { from, conditions } = placeOf(resource, others, scope, parameters);
  const count = (more: string): string => `SELECT count(*) FROM ${from} WHERE ${[...conditions, more].join(' AND ')}`;
  const all = leaving.map((filter) => filter.spec.sql('s', filter.value, parameters.bind)).join(' AND ');
  const isAlone = others.filters.length === 0;
  const out = (): string =>
    isAlone ? 'SELECT count(DISTINCT id) FROM left_out' : count(`(${left.out().join(' OR ')})`);
  const few = isTold
    ? `(${counterExpression(resource.name, counters, others, parameters)}) - (${out()})`
    : `(${count(left.condition)})`;
  return `WITH ${left.item} SELECT CASE WHEN ${left.isWorthIt(fewWithin)} AND ${left.isWhole} THEN ${few} ELSE (${count(all)}) END`;
}

/** Whether a list has a statement that is one of few, and counters its total. */
export function isToldByCounters(resource: Resource, plan: ListPlan, scope: Scope): boolean {
  return resource.counters !== null && isCommon(resource, plan) && isCounted(resource.counters, plan, scope);
}

/** Whether counters know the total of a list. */
export function isCounted(counters: readonly string[], plan: ListPlan, scope: Scope): boolean {
  const scoped = Object.keys(scope).length > 0;
  return (
    !scoped &&
    plan.seen === null &&
    plan.search === null &&
    plan.filters.every((filter) => counters.includes(filter.name))
  );
}

/** What was folded (one lookup, '*' = any) plus what was written since. */
function counterExpression(name: string, counters: readonly string[], plan: ListPlan, parameters: Parameters): string {
  const wanted = counters.map((dimension) => plan.filters.find((filter) => filter.name === dimension));
  const values = wanted.map((filter) => (filter ? dimensionValues(filter, parameters) : null));
  const common = [workspacePredicate.of('workspace_id', '$1'), `resource = ${parameters.bind(name)}`];
  const fresh = values.flatMap((value, index) => (value === null ? [] : [`d${index + 1} ${value}`]));
  const folded = [0, 1, 2].map((index) => `d${index + 1} ${values[index] ?? `= '*'`}`);
  const sum = (table: string, conditions: readonly string[]): string =>
    `coalesce((SELECT sum(n) FROM ${table} WHERE ${[...common, ...conditions].join(' AND ')}), 0)`;
  return `SELECT ${sum('resource_tallies', folded)} + ${sum('resource_tally_deltas', fresh)}`;
}

function dimensionValues(filter: ActiveFilter, parameters: Parameters): string {
  const values = equalityValues(filter.value).map((value) => (value === null ? '' : String(value as string | number)));
  return values.length === 1 ? `= ${parameters.bind(values[0])}` : `= ANY(${parameters.bind(values)}::text[])`;
}
