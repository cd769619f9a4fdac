// Own reads and writes: sets of references are found by their keys, and become the guids of what they name by one statement.
import { currentWorkspaceId } from '../../../platform/context/current';
import type { Database } from '../../../platform/database/database';
import type { Referenced } from '../engine/objects';
import { MAX_REFERENCE, nameKeyOf, referenceKey } from '../engine/reference-key';
import type { Known } from './known';

/** Rows of one statement. */
const CHUNK = 5_000;

/** An object as it is found by others. */
interface Named {
  guid: string;
  distinguished_name: string | null;
  /** Of a group. */
  name?: string;
}

/** Everything that one of the references may name, and what else has one of the keys. Inside a unit of work. */
export async function referencedBy(
  database: Database,
  { id }: Pick<Known, 'id'>,
  references: readonly string[],
  keys: readonly string[] = [],
): Promise<Referenced[]> {
  const few = [...new Set(references)].filter((each) => each.length <= MAX_REFERENCE);
  const guids = few.map((each) => each.toLowerCase());
  const all = [...keys, ...few.map(referenceKey)];
  return database.query<Referenced>(REFERENCED, [currentWorkspaceId(), id, guids, all]);
}

/** Members that groups named before anybody was known by it are these objects from now on, wherever they move. Inside a unit of work. */
export async function settleReferences(
  database: Database,
  connectionId: number,
  objects: readonly Named[],
): Promise<void> {
  const named = objects.flatMap((each) =>
    [referenceKey(each.guid), nameKeyOf(each) ?? []].flat().map((key) => ({ guid: each.guid, key })),
  );
  if (named.length === 0) return;
  const columns = [named.map(({ guid }) => guid), named.map(({ key }) => key)];
  await database.query(SETTLE, [currentWorkspaceId(), connectionId, ...columns]);
}

/** What was written before there were keys gets its own. Inside a unit of work. */
export async function keyEverything(database: Database, { id }: Pick<Known, 'id'>): Promise<void> {
  for (const { table, key, value, find } of UNKEYED) {
    const rows = await database.query<{ id: string; text: string }>(find, [currentWorkspaceId(), id]);
    for (let from = 0; from < rows.length; from += CHUNK) {
      const few = rows.slice(from, from + CHUNK);
      await database.query(
        `UPDATE ${table} t SET ${key} = k.key FROM unnest($3::text[], $4::text[]) AS k (value, key)
         WHERE t.workspace_id = $1 AND t.connection_id = $2 AND t.${value} = k.value AND t.${key} IS NULL`,
        [currentWorkspaceId(), id, few.map((row) => row.id), few.map(({ text }) => referenceKey(text))],
      );
    }
  }
}

const OWN = 'workspace_id = $1 AND connection_id = $2';

/** In the order in which all of them are looked at: people, then groups. What is gone has no name of a group any more. */
const REFERENCED = `SELECT guid, distinguished_name, name FROM (
    SELECT 0 AS kind, id, object_guid AS guid, distinguished_name, NULL AS name FROM directory_users
    WHERE ${OWN} AND (object_guid = ANY($3::text[]) OR name_key = ANY($4::text[]))
    UNION ALL
    SELECT 1, id, object_guid, distinguished_name, CASE WHEN sync_status <> 'deleted_in_source' THEN name END FROM directory_groups
    WHERE ${OWN} AND (object_guid = ANY($3::text[]) OR name_key = ANY($4::text[]))
  ) AS found ORDER BY kind, id`;

/** A name that two groups have names neither. */
const SETTLE = `WITH named AS (
    SELECT n.guid, n.key FROM unnest($3::text[], $4::text[]) AS n (guid, key)
    WHERE NOT EXISTS (SELECT FROM directory_groups g WHERE g.workspace_id = $1 AND g.connection_id = $2 AND g.name_key = n.key AND g.object_guid <> n.guid)
  ), settled AS (
    DELETE FROM directory_members m USING named n
    WHERE m.workspace_id = $1 AND m.connection_id = $2 AND m.reference_key = n.key RETURNING m.group_id, n.guid
  )
  INSERT INTO directory_members (workspace_id, group_id, connection_id, member_guid)
  SELECT $1, group_id, $2, guid FROM settled ON CONFLICT DO NOTHING`;

const UNKEYED = [
  {
    ...{ table: 'directory_users', key: 'name_key', value: 'object_guid' },
    find: `SELECT object_guid AS id, distinguished_name AS text FROM directory_users
      WHERE ${OWN} AND name_key IS NULL AND distinguished_name IS NOT NULL`,
  },
  {
    ...{ table: 'directory_groups', key: 'name_key', value: 'object_guid' },
    find: `SELECT object_guid AS id, coalesce(distinguished_name, name) AS text FROM directory_groups WHERE ${OWN} AND name_key IS NULL`,
  },
  {
    ...{ table: 'directory_members', key: 'reference_key', value: 'member_guid' },
    // By sets, which takes one pass whatever PostgreSQL believes of tables that have just grown.
    find: `SELECT guid AS id, guid AS text FROM (
        SELECT member_guid AS guid FROM directory_members WHERE ${OWN} AND reference_key IS NULL
        EXCEPT SELECT object_guid FROM directory_users WHERE ${OWN}
        EXCEPT SELECT object_guid FROM directory_groups WHERE ${OWN}
      ) AS unknown`,
  },
];
