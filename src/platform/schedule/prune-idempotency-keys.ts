import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../database/database';
import { PeriodicJobs, RUN_AGAIN } from './periodic-jobs';

const EVERY_MS = 10 * 60_000;
const BATCH = 5000;

/** Forgets idempotency keys after their 24 hours, by the database's clock. */
@Injectable()
export class PruneIdempotencyKeys implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly jobs: PeriodicJobs,
  ) {}

  onModuleInit(): void {
    this.jobs.register('prune idempotency keys', EVERY_MS, () => this.prune());
  }

  private async prune(): Promise<typeof RUN_AGAIN | null> {
    // Keys that a request is just claiming again are locked: skip them instead of waiting.
    const deleted = await this.database.query(
      `DELETE FROM idempotency_keys WHERE (workspace_id, key) IN (
         SELECT workspace_id, key FROM idempotency_keys WHERE expires_at <= now()
         ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING 1`,
    );
    return deleted.length === BATCH ? RUN_AGAIN : null;
  }
}
