import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { PeriodicJobs, RUN_AGAIN } from '../../../platform/schedule/periodic-jobs';
import { DirectoryConnection } from '../connections/connection.entity';
import { RunJob } from './run-job';
import { RunsService } from './runs.service';

const MINUTE_MS = 60_000;
const BATCH = 50;
const ACTOR = { type: 'system', id: null, name: 'system' } as const;

interface Due {
  workspace_id: number;
  id: number;
}

/** Begins the runs that are due, ends those that got stuck, and forgets old ones. */
@Injectable()
export class RunUpkeep implements OnModuleInit {
  constructor(
    @InjectStore(DirectoryConnection) private readonly connections: Store<DirectoryConnection>,
    private readonly runs: RunsService,
    private readonly job: RunJob,
    private readonly database: Database,
    private readonly jobs: PeriodicJobs,
  ) {}

  onModuleInit(): void {
    this.jobs.register('directory-due', MINUTE_MS, () => this.beginDue(), { byClock: true });
    this.jobs.register('directory-upkeep', 10 * MINUTE_MS, () => this.tidy(), { byClock: true });
  }

  private async beginDue(): Promise<typeof RUN_AGAIN | undefined> {
    await this.takeWaiting();
    const due = await this.database.query<Due>(DUE);
    for (const { workspace_id: workspaceId, id } of due)
      await this.database.inWorkspace(workspaceId, ACTOR, () => this.database.transaction(() => this.begin(id)));
    return due.length === BATCH ? RUN_AGAIN : undefined;
  }

  private async begin(id: number): Promise<void> {
    const connection = await this.connections.lockIfAny(id);
    const { schedule_minutes: minutes, full_sync_hours: hours, last_full_sync_at: full } = connection ?? {};
    if (!connection || !minutes) return;
    const now = Date.parse(await this.database.moment());
    const next_sync_at = new Date(now + minutes * MINUTE_MS).toISOString();
    await this.connections.apply(connection, { values: { next_sync_at }, events: [] });
    const isFull = !full || Date.parse(full) + (hours ?? 0) * 60 * MINUTE_MS <= now;
    await this.runs.begin(connection, { mode: isFull ? 'full' : 'delta', trigger: 'schedule' }, true);
  }

  /** What clients of SCIM told while a run was about to end, or while nothing was to begin by itself. */
  private async takeWaiting(): Promise<void> {
    const waiting = await this.database.query<Due>(WAITING);
    for (const { workspace_id: workspaceId, id } of waiting)
      await this.database.inWorkspace(workspaceId, ACTOR, () =>
        this.database.transaction(async () => {
          const connection = await this.connections.lockIfAny(id);
          if (connection) await this.runs.begin(connection, { mode: 'delta', trigger: 'push' }, true);
        }),
      );
  }

  private async tidy(): Promise<typeof RUN_AGAIN | undefined> {
    const stuck = await this.database.query<Due>(STUCK);
    const error = { code: 'not_in_time', message: 'It was not done in time.' };
    for (const { workspace_id: workspaceId, id } of stuck)
      await this.database.inWorkspace(workspaceId, ACTOR, () =>
        this.database.transaction(() => this.job.fail(id, error)),
      );
    const old = await this.database.query<Due>(OLD);
    return stuck.length === BATCH || old.length > 0 ? RUN_AGAIN : undefined;
  }
}

const DUE = `SELECT workspace_id, id FROM directory_connections
  WHERE status IN ('active', 'error') AND next_sync_at <= now() AND schedule_minutes IS NOT NULL ORDER BY next_sync_at LIMIT ${BATCH}`;

const WAITING = `SELECT c.workspace_id, c.id FROM directory_connections c
  WHERE c.type = 'scim' AND c.status IN ('active', 'error')
    AND EXISTS (SELECT FROM scim_resources s WHERE s.workspace_id = c.workspace_id AND s.connection_id = c.id AND s.run_id IS NULL)
    AND NOT EXISTS (SELECT FROM directory_runs r WHERE r.workspace_id = c.workspace_id AND r.connection_id = c.id
      AND r.status IN ('receiving', 'queued', 'running', 'awaiting_approval'))
  ORDER BY c.id LIMIT ${BATCH}`;

/** What is sent in parts is sent within an hour; in the queue others may be ahead for longer. */
const STUCK = `SELECT workspace_id, id FROM directory_runs
  WHERE status = 'receiving' AND updated_at < now() - interval '1 hour'
     OR status IN ('queued', 'running') AND updated_at < now() - interval '1 day' LIMIT ${BATCH}`;

/** Few at a time: each may have the changes of many people. */
const OLD = `DELETE FROM directory_runs r USING (
    SELECT workspace_id, id FROM directory_runs WHERE finished_at < now() - interval '90 days' ORDER BY finished_at LIMIT 5
  ) o WHERE r.workspace_id = o.workspace_id AND r.id = o.id RETURNING r.workspace_id, r.id`;
