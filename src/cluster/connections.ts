import type { Config } from '../config';

/** Of a process, outside its pool: two that listen (for revocations, and for what changed of a workspace), one for the health check. */
const BESIDE_POOL = 3;

/** Most connections to PostgreSQL that the processes of one start hold together. */
export function connectionsOf({ clusterWorkers, databasePoolSize }: Config): number {
  return clusterWorkers * (databasePoolSize + BESIDE_POOL);
}
