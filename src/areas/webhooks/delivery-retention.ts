import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { PeriodicJobs, RUN_AGAIN } from '../../platform/schedule/periodic-jobs';

const EVERY_MS = 600_000;
const BATCH = 2_000;

/** Deletes deliveries, with what was sent and answered, after 30 days. */
@Injectable()
export class DeliveryRetention implements OnModuleInit {
  constructor(
    private readonly jobs: PeriodicJobs,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.jobs.register('prune-webhook-deliveries', EVERY_MS, () => this.run());
  }

  /** One batch; inside `Database.system()`. */
  async run(): Promise<typeof RUN_AGAIN | undefined> {
    const [pruned] = await this.database.query<{ count: number }>(
      `WITH chosen AS MATERIALIZED (
         SELECT ctid AS row FROM webhook_deliveries WHERE created_at < now() - interval '30 days'
         LIMIT ${BATCH} FOR UPDATE SKIP LOCKED),
       gone AS (
         DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY(SELECT row FROM chosen)) RETURNING 1)
       SELECT count(*) FROM gone`,
    );
    return Number(pruned?.count) === BATCH ? RUN_AGAIN : undefined;
  }
}
