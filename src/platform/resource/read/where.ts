import { workspacePredicate } from '../../database/database';
import type { Statement } from '../../postgres/statement-batch';
import { equalityValues } from '../../query/filters';
import type { ActiveFilter, ListPlan } from './list-query';
import { Parameters } from '../../database/parameters';
import type { Resource, SearchSource } from '../resource';

/** A condition that a service adds to a list, e.g. the ticket of its comments. Columns are trusted names. */
export type Scope = Readonly<Record<string, number | string>>;

/** `%`, `_` and `\` match themselves. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

export function scopeConditions(scope: Scope, parameters: Parameters, alias: string): string[] {
  return Object.entries(scope).map(([column, value]) => `${alias}.${column} = ${parameters.bind(value)}`);
}

/** Every term occurs in the search text. */
export function termConditions(terms: readonly string[], parameters: Parameters): string[] {
  return terms.map((term) => `s.search_text LIKE lower(${parameters.bind(`%${escapeLike(term)}%`)}::text)`);
}

/** Where the area wants a search to look; null without a search, and where it has no wish. */
export function searchSource(
  resource: Resource,
  { terms, filters, sort }: ListPlan,
  scope: Scope,
  parameters: Parameters,
): SearchSource | null {
  if (terms.length === 0) return null;
  const isPlain = filters.length === 0 && Object.keys(scope).length === 0;
  return resource.search?.source?.({ terms, isPlain, sortedBy: sort.spec.column }, parameters.bind) ?? null;
}

/**
 * Where a list looks for its rows (`s`), and on what conditions: workspace, scope, filters, terms. That is the table, or the
 * search view when a condition is not leakproof and would otherwise find no index under row-level security.
 */
export function placeOf(
  resource: Resource,
  plan: ListPlan,
  scope: Scope,
  parameters: Parameters,
): { from: string; conditions: string[] } {
  const source = searchSource(resource, plan, scope, parameters);
  const isLeaky = plan.terms.length > 0 || plan.filters.some((filter) => filter.spec.leaky);
  return {
    from: source?.from ?? (isLeaky && resource.search ? resource.search.view : resource.table),
    conditions: [
      workspacePredicate.of('s.workspace_id', '$1'),
      ...scopeConditions(scope, parameters, 's'),
      ...plan.filters.map((filter) => filter.spec.sql('s', filter.value, parameters.bind)),
      ...(source?.isFound ? [] : termConditions(plan.terms, parameters)),
    ],
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

/** SQL of the total: from the counters when they know every filter, otherwise by counting what the filters leave. */
export function totalExpression(resource: Resource, plan: ListPlan, parameters: Parameters, scope: Scope): string {
  const { counters } = resource;
  if (counters && isCounted(counters, plan, scope)) return counterExpression(resource.name, counters, plan, parameters);
  const { from, conditions } = placeOf(resource, plan, scope, parameters);
  return `SELECT count(*) FROM ${from} s WHERE ${conditions.join(' AND ')}`;
}

function isCounted(counters: readonly string[], plan: ListPlan, scope: Scope): boolean {
  const scoped = Object.keys(scope).length > 0;
  return !scoped && plan.terms.length === 0 && plan.filters.every((filter) => counters.includes(filter.name));
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
