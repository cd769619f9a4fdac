/** Of texts without a value, behind all others in ascending and in descending order; as `nullsLast` of the service has it. */
const STAND_INS = [`U&'\\FFFF'`, `''`] as const;

/** Index for a sort on a text that is never null. */
export function textSortIndex(table: string, column: string): string {
  return `CREATE INDEX ${table}_order_${column} ON ${table} (workspace_id, ${column} COLLATE text_order, id);`;
}

/** Indexes for lists sorted by a nullable text, as `nullableSortIndexes` has them for other columns. */
export function nullableTextSortIndexes(table: string, column: string): string {
  const index = (name: string, standIn: string): string =>
    `CREATE INDEX ${name} ON ${table} (workspace_id, (CASE WHEN ${column} IS NULL THEN ${standIn} ELSE ${column} END) COLLATE text_order, id) INCLUDE (${column});`;
  const [up, down] = STAND_INS;
  return `${index(`${table}_order_${column}`, up)} ${index(`${table}_order_${column}_down`, down)}`;
}
