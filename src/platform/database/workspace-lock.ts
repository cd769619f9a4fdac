import { currentWorkspaceId } from '../context/current';
import type { Database } from './database';

/**
 * Waits until no other transaction of the workspace holds `topic`, and holds it until the end of this one; `shared`: many at
 * once, while nobody holds it alone. What areas hold, they hold through a store.
 */
export async function holdTopic(database: Database, topic: string, shared = false): Promise<void> {
  const lock = shared ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  const text = `SELECT ${lock}(hashtextextended($1, $2::bigint))`;
  await database.run([{ text, values: [topic, currentWorkspaceId()] }]);
}
