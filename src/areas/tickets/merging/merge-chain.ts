import { currentWorkspaceId } from '../../../platform/context/current';
import type { Database } from '../../../platform/database/database';

/** The ticket at the end of the merge chain that begins with a ticket, which is itself where it was not merged; null where there is none. Inside a unit of work. */
export async function endOfMerges(database: Database, id: number): Promise<number | null> {
  const [row] = await database.query<{ id: number }>(
    `WITH RECURSIVE chain AS (
       SELECT id, merged_into_id, ARRAY[id] AS seen FROM tickets WHERE workspace_id = $1 AND id = $2
       UNION ALL
       SELECT t.id, t.merged_into_id, c.seen || t.id FROM chain c JOIN tickets t ON t.workspace_id = $1 AND t.id = c.merged_into_id
       WHERE NOT t.id = ANY(c.seen)
     ) SELECT id FROM chain ORDER BY cardinality(seen) DESC LIMIT 1`,
    [currentWorkspaceId(), id],
  );
  return row?.id ?? null;
}
