import { type AnyFilter, anyOf, columnFilter, momentFilter } from './filters';
import { idOr, recordId, several } from './values';

/** Filters that every list has (product reference, section 1). */
export const commonFilters: readonly (readonly [string, AnyFilter])[] = [
  [
    'ids',
    anyOf('id', recordId, 'bigint', {
      schema: several(idOr([])),
      description: 'Only the records with these ids.',
      nullable: false,
    }),
  ],
  [
    'external_id',
    columnFilter({
      name: 'external_id',
      kind: 'string',
      nullable: true,
      required: false,
      default: null,
      readOnly: false,
    }),
  ],
  ['created_after', momentFilter('created_at', '>')],
  ['created_before', momentFilter('created_at', '<')],
  ['updated_after', momentFilter('updated_at', '>')],
  ['updated_before', momentFilter('updated_at', '<')],
];
