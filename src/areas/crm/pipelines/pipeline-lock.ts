import { currentWorkspaceId } from '../../../platform/context/current';
import type { Database } from '../../../platform/database/database';
import { holdTopic } from '../../../platform/database/workspace-lock';

const TOPIC = 'pipelines';

/**
 * For changes of pipelines and stages: waits until nobody else changes one, or moves a deal, in the workspace, and keeps
 * them out until the end of the unit of work. Take it before any row lock.
 */
export function holdPipelines(database: Database): Promise<void> {
  return holdTopic(database, TOPIC);
}

/** For changes of deals: many at once, but none while a pipeline or a stage changes. Take it before locking the deal. */
export async function keepPipelines(database: Database): Promise<void> {
  const text = `SELECT pg_advisory_xact_lock_shared(hashtextextended($1, $2::bigint))`;
  await database.batch([{ text, values: [TOPIC, currentWorkspaceId()] }]);
}
