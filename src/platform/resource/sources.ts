import { workspacePredicate } from '../database/database';
import type { Scope } from './where';
import type { ListPlan } from './list-query';
import type { Parameters } from './parameters';
import type { Resource } from './resource';

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
