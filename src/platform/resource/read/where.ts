import { currentWorkspaceId } from '../../context/current';
import { workspacePredicate } from '../../database/database';
import type { Statement } from '../../postgres/statement-batch';
import { equalityValues } from '../../query/filters';
import type { ActiveFilter, ListPlan } from './list-query';
import { Parameters } from '../../database/parameters';
import { lexemeQuery, lineCondition, sequenceConditions } from '../../search/matching';
import type { Term } from '../../search/terms';
import type { Resource, SearchSource } from '../resource';

/** A condition that a service adds to a list, e.g. the ticket of its comments. Columns are trusted names. */
export type Scope = Readonly<Record<string, number | string | undefined>>;

/** The same of one kind of records. */
export type ScopeOf<E> = { readonly [Name in keyof E & string]?: number | string };

export function scopeConditions(scope: Scope, parameters: Parameters, alias: string): string[] {
  return Object.entries(scope).map(([column, value]) => `${alias}.${column} = ${parameters.bind(value)}`);
}

/** Records found from which on a search goes through the list in its order instead of gathering all that the index finds. */
const MANY = 1_000;

/**
 * How a search looks for its page, by what it finds in all: few are gathered by the index of words and then sorted; many are met
 * soon when the list is gone through in its order, and each line of words is looked at. PostgreSQL could not tell: it knows
 * nothing of how often a beginning occurs.
 */
export function isByLine(plan: ListPlan, total: number | null): boolean {
  return plan.search !== null && total !== null && total >= MANY;
}

/** Every term is among the words of the record, as the index of its search view has them, or as its line of words tells. */
function termConditions(terms: readonly Term[], { bind }: Parameters, byLine: boolean): string[] {
  // Inside of CASE, PostgreSQL takes a condition for one that half of the rows meet: it then goes through the list in its order.
  if (byLine) return terms.map((term) => `CASE WHEN ${lineCondition(term, bind, 's.search_text')} THEN true END`);
  const words = `s.lexemes @@ ${bind(lexemeQuery(terms, currentWorkspaceId()))}::tsquery`;
  return [words, ...sequenceConditions(terms, bind, 's.search_text')];
}

/** Where the area wants a search to look; null without a search, and where it has no wish. */
export function searchSource(
  resource: Resource,
  { search, filters, sort }: ListPlan,
  scope: Scope,
  parameters: Parameters,
): SearchSource | null {
  if (!search) return null;
  const isPlain = filters.length === 0 && Object.keys(scope).length === 0;
  return resource.search?.source?.({ ...search, isPlain, sortedBy: sort.spec.column }, parameters.bind) ?? null;
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
  byLine = false,
): { from: string; conditions: string[] } {
  const source = searchSource(resource, plan, scope, parameters);
  const isLeaky = plan.search !== null || plan.filters.some((filter) => filter.spec.leaky);
  return {
    from: source?.from ?? (isLeaky && resource.search ? resource.search.view : resource.table),
    conditions: [
      workspacePredicate.of('s.workspace_id', '$1'),
      ...scopeConditions(scope, parameters, 's'),
      ...plan.filters.map((filter) => filter.spec.sql('s', filter.value, parameters.bind)),
      ...(!plan.search || source?.isFound ? [] : termConditions(plan.search.terms, parameters, byLine)),
    ],
  };
}

/** The exact number of records that match, alone: needed first when the offset is deep. */
export function totalStatement(resource: Resource, plan: ListPlan, workspaceId: number, scope: Scope): Statement {
  const parameters = new Parameters(workspaceId);
  return {
    text: `SELECT (${totalExpression(resource, plan, parameters, scope)})`,
    values: parameters.values,
    unnamed: plan.search !== null || plan.filters.length > 0,
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
  return !scoped && plan.search === null && plan.filters.every((filter) => counters.includes(filter.name));
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
