/**
 * SQL of an exact total of another resource for one record, from the counters: its cost does not grow with what is counted.
 *
 * @param row alias of the record
 * @param resource name of the counter
 * @param dimensions condition per dimension as SQL after its column, e.g. `= '7'`; null = any value
 */
export function counterTotal(row: string, resource: string, dimensions: readonly (string | null)[]): string {
  const where = (alias: string, any: string | null): string =>
    [
      `${alias}.workspace_id = ${row}.workspace_id`,
      `${alias}.resource = '${resource}'`,
      ...dimensions.map((condition, index) =>
        condition === null
          ? any === null
            ? null
            : `${alias}.d${index + 1} ${any}`
          : `${alias}.d${index + 1} ${condition}`,
      ),
    ]
      .filter((part) => part !== null)
      .join(' AND ');
  return (
    `(coalesce((SELECT sum(y.n) FROM resource_tallies y WHERE ${where('y', `= '*'`)}), 0)` +
    ` + coalesce((SELECT sum(z.n) FROM resource_tally_deltas z WHERE ${where('z', null)}), 0))`
  );
}
