import type { Config } from '../config';

/** Of a process, outside its pool: one that listens for revocations, one for the health check. */
const BESIDE_POOL = 2;

/** Most connections to PostgreSQL that the processes of one start hold together. */
export function connectionsOf({ clusterWorkers, databasePoolSize }: Config): number {
  return clusterWorkers * (databasePoolSize + BESIDE_POOL);
}
