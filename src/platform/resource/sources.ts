import type { Scope } from './conditions';
import type { ListPlan } from './list-query';
import type { Resource } from './resource';

/**
 * Where a list looks for its rows: the table, or the search view when a condition is not leakproof and would otherwise
 * find no index under row-level security.
 */
export function sourceOf(resource: Resource, plan: ListPlan): string {
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
