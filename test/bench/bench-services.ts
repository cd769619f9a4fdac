import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningServices, startServices } from '../../src/embedded/services';
import { adminUrl } from '../support/admin-url';

/** The embedded services of a data directory, PostgreSQL as its superuser: measurements look at every workspace. */
export async function startBenchServices(dataDir: string): Promise<RunningServices> {
  const services = await startServices({ dataDir, databaseUrl: null, redisUrl: null }, console.log);
  const { databaseUrl, migrateDatabaseUrl } = services;
  return {
    ...services,
    databaseUrl: adminUrl(dataDir, databaseUrl),
    migrateDatabaseUrl,
  };
}

/** The first process of the embedded PostgreSQL. */
export function postmasterOf(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
}
