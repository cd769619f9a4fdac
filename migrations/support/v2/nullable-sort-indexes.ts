/** What stands for no value, last in ascending and in descending order; as `nullsLast` of the service has it. */
const STAND_INS = {
  timestamptz: [`'infinity'::timestamptz`, `'-infinity'::timestamptz`],
  date: [`'infinity'::date`, `'-infinity'::date`],
  integer: ['2147483647', '-2147483648'],
  bigint: ['9223372036854775807', '-9223372036854775808'],
  numeric: [`'Infinity'::numeric`, `'-Infinity'::numeric`],
  text: [`U&'\\+10FFFF'`, `''`],
} as const;

/**
 * Indexes for lists sorted by a nullable column, one for each direction: nulls are last in both. The column is included, so that
 * pages far down are counted off in the index alone.
 */
export function nullableSortIndexes(table: string, column: string, type: keyof typeof STAND_INS): string {
  const index = (name: string, standIn: string): string =>
    `CREATE INDEX ${name} ON ${table} (workspace_id, (CASE WHEN ${column} IS NULL THEN ${standIn} ELSE ${column} END), id) INCLUDE (${column});`;
  const [up, down] = STAND_INS[type];
  return `${index(`${table}_order_${column}`, up)} ${index(`${table}_order_${column}_down`, down)}`;
}
