import { currentWorkspaceId } from '../context/current';
import type { Database } from './database';

/**
 * Waits until no other transaction of the workspace holds `topic`, and holds it until the end of this one: for rules
 * over several records (a tree without cycles, the last owner) that row locks cannot keep. Take it before any row lock.
 */
export async function holdTopic(database: Database, topic: string): Promise<void> {
  const text = `SELECT pg_advisory_xact_lock(hashtextextended($1, $2::bigint))`;
  await database.batch([{ text, values: [topic, currentWorkspaceId()] }]);
}
