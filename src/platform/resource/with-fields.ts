import { type FieldDefinition, FIELD_PREFIX, fieldPath } from '../fields/field-definition';
import { fieldFilter } from '../fields/field-filter';
import { fieldOrder, MAX_SORTED } from '../fields/field-sort';
import type { ListParams } from './read/list-answer';
import type { RawQuery } from './read/list-query';
import type { Resource, SortSpec } from './resource';

const made = new WeakMap<readonly FieldDefinition[], Map<Resource, Resource>>();

/**
 * The resource as a workspace has it: its lists filter and sort by the custom fields that are defined, and tables have a column
 * for each. The definitions are those of one `FieldBook`.
 */
export function withFields<E extends object>(
  resource: Resource<E>,
  definitions: readonly FieldDefinition[],
): Resource<E> {
  if (definitions.length === 0) return resource;
  const known = made.get(definitions) ?? new Map<Resource, Resource>();
  made.set(definitions, known);
  const widened = known.get(resource) ?? widen(resource, definitions);
  known.set(resource, widened);
  return widened as Resource<E>;
}

/** Whether custom fields can be defined for the records of a resource: for what people talk about. */
export function hasFields({ notice, column }: Resource): boolean {
  return notice !== null && column.has('custom_fields');
}

/** Whether a list asks for something that only the definitions of its workspace tell. */
export function namesFields({ query, table }: Pick<ListParams, 'query' | 'table'>): boolean {
  return (table ?? null) !== null || (query.sort?.includes(FIELD_PREFIX) ?? false) || filtersByFields(query);
}

function filtersByFields(query: RawQuery): boolean {
  for (const name in query) if (name.startsWith(FIELD_PREFIX)) return true;
  return false;
}

function widen(resource: Resource, definitions: readonly FieldDefinition[]): Resource {
  const filters = definitions.map((field) => [fieldPath(field), fieldFilter(field, resource.fields)] as const);
  const sorts = definitions.map((field): [string, SortSpec] => [
    fieldPath(field),
    { column: 'custom_fields', nullable: true, most: MAX_SORTED, ...fieldOrder(field) },
  ]);
  return {
    ...resource,
    filters: new Map([...resource.filters, ...filters]),
    sort: { ...resource.sort, ...Object.fromEntries(sorts) },
    defined: definitions,
  };
}
