import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../database/database';
import { NOTHING_TO_DO, PeriodicJobs } from '../schedule/periodic-jobs';

/** The job's name, for who cannot wait for its time. */
export const INDEX_PENDING_WORDS = 'index-pending-words';
/** Seldom enough that what many records share is indexed once for all of them, often enough that no search goes through much. */
const EVERY_MS = 15_000;
/** A full list takes a slow machine some seconds, and is begun anew by a run that was cut off. */
const INDEXING_MS = 60_000;

/**
 * Has PostgreSQL index the words that were written lately (its documentation, "GIN Fast Update Technique"): until then each search goes through
 * them one by one, and who writes the last of 4 MB of them waits until all are indexed.
 */
@Injectable()
export class PendingWords implements OnModuleInit {
  constructor(
    private readonly jobs: PeriodicJobs,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.jobs.register(INDEX_PENDING_WORDS, EVERY_MS, () => this.index(), { forRequests: true });
  }

  private async index(): Promise<typeof NOTHING_TO_DO | undefined> {
    await this.database.query(`SET LOCAL statement_timeout = ${INDEXING_MS}`);
    const [row] = await this.database.query<{ pages: number }>(`SELECT index_pending_words() AS pages`);
    return row?.pages ? undefined : NOTHING_TO_DO;
  }
}
