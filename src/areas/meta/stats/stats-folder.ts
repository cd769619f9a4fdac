import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { NOTHING_TO_DO, PeriodicJobs } from '../../../platform/schedule/periodic-jobs';

const EVERY_MS = 1_000;
const BATCH = 20_000;

/** Folds what writers appended to the statistics into their counters; readers add both, so it may take its time. */
@Injectable()
export class StatsFolder implements OnModuleInit {
  constructor(
    private readonly jobs: PeriodicJobs,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.jobs.register('fold-stats', EVERY_MS, () => this.fold(), { forRequests: true });
  }

  /** Folds what there is; inside `Database.system()`. */
  async fold(): Promise<typeof NOTHING_TO_DO | undefined> {
    for (let some = false; ; some = true) {
      const [row] = await this.database.query<{ folded: number }>(`SELECT fold_stats($1) AS folded`, [BATCH]);
      const folded = row?.folded ?? 0;
      if (folded < BATCH) return some || folded > 0 ? undefined : NOTHING_TO_DO;
    }
  }
}
