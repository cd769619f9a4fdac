import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { PeriodicJobs, RUN_AGAIN } from '../../../platform/schedule/periodic-jobs';

const EVERY_MS = 600_000;
const BATCH = 2_000;

/** Forgets what a job did to each ticket 30 days after its end; the job stays, with its counts. */
@Injectable()
export class BulkRetention implements OnModuleInit {
  constructor(
    private readonly jobs: PeriodicJobs,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.jobs.register('prune-bulk-jobs', EVERY_MS, () => this.run());
  }

  /** One batch; inside `Database.system()`. */
  async run(): Promise<typeof RUN_AGAIN | undefined> {
    const [pruned] = await this.database.query<{ count: number }>(
      `WITH chosen AS MATERIALIZED (
         SELECT i.ctid AS row FROM bulk_jobs j JOIN bulk_job_items i ON i.workspace_id = j.workspace_id AND i.job_id = j.id
         WHERE j.finished_at < now() - interval '30 days' LIMIT ${BATCH} FOR UPDATE OF i SKIP LOCKED),
       gone AS (
         DELETE FROM bulk_job_items WHERE ctid = ANY (ARRAY(SELECT row FROM chosen)) RETURNING 1)
       SELECT count(*) FROM gone`,
    );
    return Number(pruned?.count) === BATCH ? RUN_AGAIN : undefined;
  }
}
