import { PhotosJob } from '../../src/areas/active-directory/photos/photos-job';
import { RunJob } from '../../src/areas/active-directory/runs/run-job';
import { Database } from '../../src/platform/database/database';
import type { Fields } from './api';
import type { TestApp } from './app';
import type { TestWorkspace } from './workspace';

const SYSTEM = { type: 'system', id: null, name: 'system' } as const;

/** Does a run as a worker does, turn by turn to its end; for applications that have none. Answers the run. */
export async function runToItsEnd(
  { app }: TestApp,
  { id: workspace_id, api }: TestWorkspace,
  id: number,
): Promise<Fields> {
  const database = app.get(Database);
  const job = { id: 0, workspace_id, kind: 'directory_run', subject_id: id, group_id: 0, attempt: 1 };
  await database.inWorkspace(workspace_id, SYSTEM, async () => {
    for (;;) {
      const { retryInMs, settle } = await app.get(RunJob).perform(job);
      if (retryInMs !== undefined) continue;
      if (settle) await database.transaction(settle);
      // What was planned is another job's.
      const rows = await database.transaction(() =>
        database.query(`SELECT FROM directory_runs WHERE workspace_id = $1 AND id = $2 AND status = 'running'`, [
          workspace_id,
          id,
        ]),
      );
      if (rows.length === 0) return;
    }
  });
  return (await api.get(`/active-directory/sync/runs/${id}`)).expect(200).data;
}

/** Takes the photos of a connection, for applications without workers. */
export async function takePhotos({ app }: TestApp, workspace_id: number, connectionId: number): Promise<void> {
  const job = { id: 0, workspace_id, kind: 'directory_photos', subject_id: connectionId, group_id: 0, attempt: 1 };
  await app.get(Database).inWorkspace(workspace_id, SYSTEM, async () => {
    while ((await app.get(PhotosJob).perform(job)).retryInMs !== undefined);
  });
}

export interface PushedPerson {
  object_guid: string;
  [name: string]: unknown;
}

/** Somebody whose name and address are made of the guid. */
export function pushed(object_guid: string, values: object = {}): PushedPerson {
  return { object_guid, display_name: `Person ${object_guid}`, email: `${object_guid}@acme.example`, ...values };
}
