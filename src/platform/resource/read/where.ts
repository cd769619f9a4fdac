import { workspacePredicate } from '../../database/database';
import type { ListPlan } from './list-query';
import type { Parameters } from '../parameters';
import type { Resource } from '../resource';

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
export function termConditions(terms: readonly string[], parameters: Parameters, alias: string): string[] {
  return terms.map((term) => `${alias}.search_text LIKE lower(${parameters.bind(`%${escapeLike(term)}%`)}::text)`);
}

/** All conditions of a list: workspace, scope, filters, and the search where its source has not answered it. */
export function listConditions(
  resource: Resource,
  plan: ListPlan,
  parameters: Parameters,
  scope: Scope,
  alias: string,
): string[] {
  return [
    workspacePredicate.of(`${alias}.workspace_id`, '$1'),
    ...scopeConditions(scope, parameters, alias),
    ...plan.filters.map((filter) => filter.spec.sql(alias, filter.value, parameters.bind)),
    ...(resource.search?.matches ? [] : termConditions(plan.terms, parameters, alias)),
  ];
}

/**
 * Where a list looks for its rows: the table, the search view when a condition is not leakproof and would otherwise find
 * no index under row-level security, or what a search of the resource's own finds.
 */
export function sourceOf(resource: Resource, plan: ListPlan, parameters: Parameters): string {
  if (plan.terms.length > 0 && resource.search?.matches) {
    const found = resource.search.matches(plan.terms, parameters.bind);
    return `(SELECT t.*, f.relevance FROM (${found}) f JOIN ${resource.table} t ON t.id = f.id AND ${workspacePredicate.of('t.workspace_id', '$1')})`;
  }
  const leaky = plan.terms.length > 0 || plan.filters.some((filter) => filter.spec.leaky);
  return leaky && resource.search ? resource.search.view : resource.table;
}

/** A search by words alone in the order of creation: the narrow text table answers it without the records. */
export function searchesTexts(resource: Resource, plan: ListPlan, scope: Scope): boolean {
  return (
    resource.search?.texts !== undefined &&
    plan.terms.length > 0 &&
    plan.filters.length === 0 &&
    Object.keys(scope).length === 0 &&
    plan.sort.spec.column === 'created_at'
  );
}
