import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { loadConfig } from '../config';
import { pendingMigrations, runMigrations } from '../platform/database/migrate';
import { pluginPlaces } from '../plugins/load';

const FOLDER = join(__dirname, '..', '..', 'migrations');

/**
 * Brings the database up to date, plug-ins included. Most commands find nothing to do: knowing that takes the names of the files in
 * `migrations/`, and none of the areas, which take longer to load than the rest of the command to run.
 *
 * @param say told in one line what was applied
 * @returns names of the migrations applied now
 */
export async function bringUpToDate(databaseUrl: string, say?: (line: string) => void): Promise<string[]> {
  const config = loadConfig();
  const plugins = pluginPlaces(config.plugins);
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    if (plugins.length === 0 && (await pendingFiles(client)).length === 0) return [];
  } finally {
    await client.end();
  }
  const [{ installedAreas }, { Areas }] = await Promise.all([
    import('../plugins/installed.js'),
    import('../platform/area/areas.js'),
  ]);
  return runMigrations(databaseUrl, new Areas(installedAreas(config)).migrations, say);
}

/** Names of the migrations in `migrations/` that the database still lacks. */
export function pendingFiles(client: Client): Promise<string[]> {
  const names = readdirSync(FOLDER).flatMap((file) => classOf(file) ?? []);
  return pendingMigrations(names, async (sql) => (await client.query<{ name: string }>(sql)).rows);
}

/** `CreateTickets1763600600000` of `1763600600000-create-tickets.js`; a test holds one against the other. */
function classOf(file: string): string | null {
  const [, timestamp = '', words = ''] = /^(\d{13})-([a-z0-9-]+)\.[jt]s$/.exec(file) ?? [];
  if (timestamp === '') return null;
  return words.replace(/(^|-)(\w)/g, (_all, _dash, letter: string) => letter.toUpperCase()) + timestamp;
}
