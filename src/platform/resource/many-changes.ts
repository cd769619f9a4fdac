import { currentWorkspaceId } from '../context/current';
import type { Database } from '../database/database';
import type { Changes } from '../events/event-rows';
import { eventKind } from '../events/event-catalogue';
import { allResources, type Resource, resourceIfAny } from './resource';
import { manyStatement } from './write-plan';

/** Records per statement, so that none comes near the statement timeout. */
const BATCH = 1_000;

/** A change that many records of one resource undergo because of another record. */
export interface ManyChange {
  /** Name of the resource; nothing happens while its area is not installed. */
  resource: string;
  /** SQL over `m`, the record; it must no longer hold once the change is made. */
  condition: (bind: (value: unknown) => string) => string;
  values: Readonly<Record<string, unknown>>;
  /** Event types, in order. */
  events: readonly string[];
  changes: Changes;
}

/** Makes the change inside the current unit of work, versions and event rows included. Answers how many records. */
export async function changeMany(database: Database, change: ManyChange): Promise<number> {
  const resource = resourceIfAny(change.resource);
  if (!resource) return 0;
  const drafts = change.events.map((type) => ({ type, changes: change.changes }));
  for (let total = 0; ;) {
    const statement = manyStatement(resource, currentWorkspaceId(), change.condition, change.values, drafts, BATCH);
    const [rows] = await database.batch([statement]);
    const changed = Number(rows?.[0]?.[0] ?? 0);
    total += changed;
    if (changed < BATCH) return total;
  }
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
