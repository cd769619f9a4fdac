import type { KeyType } from '../query/nulls-last';
import type { FieldDefinition } from './field-definition';

/** Records of a list that can be sorted by a custom field: they are sorted anew for each page. */
export const MAX_SORTED = 20_000;

/** Characters of a text that its order goes by. */
const MAX_KEY = 200;

/** What the order of a field goes by: SQL over a row, null where there is no value, and its type. */
export function fieldOrder({ key, type }: FieldDefinition): { expression: (row: string) => string; type: KeyType } {
  // Keys have letters, digits, - and _ alone.
  const value = (row: string): string => `(${row}.custom_fields -> '${key}')`;
  if (type === 'number' || type === 'reference')
    return {
      expression: (row) => `CASE WHEN jsonb_typeof${value(row)} = 'number' THEN ${value(row)}::numeric END`,
      type: 'numeric',
    };
  return { expression: (row) => `left(${row}.custom_fields ->> '${key}', ${MAX_KEY})`, type: 'text' };
}
