import { workspacePredicate } from '../../database/database';
import type { Statement } from '../../postgres/statement-batch';
import { listConditions, type Scope, searchesTexts, sourceOf } from './where';
import { equalityValues } from '../../query/filters';
import type { ActiveFilter, ListPlan } from './list-query';
import { Parameters } from '../parameters';
import type { Resource } from '../resource';

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
  const source = searchesTexts(resource, plan, scope)
    ? (resource.search?.texts ?? resource.table)
    : sourceOf(resource, plan, parameters);
  return `SELECT count(*) FROM ${source} s WHERE ${listConditions(resource, plan, parameters, scope, 's').join(' AND ')}`;
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
