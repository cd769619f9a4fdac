import { Database } from '../../src/platform/database/database';
import { JobQueue } from '../../src/platform/queue/job-queue';
import { PeriodicJobs } from '../../src/platform/schedule/periodic-jobs';
import type { TestApp } from './app';
import { until } from './until';

/** What PostgreSQL refused for the moment (`database-errors.ts`): a busy machine puts it off, no test asks for it. */
const REFUSED = 'The database is not reachable|The request took too long|The record is locked|Too many requests';

/**
 * Waits until nothing is left to be done: every event dispatched, every due job finished, also what was put off
 * for some seconds because PostgreSQL was too busy. Other jobs that are due later or dead do not count. All of the
 * database's, or one workspace's.
 */
export async function drained({ app }: Pick<TestApp, 'app'>, workspace?: { id: number }): Promise<void> {
  const database = app.get(Database);
  await until('all events were dispatched and all due jobs were done', () =>
    database.system(async () => {
      const [left] = await database.query<{ busy: boolean }>(
        `SELECT EXISTS (SELECT FROM event_outbox WHERE ($1::bigint IS NULL OR workspace_id = $1) AND (coalesce(retry_at <= now(), true) OR error ~ $2))
           OR EXISTS (SELECT FROM work WHERE ($1::bigint IS NULL OR workspace_id = $1)
             AND (state IN ('waiting', 'running') OR state = 'scheduled' AND (due_at <= now() OR error ~ $2))) AS busy`,
        [workspace?.id ?? null, REFUSED],
      );
      return !left?.busy;
    }),
  );
}

/** Runs a periodic job on this application: again where another was just doing it, or a busy machine made it fail. */
export async function runJob({ app }: Pick<TestApp, 'app'>, name: string): Promise<void> {
  await until(`the job "${name}" has run`, () => app.get(PeriodicJobs).runNow(name));
}

/**
 * Lets scheduled jobs of a workspace, all of it or of one kind, be due at once, without waiting for the next sweep to
 * find that out.
 */
export async function timePasses(
  { app }: Pick<TestApp, 'app'>,
  workspace: { id: number },
  kind?: string,
): Promise<void> {
  const database = app.get(Database);
  await database.system(() =>
    database.query(
      `UPDATE work SET due_at = now(), state = 'waiting'
       WHERE workspace_id = $1 AND state = 'scheduled' AND ($2::text IS NULL OR kind = $2)`,
      [workspace.id, kind ?? null],
    ),
  );
  app.get(JobQueue).wake();
}
