import { Database } from '../../src/platform/database/database';
import type { TestApp } from './app';
import { until } from './until';

/**
 * Waits until nothing is left to be done: every event dispatched, every due item of work finished. Work that is due
 * later or dead does not count. All of the database's, or one workspace's.
 */
export async function drained({ app }: Pick<TestApp, 'app'>, workspace?: { id: number }): Promise<void> {
  const database = app.get(Database);
  await until('all events were dispatched and all due work was done', () =>
    database.system(async () => {
      const [left] = await database.query<{ busy: boolean }>(
        `SELECT EXISTS (SELECT FROM event_outbox WHERE ($1::bigint IS NULL OR workspace_id = $1) AND coalesce(retry_at <= now(), true))
           OR EXISTS (SELECT FROM work WHERE ($1::bigint IS NULL OR workspace_id = $1)
             AND (state IN ('waiting', 'running') OR state = 'scheduled' AND due_at <= now())) AS busy`,
        [workspace?.id ?? null],
      );
      return !left?.busy;
    }),
  );
}
