import { Database } from '../../src/platform/database/database';
import type { TestApp } from './app';
import type { TestWorkspace } from './workspace';

/** An event row, as far as tests look at it. */
export interface LoggedEvent {
  type: string;
  uid: string;
  sequence_id: string;
  position: number;
  changes: Record<string, { from: unknown; to: unknown }> | null;
  data: Record<string, unknown>;
  related: Record<string, unknown> | null;
}

/** The event rows of a record, oldest first. */
export function eventsOf(
  { app }: TestApp,
  workspace: TestWorkspace,
  object: string,
  objectId: number,
): Promise<LoggedEvent[]> {
  const database = app.get(Database);
  return database.inWorkspace(workspace.id, { type: 'system', id: null, name: 'test' }, () =>
    database.transaction(() =>
      database.query<LoggedEvent>(
        `SELECT type, uid, sequence_id, position, changes, data, related FROM events
         WHERE workspace_id = $1 AND object = $2 AND object_id = $3 ORDER BY id`,
        [workspace.id, object, objectId],
      ),
    ),
  );
}
