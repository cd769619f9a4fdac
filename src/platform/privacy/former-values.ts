import { currentWorkspaceId } from '../context/current';
import type { Database } from '../database/database';

/** Different values of one member that are looked at. */
const MOST = 200;

/**
 * What members of records ever said, as far as events are kept; without those that said nothing. Inside a unit of work.
 *
 * @param object kind of the records, singular
 */
export async function formerValues(
  database: Database,
  object: string,
  ids: readonly number[],
  members: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await database.query<{ name: string; value: string }>(
    `SELECT DISTINCT m.name, v.value FROM events e, unnest($4::text[]) AS m (name), LATERAL (VALUES
       (e.data ->> m.name), (e.changes #>> ARRAY[m.name, 'from']), (e.changes #>> ARRAY[m.name, 'to'])) AS v (value)
     WHERE e.workspace_id = $1 AND e.object = $2 AND e.object_id = ANY($3::bigint[]) AND btrim(v.value) <> '' LIMIT ${MOST}`,
    [currentWorkspaceId(), object, ids, members],
  );
  const found = new Map<string, string[]>(members.map((name) => [name, []]));
  for (const { name, value } of rows) found.get(name)?.push(value.trim());
  return found;
}

/** Ids of the records that one has taken in, and of those that they had (`<object>.merged`), as far as events are kept. Inside a unit of work. */
export async function absorbedIds(database: Database, object: string, id: number): Promise<number[]> {
  const rows = await database.query<{ id: number }>(
    `WITH RECURSIVE taken AS (
       SELECT $3::bigint AS id
       UNION SELECT (e.related #>> '{merged,id}')::bigint FROM taken t JOIN events e
         ON e.workspace_id = $1 AND e.object = $2 AND e.object_id = t.id AND e.type = $2 || '.merged'
     ) SELECT id FROM taken WHERE id <> $3 LIMIT ${MOST}`,
    [currentWorkspaceId(), object, id],
  );
  return rows.map(({ id: taken }) => taken);
}
