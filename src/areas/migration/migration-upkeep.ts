import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { InboxStore } from '../../platform/files/file-store';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { PeriodicJobs, RUN_AGAIN } from '../../platform/schedule/periodic-jobs';
import { MigrationFiles } from './files/migration-files';
import { MigrationJob } from './jobs/migration-job.entity';

const MINUTE_MS = 60_000;
const BATCH = 100;
const FORGOTTEN = 2_000;
const PAGE = 500;
/** What is younger may still get a row. */
const ORPHAN_MS = 120 * MINUTE_MS;
const ACTOR = { type: 'system', id: null, name: 'system' } as const;

/** Ends migrations that got stuck, forgets what sources said, and removes files that are done with. */
@Injectable()
export class MigrationUpkeep implements OnModuleInit {
  /** How far the comparison of store and rows has come; null = it begins anew. */
  private reached: string | null = null;

  constructor(
    @InjectStore(MigrationJob) private readonly migrations: Store<MigrationJob>,
    private readonly database: Database,
    private readonly jobs: PeriodicJobs,
    private readonly files: MigrationFiles,
    private readonly store: InboxStore,
  ) {}

  onModuleInit(): void {
    this.jobs.register('migrations-over', 10 * MINUTE_MS, () => this.endAll(), { byClock: true });
    this.jobs.register('migrations-forget', 10 * MINUTE_MS, () => this.forget());
    this.jobs.register('migrations-compare', 60 * MINUTE_MS, () => this.compare());
  }

  /** Jobs that nobody works on any more fail, and can be resumed; files of those that were over a month ago go. */
  private async endAll(): Promise<typeof RUN_AGAIN | undefined> {
    const over = await this.database.query<{ workspace_id: number; id: number; is_stuck: boolean }>(OVER);
    for (const { workspace_id, id, is_stuck } of over)
      await this.database.inWorkspace(workspace_id, ACTOR, () =>
        this.database.transaction(async () => {
          const job = await this.migrations.lockIfAny(id);
          if (!is_stuck) return this.forgetSent(id);
          // It moved on a moment ago.
          if (!job || !['running', 'validating', 'rolling_back'].includes(job.status)) return;
          const status = job.status === 'validating' ? 'invalid' : 'failed';
          const last_error = 'It got stuck; let it go on.';
          await this.migrations.apply(job, { values: { status, last_error }, events: ['migration.job_failed'] });
        }),
      );
    return over.length === BATCH ? RUN_AGAIN : undefined;
  }

  /** The files of a job, and what let us into its service. */
  private async forgetSent(id: number): Promise<void> {
    await this.files.takeAway(id);
    await this.database.query(
      `UPDATE migration_jobs SET sealed = NULL, connection = '{}', version = version + 1 WHERE workspace_id = $1 AND id = $2 AND origin IS NOT NULL`,
      [currentWorkspaceId(), id],
    );
  }

  /** What records of a source said is kept for 30 days, and what updates changed for as long as they can be taken back. */
  private async forget(): Promise<typeof RUN_AGAIN | undefined> {
    const [forgotten] = await this.database.query<{ n: number }>(
      `WITH old AS (UPDATE migration_records SET payload = NULL, version = version + 1 WHERE (workspace_id, id) IN
         (SELECT workspace_id, id FROM migration_records WHERE payload IS NOT NULL AND processed_at < now() - interval '30 days' LIMIT ${FORGOTTEN})
         RETURNING 1) SELECT count(*)::integer AS n FROM old`,
    );
    const [changed] = await this.database.query<{ n: number }>(CHANGES_OVER);
    return forgotten?.n === FORGOTTEN || changed?.n === FORGOTTEN ? RUN_AGAIN : undefined;
  }

  /** Files of jobs and workspaces that are gone, and what nobody came to tell of. */
  private async compare(): Promise<typeof RUN_AGAIN | undefined> {
    const stored = await this.store.list(this.reached, PAGE);
    const old = stored.filter(({ at }) => at.getTime() < Date.now() - ORPHAN_MS).map(({ key }) => key);
    const rows = await this.database.query<{ storage_key: string }>(
      `SELECT storage_key FROM migration_files WHERE storage_key = ANY($1::text[])`,
      [old],
    );
    const known = new Set(rows.map(({ storage_key }) => storage_key));
    await this.files.discard(old.filter((key) => !known.has(key)));
    this.reached = stored.length === PAGE ? (stored.at(-1)?.key ?? null) : null;
    return this.reached === null ? undefined : RUN_AGAIN;
  }
}

const CHANGES_OVER = `
  WITH old AS (UPDATE migration_records SET changes = NULL, version = version + 1 WHERE (workspace_id, id) IN
    (SELECT r.workspace_id, r.id FROM migration_records r JOIN migration_jobs j ON j.workspace_id = r.workspace_id AND j.id = r.job_id
     WHERE r.changes IS NOT NULL AND r.processed_at < now() - interval '30 days' AND j.finished_at < now() - interval '30 days' LIMIT ${FORGOTTEN})
    RETURNING 1) SELECT count(*)::integer AS n FROM old`;

const OVER = `
  SELECT workspace_id, id, true AS is_stuck FROM migration_jobs
    WHERE status IN ('running', 'validating', 'rolling_back') AND touched_at < now() - interval '3 hours'
  UNION ALL
  SELECT j.workspace_id, j.id, false FROM migration_jobs j
    WHERE j.finished_at < now() - interval '30 days' AND (j.sealed IS NOT NULL OR EXISTS (SELECT FROM migration_files f WHERE f.workspace_id = j.workspace_id AND f.job_id = j.id))
  LIMIT ${BATCH}`;
