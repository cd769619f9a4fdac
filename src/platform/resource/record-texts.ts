import { currentWorkspaceId } from '../context/current';
import type { Database } from '../database/database';
import { resourceIfAny } from './resource';

/**
 * What a column of text says, by the ids of records; none while the area of the resource is not installed, nor of records that say
 * nothing. The way back of `idsOf`. Inside a unit of work.
 */
export async function textsOf(
  database: Database,
  name: string,
  column: string,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const resource = resourceIfAny(name);
  if (!resource?.column.has(column) || ids.length === 0) return new Map();
  const rows = await database.query<{ id: number; said: string }>(
    `SELECT r.id, r.${column} AS said FROM ${resource.table} r WHERE r.workspace_id = $1 AND r.id = ANY($2::bigint[]) AND r.${column} IS NOT NULL`,
    [currentWorkspaceId(), [...new Set(ids)]],
  );
  return new Map(rows.map(({ id, said }) => [id, said]));
}
