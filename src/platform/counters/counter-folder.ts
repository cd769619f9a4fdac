import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../database/database';
import { NOTHING_TO_DO, PeriodicJobs } from '../schedule/periodic-jobs';

const EVERY_MS = 250;
const BATCH = 20_000;

/** Folds the differences that writers appended into the counters, so that totals stay one lookup. */
@Injectable()
export class CounterFolder implements OnModuleInit {
  constructor(
    private readonly jobs: PeriodicJobs,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.jobs.register('fold-counters', EVERY_MS, () => this.fold(), { forRequests: true });
  }

  /** Folds what there is; inside `Database.system()`. */
  async fold(): Promise<typeof NOTHING_TO_DO | undefined> {
    for (let some = false; ; some = true) {
      const [row] = await this.database.query<{ folded: number }>(`SELECT fold_tallies($1) AS folded`, [BATCH]);
      const folded = row?.folded ?? 0;
      if (folded < BATCH) return some || folded > 0 ? undefined : NOTHING_TO_DO;
    }
  }
}
