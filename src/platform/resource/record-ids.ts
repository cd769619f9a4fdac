import { currentWorkspaceId } from '../context/current';
import type { Database } from '../database/database';
import { resourceIfAny } from './resource';

/**
 * Ids of records by what a column of theirs says, in lower case; none while the area of the resource is not installed. The first of
 * several that say the same. Inside a unit of work.
 *
 * @param column of text: `email`, `name`, `external_id`
 */
export async function idsOf(
  database: Database,
  name: string,
  column: string,
  texts: readonly string[],
): Promise<Map<string, number>> {
  const resource = resourceIfAny(name);
  const spec = resource?.column.get(column);
  if (!resource || !spec || texts.length === 0) return new Map();
  // Addresses are stored in lower case; an external id is a name of its own.
  const asIs = spec.kind === 'email' || column === 'external_id';
  const lowered = column === 'external_id' ? texts : texts.map((text) => text.toLowerCase());
  // `lower` is not leakproof: its index serves the search view alone.
  const table = asIs ? resource.table : (resource.search?.view ?? resource.table);
  const key = asIs ? `r.${column}` : `lower(r.${column})`;
  const rows = await database.query<{ id: number; said: string }>(
    `SELECT min(r.id) AS id, ${key} AS said FROM ${table} r WHERE r.workspace_id = $1 AND ${key} = ANY($2::text[]) GROUP BY 2`,
    [currentWorkspaceId(), [...new Set(lowered)]],
  );
  return new Map(rows.map(({ id, said }) => [said, id]));
}
