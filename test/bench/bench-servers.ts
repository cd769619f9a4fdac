import { join } from 'node:path';
import { projectRoot } from '../../src/config';
import { ticketResource } from '../../src/areas/tickets/ticket.resource';
import type { BenchWorkspace } from './bench-data';
import { Child } from './child';

/** Connections of each side. */
const POOL = '10';

/** The handlers that a service is measured against. */
export function startBare(databaseUrl: string, measured: BenchWorkspace): Promise<Child> {
  const columns = ticketResource.columns.filter((column) => column.sql === undefined).map((column) => column.name);
  const env = { DATABASE_URL: databaseUrl, POOL, WORKSPACE: String(measured.id), COLUMNS: columns.join(',') };
  return Child.start(join(__dirname, 'bare-server.js'), env, '/ready');
}

/** The service as it is run, all features on; resolves with the first answer to a list of tickets. */
export function startService(
  { databaseUrl, redisUrl }: { databaseUrl: string; redisUrl: string },
  dataDir: string,
  measured: BenchWorkspace,
  more: Readonly<Record<string, string>> = {},
): Promise<Child> {
  const env = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    DATABASE_POOL_SIZE: POOL,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    ROLE: 'all',
    ...more,
  };
  return Child.start(join(projectRoot, 'dist', 'src', 'main.js'), env, '/v1/tickets', measured.token);
}
