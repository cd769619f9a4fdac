import { currentWorkspaceId } from '../context/current';
import type { Database } from '../database/database';

/** The last place of an order that people give (`position`). */
export const LAST_PLACE = 1_000_000;

/**
 * The place behind all records of the current workspace, or the last one where that is taken: ties go by id. Inside a unit of work.
 *
 * @param table with a column `position`
 * @param among of those records the ones with these values, null included
 */
export async function placeBehind(
  database: Database,
  table: string,
  among: Readonly<Record<string, string | number | null>> = {},
): Promise<number> {
  const same = Object.keys(among).map((column, index) => ` AND ${column} IS NOT DISTINCT FROM $${index + 2}`);
  const [row] = await database.query<{ next: number }>(
    `SELECT least(coalesce(max(position), 0) + 1, ${LAST_PLACE}) AS next FROM ${table} WHERE workspace_id = $1${same.join('')}`,
    [currentWorkspaceId(), ...Object.values(among)],
  );
  return row?.next ?? 1;
}
