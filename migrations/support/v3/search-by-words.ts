import { searchableByWords as byWords } from '../v2/search-by-words';

/**
 * Makes a table of a resource searchable by words, as v2 does, and the texts of its custom fields with it: they stand last. For
 * migrations later than 1767100000000.
 *
 * @param expression immutable SQL text expression over the table's columns
 */
export function searchableByWords(table: string, expression: string): string {
  return byWords(table, `${expression} || custom_field_words(custom_fields)`);
}
