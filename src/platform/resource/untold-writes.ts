import { constraintError } from '../database/constraint-errors';
import { currentWorkspaceId } from '../context/current';
import type { Database } from '../database/database';
import type { Statement } from '../postgres/statement-batch';
import type { Resource } from './resource';
import type { ResourceEntity } from './resource-entity';
import type { ResourceKernel } from './resource-kernel';
import type { Values } from './rows';
import { requireReferences } from './stored-values';

/** A column that names records of a table: `tickets.contact_id` names contacts. */
interface Naming {
  table: string;
  column: string;
}

/**
 * Stores complete records without a word to anybody: no events, so no log and nobody who reacts. One statement for all that name
 * the same columns, so triggers run once. Inside a unit of work.
 *
 * @returns the ids, in the order of the records
 */
export async function insertUntold<E extends ResourceEntity>(
  kernel: ResourceKernel,
  resource: Resource<E>,
  given: readonly Values<E>[],
): Promise<number[]> {
  const { database } = kernel;
  const records: Values<E>[] = [];
  for (const each of given) {
    const values = await kernel.settled(resource, null, each);
    await requireReferences(database, resource, values);
    records.push(values);
  }
  const alike = new Map<string, { names: string[]; places: number[] }>();
  records.forEach((record, place) => {
    const names = Object.entries(record).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    const key = names.sort().join();
    const group = alike.get(key) ?? { names, places: [] };
    alike.set(key, group);
    group.places.push(place);
  });
  const ids: number[] = [];
  for (const { names, places } of alike.values()) {
    const rows = places.map((place) => records[place] ?? {});
    const stored = await rowsOf(database, resource, insertion(resource, names, rows));
    stored.forEach(({ id }, index) => (ids[places[index] ?? -1] = id));
  }
  return ids;
}

/**
 * Takes records back that came in so, as if they had never been there: those that nobody has changed since (they have the version that
 * they were left at), and that no other record names. Inside a unit of work.
 *
 * @returns the ids of those that are gone
 */
export async function removeUntold(
  database: Database,
  resource: Resource,
  taken: readonly { id: number; version: number }[],
): Promise<number[]> {
  const free = (await namings(database, resource)).map(
    ({ table, column }) => `NOT EXISTS (SELECT FROM ${table} n WHERE n.workspace_id = $1 AND n.${column} = m.id)`,
  );
  const left = 'unnest($2::bigint[], $3::integer[]) AS l(id, version)';
  const conditions = ['m.workspace_id = $1', 'm.id = l.id', 'm.version = l.version', ...free];
  const text = `DELETE FROM ${resource.table} m USING ${left} WHERE ${conditions.join(' AND ')} RETURNING m.id`;
  const values = [currentWorkspaceId(), taken.map(({ id }) => id), taken.map(({ version }) => version)];
  return (await rowsOf(database, resource, { text, values })).map(({ id }) => id);
}

/** Rows are numbered as they come out of the sort, so ids are in the order of the records. */
function insertion(resource: Resource, names: readonly string[], rows: readonly object[]): Statement {
  const columns = names.map((name) => `, ${name}`).join('');
  const values = names.map((name) => `, r.${name}`).join('');
  const text = `INSERT INTO ${resource.table} (workspace_id${columns}) SELECT $1${values}
    FROM json_array_elements($2::json) WITH ORDINALITY AS e(value, n) CROSS JOIN LATERAL json_populate_record(NULL::${resource.table}, e.value) r
    ORDER BY e.n RETURNING id`;
  return { text, values: [currentWorkspaceId(), JSON.stringify(rows)] };
}

async function rowsOf(database: Database, resource: Resource, { text, values }: Statement): Promise<{ id: number }[]> {
  try {
    return await database.query<{ id: number }>(text, values);
  } catch (error) {
    throw constraintError(error, resource);
  }
}

const known = new Map<string, Naming[]>();

/** What does not go along with a record (`ON DELETE CASCADE`) would be changed, or hold it. Tables that requests cannot look into are the takeover's own matter. */
async function namings(database: Database, { table }: Resource): Promise<Naming[]> {
  let found = known.get(table);
  if (!found) known.set(table, (found = await database.query<Naming & Record<string, unknown>>(NAMING, [table])));
  return found;
}

const NAMING = `
  SELECT c.conrelid::regclass::text AS table, a.attname AS column FROM pg_constraint c
  JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[array_length(c.conkey, 1)]
  WHERE c.contype = 'f' AND c.confdeltype <> 'c' AND c.confrelid = $1::regclass AND has_table_privilege(c.conrelid, 'SELECT') ORDER BY 1, 2`;
