import { currentWorkspaceId } from '../../platform/context/current';
import type { Database } from '../../platform/database/database';
import type { JobQueue } from '../../platform/queue/job-queue';
import { INSERT_JOBS } from '../../platform/queue/job-table';

/** Job: the open tickets of a policy (and those without one) get the policy and the clocks that they should have. */
export const RECOMPUTE = 'sla_recompute';

/** Enters the job for each of the policies into the queue, inside the current unit of work; answers the id of the first. */
export async function enqueueRecompute(
  database: Database,
  queue: JobQueue,
  policyIds: readonly number[],
): Promise<number> {
  const [job] = await database.query<{ id: number }>(
    `${INSERT_JOBS} SELECT $1, '${RECOMPUTE}', p.id, p.id FROM unnest($2::bigint[]) AS p (id) RETURNING id`,
    [currentWorkspaceId(), policyIds],
  );
  database.afterCommit(() => queue.wake());
  return job?.id ?? 0;
}
