/** SQL of a moment as JSON has it, such as `2026-11-21T03:46:01.862Z`; null of none. */
export const momentSql = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
