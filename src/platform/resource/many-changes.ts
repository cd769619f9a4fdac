import { currentWorkspaceId } from '../context/current';
import type { Database } from '../database/database';
import type { Changes, Related } from '../events/event-rows';
import { eventKind } from '../events/event-catalogue';
import { eachStatement, type ManyPlan, manyStatement, type RecordChange } from './many-plan';
import { Parameters } from '../database/parameters';
import { allResources, type Resource, resourceIfAny } from './resource';
import type { Alongside, Sql } from './write-plan';

/** Records per statement, so that none comes near the statement timeout. */
const BATCH = 1_000;

/** A change that many records of one resource undergo because of another record. */
export interface ManyChange {
  /** Name of the resource; nothing happens while its area is not installed. */
  resource: string;
  /** SQL over `m`, the record; it must no longer hold once the change is made. */
  condition: Sql;
  /** The same for all. */
  values?: Readonly<Record<string, unknown>>;
  /** What follows from each record: SQL over `m`. Its events tell from and to by themselves. */
  expressions?: Readonly<Record<string, Sql>>;
  /** Event types, in order. */
  events: readonly string[];
  /** From and to of the values, as far as clients see them. */
  changes?: Changes;
  /** What belongs to the events of all, besides the record. */
  related?: Related;
}

/** Makes the change inside the current unit of work, versions and event rows included. Answers how many records. */
export async function changeMany(database: Database, change: ManyChange): Promise<number> {
  const resource = resourceIfAny(change.resource);
  if (!resource) return 0;
  const plan: ManyPlan = { values: {}, expressions: {}, changes: {}, ...change };
  for (let total = 0; ;) {
    const statement = manyStatement(resource, currentWorkspaceId(), plan, BATCH);
    const [row] = await database.read<{ changed: number }>(statement);
    const changed = row?.changed ?? 0;
    total += changed;
    if (changed < BATCH) return total;
  }
}

/**
 * Writes what becomes of locked records, of any workspaces, each with values and events of its own, in one statement. Nothing
 * happens while the area of the resource is not installed.
 *
 * @param alongside rows of other tables; the records as written are `t`
 */
export async function changeEach(
  database: Database,
  name: string,
  changes: readonly RecordChange[],
  alongside: Alongside | null = null,
): Promise<void> {
  const resource = resourceIfAny(name);
  if (resource && changes.length > 0) await database.run([eachStatement(resource, changes, alongside)]);
}

/**
 * How many records of a resource meet a condition, e.g. name the record that is to go; 0 while its area is not installed.
 * Inside a unit of work.
 *
 * @param condition SQL over `m`, the record
 * @param most where counting ends
 */
export async function countOf(
  database: Database,
  name: string,
  condition: Sql,
  most: number | 'ALL' = 'ALL',
): Promise<number> {
  const resource = resourceIfAny(name);
  if (!resource) return 0;
  const parameters = new Parameters(currentWorkspaceId());
  const records = `SELECT FROM ${resource.table} m WHERE m.workspace_id = $1 AND ${condition(parameters.bind)} LIMIT ${most}`;
  const [row] = await database.query<{ n: number }>(`SELECT count(*) AS n FROM (${records}) m`, parameters.values);
  return row?.n ?? 0;
}

/** Whether any record of a resource meets a condition; see `countOf`. */
export async function anyOf(database: Database, name: string, condition: Sql): Promise<boolean> {
  return (await countOf(database, name, condition, 1)) > 0;
}

/** Columns that PostgreSQL would empty by itself when a record goes, by the table of the record. */
const emptied = new Map<string, { table: string; column: string }[]>();

const EMPTIED = `
  SELECT c.conrelid::regclass::text AS table, a.attname AS column FROM pg_constraint c
  JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY(c.confdelsetcols)
  WHERE c.contype = 'f' AND c.confdeltype = 'n' AND c.confrelid = $1::regclass ORDER BY 1, 2`;

/**
 * Takes a record that is to be deleted out of all others that name it, each with a version and an event of its own:
 * `ON DELETE SET NULL` would change them without a word. What keeps no versions (logs of what was) is left to PostgreSQL.
 */
export async function unlink(database: Database, resource: Resource, id: number): Promise<void> {
  let columns = emptied.get(resource.table);
  if (!columns) emptied.set(resource.table, (columns = await database.query(EMPTIED, [resource.table])));
  for (const { table, column } of columns) {
    const naming = allResources().find((each) => each.table === table && eventKind(`${each.singular}.updated`));
    if (!naming) continue;
    await changeMany(database, {
      resource: naming.name,
      condition: (bind) => `m.${column} = ${bind(id)}`,
      values: { [column]: null },
      events: [`${naming.singular}.updated`],
      changes: naming.column.has(column) ? { [column]: { from: id, to: null } } : {},
    });
  }
}

/**
 * Takes a record that is to be deleted out of the lists of ids that name it, each with a version and an event of its own. For resources
 * of which an empty list means nothing more than a shorter one does.
 */
export async function unlinkFromLists(database: Database, resource: string, id: number): Promise<void> {
  for (const naming of allResources())
    for (const { name, kind, references } of naming.columns) {
      const updated = `${naming.singular}.updated`;
      if (kind !== 'references' || references !== resource || !eventKind(updated)) continue;
      await changeMany(database, {
        resource: naming.name,
        condition: (bind) => `m.${name} @> ARRAY[${bind(id)}::bigint]`,
        expressions: { [name]: (bind) => `array_remove(m.${name}, ${bind(id)}::bigint)` },
        events: [updated],
      });
    }
}
