import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { Job, JobHandler, JobOutcome } from '../../../platform/queue/job-handler';
import { JobQueue } from '../../../platform/queue/job-queue';
import type { Row } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { DirectoryConnection } from '../connections/connection.entity';
import type { Action, Result } from '../engine/plan';
import { countsOf } from './counts';
import { RunApplier } from './run-applier';
import { CHANGES_JOB, RUN_JOB } from './run-job-name';
import { RunPlanner } from './run-planner';
import { DirectoryRun } from './run.entity';
import { RunsService } from './runs.service';
import { DirectoryUnreadable } from './reading';
import { DirectorySource } from './source';
import { PhotosJob } from '../photos/photos-job';
import { SentPhotos } from '../photos/sent-photos';
import { ScimSource } from '../scim/scim-source';

/** So long an attempt does changes; then others have their turn. */
const TURN_MS = 5_000;
/** So long a dead worker holds the changes of a run. */
const CHANGES_LEASE_MS = 60_000;
/** Failed runs in a row after which a connection rests. */
const MAX_FAILURES = 3;

/** Does runs: reads, plans, changes. What was planned stays planned and what was done stays done, whoever does the rest. */
@Injectable()
export class RunJob implements JobHandler, OnModuleInit {
  readonly kind = RUN_JOB;
  readonly perGroup = 1;
  readonly perWorkspace = 2;
  /** Reading a large directory, all at once. */
  readonly leaseMs = 1_200_000;

  constructor(
    @InjectStore(DirectoryRun) private readonly runs: Store<DirectoryRun>,
    @InjectStore(DirectoryConnection) private readonly connections: Store<DirectoryConnection>,
    private readonly service: RunsService,
    private readonly source: DirectorySource,
    private readonly scim: ScimSource,
    private readonly planner: RunPlanner,
    private readonly applier: RunApplier,
    private readonly photos: PhotosJob,
    private readonly sent: SentPhotos,
    private readonly database: Database,
    private readonly queue: JobQueue,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
    const { perGroup, perWorkspace } = this;
    const perform = (job: Job): Promise<JobOutcome> => this.perform(job);
    this.queue.register({ kind: CHANGES_JOB, perGroup, perWorkspace, leaseMs: CHANGES_LEASE_MS, perform });
  }

  async perform({ subject_id: id }: Job): Promise<JobOutcome> {
    const begun = await this.begin(id);
    if (!begun) return {};
    const { run, connection } = begun;
    if (run.planned_at === null) {
      try {
        await this.planner.plan(id, await this.source.read(connection, run));
        // What is planned is done in turns, of which another worker takes over soon when one dies.
        return { settle: () => this.service.enqueueChanges(id, connection.id) };
      } catch (error) {
        if (!(error instanceof DirectoryUnreadable)) throw error;
        return { settle: () => this.fail(id, { code: error.code, message: error.message }) };
      }
    }
    const until = performance.now() + TURN_MS;
    while (await this.applier.piece(id, connection)) if (performance.now() > until) return { retryInMs: 0 };
    return { settle: () => this.end(id) };
  }

  /** The run, running from now on; null when there is nothing to do. */
  private begin(id: number): Promise<{ run: Row<DirectoryRun>; connection: Row<DirectoryConnection> } | null> {
    return this.database.transaction(async () => {
      const run = await this.runs.lockIfAny(id);
      const connection = run && (await this.connections.find(run.connection_id));
      if (!connection) return null;
      if (run.status === 'running') return { run, connection };
      if (run.status !== 'queued') return null;
      const started_at = await this.database.moment();
      await this.runs.apply(run, { values: { status: 'running', started_at }, events: ['directory_run.started'] });
      return { run: { ...run, status: 'running' }, connection };
    });
  }

  /** Nothing is left to do. Inside a unit of work. */
  async end(id: number): Promise<void> {
    const run = await this.runs.lockIfAny(id);
    if (!run || run.planned_at === null) return;
    await this.service.forgetParts(id, run.status === 'running');
    if (run.status !== 'running') return;
    const counts = { ...(await this.counted(id)), scanned: run.counts.scanned ?? 0 };
    const status = (counts.failed ?? 0) > 0 ? 'completed_with_errors' : 'completed';
    const finished_at = await this.database.moment();
    await this.runs.apply(run, { values: { status, counts, finished_at }, events: ['directory_run.completed'] });
    const connection = await this.connections.lock(run.connection_id);
    const rested = connection.status === 'disabled' ? {} : ({ status: 'active' } as const);
    const full = run.mode === 'full' ? { last_full_sync_at: finished_at } : {};
    const cursor = run.cursor_after === null ? {} : { cursor: run.cursor_after };
    const values = { ...rested, ...full, ...cursor, failure_count: 0, last_error: null, last_sync_at: finished_at };
    await this.connections.apply(connection, { values, events: ['directory_connection.synced'] });
    if (connection.type === 'scim') await this.goOn(id, { ...connection, ...values });
    await this.sent.settle(connection.id, id);
    await this.photos.enqueue(connection);
  }

  /** What was told meanwhile is for another run. */
  private async goOn(id: number, connection: Row<DirectoryConnection>): Promise<void> {
    await this.scim.forget(id, connection.id);
    if (connection.status === 'active' && (await this.scim.isWaiting(connection.id)))
      await this.service.begin(connection, { mode: 'delta', trigger: 'push' }, true);
  }

  /** The directory could not be read. Inside a unit of work. */
  async fail(id: number, error: { code: string; message: string }): Promise<void> {
    const run = await this.runs.lockIfAny(id);
    if (!run || (run.status !== 'running' && run.status !== 'queued' && run.status !== 'receiving')) return;
    await this.service.forgetParts(id);
    const finished_at = await this.database.moment();
    await this.runs.apply(run, { values: { status: 'failed', error, finished_at }, events: ['directory_run.failed'] });
    const connection = await this.connections.lock(run.connection_id);
    const failure_count = connection.failure_count + 1;
    const isOver = failure_count >= MAX_FAILURES;
    const status = connection.status === 'disabled' ? 'disabled' : isOver ? 'quarantined' : 'error';
    const events = [isOver ? 'directory_connection.quarantined' : 'directory_connection.failed'];
    await this.connections.apply(connection, { values: { status, failure_count, last_error: error }, events });
  }

  private async counted(id: number): Promise<ReturnType<typeof countsOf>> {
    const rows = await this.database.query<{ object: string; action: Action; result: Result; n: number }>(
      `SELECT object, action, result, count(*)::integer AS n FROM directory_changes WHERE workspace_id = $1 AND run_id = $2 GROUP BY 1, 2, 3`,
      [currentWorkspaceId(), id],
    );
    return countsOf(rows);
  }
}
