import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../database/database';
import { PeriodicJobs } from '../schedule/periodic-jobs';

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
  async fold(): Promise<void> {
    for (;;) {
      const [row] = await this.database.query<{ folded: number }>(`SELECT fold_tallies($1) AS folded`, [BATCH]);
      if ((row?.folded ?? 0) < BATCH) return;
    }
  }
}
