import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The embedded PostgreSQL of a data directory as its superuser, for what tests and measurements look at from outside. */
export function adminUrl(dataDir: string, databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.username = 'helpdesk';
  url.password = readFileSync(join(dataDir, 'postgres', 'password'), 'utf8').trim();
  return url.href;
}
