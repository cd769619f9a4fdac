import { Client } from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import { readBigintsAsNumbers } from './data-source';
import { followTextOrder } from './text-order-version';
import { FOLLOW_CLOCK } from './workspace-clock';

/** Table of executed migrations. */
export const MIGRATIONS_TABLE = 'schema_migrations';

/** Any number no other program locks: two processes that start together take turns. */
const LOCK = 7_163_600_000;

/**
 * Brings the database up to the newest migration, each in a transaction of its own, and indexes of texts up to the library that compares
 * them.
 *
 * @param migrations every one, oldest first
 * @param say told in one line what was applied, and in another what the database has seen that is not among them
 * @returns names of the migrations applied now
 * @throws MigrationError (migrations/support/v1/roles) when the database user lacks a right; driver errors otherwise
 */
export async function runMigrations(
  databaseUrl: string,
  migrations: readonly (new () => MigrationInterface)[],
  say: (line: string) => void = () => undefined,
): Promise<string[]> {
  readBigintsAsNumbers();
  const lock = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5000, keepAlive: true });
  lock.on('error', () => undefined);
  await lock.connect();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [LOCK]);
    // Most starts find nothing to do: knowing that needs no TypeORM.
    const names = migrations.map(({ name }) => name);
    const known = await appliedMigrations(async (sql) => (await lock.query<{ name: string }>(sql)).rows);
    const pending = names.filter((name) => !known.has(name));
    const foreign = [...known].filter((name) => !names.includes(name));
    if (foreign.length)
      say(`The database was migrated by a newer version, or a plug-in that is not loaded here: ${foreign.join(', ')}.`);
    const applied = pending.length ? await applyPending(databaseUrl, migrations, say) : [];
    await followTextOrder(lock, say);
    return applied;
  } finally {
    await lock.end();
  }
}

/** Those of the named migrations that the database still lacks. `query` runs one SQL text on any connection. */
export async function pendingMigrations(
  names: readonly string[],
  query: (sql: string) => Promise<{ name: string }[]>,
): Promise<string[]> {
  const applied = await appliedMigrations(query);
  return names.filter((name) => !applied.has(name));
}

/** Those that the database has seen, in their order. */
async function appliedMigrations(query: (sql: string) => Promise<{ name: string }[]>): Promise<Set<string>> {
  const [table] = await query(`SELECT to_regclass('${MIGRATIONS_TABLE}')::text AS name`);
  const rows = table?.name ? await query(`SELECT name FROM ${MIGRATIONS_TABLE} ORDER BY id`) : [];
  return new Set(rows.map((row) => row.name));
}

async function applyPending(
  databaseUrl: string,
  migrations: readonly (new () => MigrationInterface)[],
  say: (line: string) => void,
): Promise<string[]> {
  const dataSource = new DataSource({
    type: 'postgres',
    url: databaseUrl,
    migrations: [...migrations],
    migrationsTableName: MIGRATIONS_TABLE,
    poolSize: 1,
    connectTimeoutMS: 5000,
    installExtensions: false,
    applicationName: 'helpdesk-api migrations',
    logging: false,
    logger: 'debug',
    extra: { options: '-c TimeZone=UTC -c lock_timeout=10000' },
  });
  await dataSource.initialize();
  try {
    const started = performance.now();
    const applied = await dataSource.runMigrations({ transaction: 'each' });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    if (applied.length) say(`${applied.length} migration${applied.length > 1 ? 's' : ''} applied (${seconds} s).`);
    // Readiness asks, as the confined role, whether migrations are pending.
    if (applied.length) await dataSource.query(`GRANT SELECT ON ${MIGRATIONS_TABLE} TO helpdesk_app, helpdesk_system`);
    if (applied.length) await dataSource.query(FOLLOW_CLOCK);
    return applied.map((migration) => migration.name);
  } finally {
    await dataSource.destroy();
  }
}
