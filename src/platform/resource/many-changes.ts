import { currentWorkspaceId } from '../context/current';
import type { Database } from '../database/database';
import type { Changes } from '../events/event-rows';
import { resourceIfAny } from './resource';
import { manyStatement, type Values } from './write-plan';

/** Records per statement, so that none comes near the statement timeout. */
const BATCH = 1_000;

/** A change that many records of one resource undergo because of another record. */
export interface ManyChange {
  /** Name of the resource; nothing happens while its area is not installed. */
  resource: string;
  /** SQL over `m`, the record; it must no longer hold once the change is made. */
  condition: (bind: (value: unknown) => string) => string;
  values: Values;
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
