import type { Row } from '../../../platform/resource/rows';
import type { MigrationJob } from '../jobs/migration-job.entity';

/** How a turn ended: others have theirs, and then it goes on; or there is nothing more to do. */
export type Turn = 'again' | 'over';

/**
 * Goes on with a job, a page after the other, until the turn is over.
 *
 * @param until moment of `performance.now()` at which others have their turn
 * @param page one unit of work: the job as it is then; null where it is no longer this one's to do, or nothing is left
 */
export async function goOn(
  job: Row<MigrationJob>,
  until: number,
  page: (job: Row<MigrationJob>) => Promise<Row<MigrationJob> | Turn | null>,
): Promise<Turn> {
  let at = job;
  while (performance.now() < until) {
    const next = await page(at);
    if (next === null) return 'over';
    if (typeof next === 'string') return next;
    at = next;
  }
  return 'again';
}
