/** SQL types of sort keys. */
export type KeyType = 'bigint' | 'text' | 'timestamptz' | 'integer' | 'numeric' | 'date';

const highest: Record<KeyType, string> = {
  timestamptz: `'infinity'::timestamptz`,
  date: `'infinity'::date`,
  bigint: '9223372036854775807',
  integer: '2147483647',
  numeric: `'Infinity'::numeric`,
  // Behind every character of `text_order`, where U+FFFD comes after U+10FFFF.
  text: `U&'\\FFFF'`,
};
const lowest: Record<KeyType, string> = {
  timestamptz: `'-infinity'::timestamptz`,
  date: `'-infinity'::date`,
  bigint: '-9223372036854775808',
  integer: '-2147483648',
  numeric: `'-Infinity'::numeric`,
  text: `''`,
};

/**
 * A never-null stand-in for a nullable column that puts nulls last, so that one index and one comparison serve ORDER BY, keyset
 * positions and ranges. CASE and not COALESCE: PostgreSQL takes the latter for a function that may tell what it sees, and keeps it
 * out of index conditions under row-level security.
 *
 * @param direction in which nulls come last
 */
export function nullsLast(column: string, type: KeyType, direction: 'ascending' | 'descending'): string {
  const standIn = (direction === 'descending' ? lowest : highest)[type];
  return `CASE WHEN ${column} IS NULL THEN ${standIn} ELSE ${column} END`;
}
