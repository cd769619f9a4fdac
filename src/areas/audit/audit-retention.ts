import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { PeriodicJobs, RUN_AGAIN } from '../../platform/schedule/periodic-jobs';

const EVERY_MS = 600_000;
const BATCH = 2_000;

/** How long the audit log is kept: a year, and a month to ask about it. */
export const AUDIT_DAYS = 400;

/** Removes entries of the audit log when their time is over; nothing else does. */
@Injectable()
export class AuditRetention implements OnModuleInit {
  constructor(
    private readonly jobs: PeriodicJobs,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.jobs.register('prune-audit-logs', EVERY_MS, () => this.run());
  }

  /** One batch; inside `Database.system()`. */
  async run(): Promise<typeof RUN_AGAIN | undefined> {
    const [pruned] = await this.database.query<{ count: number }>(
      `WITH chosen AS MATERIALIZED (
         SELECT ctid AS row FROM audit_logs WHERE created_at < now() - interval '${AUDIT_DAYS} days'
         LIMIT ${BATCH} FOR UPDATE SKIP LOCKED),
       gone AS (
         DELETE FROM audit_logs WHERE ctid = ANY (ARRAY(SELECT row FROM chosen)) RETURNING 1)
       SELECT count(*) FROM gone`,
    );
    return Number(pruned?.count) === BATCH ? RUN_AGAIN : undefined;
  }
}
