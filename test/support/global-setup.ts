import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { liveInstance } from '../../src/embedded/data-dir';
import { endAbandonedServices, startServices } from '../../src/embedded/services';
import { runMigrations } from '../../src/platform/database/migrate';
import { adminUrl } from './admin-url';
import { dataFolder, dataParents } from './folders';
import { measureSlowness, patience } from './machine';
import { migrationFiles } from './migration-files';
import { REFUSED_SUBJECT } from './refused-subject';
import { administer, TEMPLATE } from './scratch-database';
import { keepForTeardown, tearDown } from './test-run';

const prefix = 'helpdesk-test-';
const abandonedAfterMs = 60_000;

/** Starts PostgreSQL and Redis of the run's own on free ports, in a directory that goes away with them, migrates from zero, and keeps the outcome as a template. */
async function globalSetup(): Promise<void> {
  measureSlowness();
  await removeAbandoned();
  const dataDir = dataFolder(prefix);
  const services = await startServices({ dataDir, databaseUrl: null, redisUrl: null }, say, { durable: false });
  keepForTeardown(() => services.stop());
  // Also where Ctrl-C ends the run and with it, before this, the services.
  process.once('exit', () => {
    rmSync(dataDir, { recursive: true, force: true });
  });
  const admin = adminUrl(dataDir, services.databaseUrl);
  try {
    await runMigrations(services.migrateDatabaseUrl, migrationFiles());
    await administer(
      admin,
      `CREATE DATABASE ${TEMPLATE} TEMPLATE ${new URL(services.databaseUrl).pathname.slice(1)}`,
      `ALTER TABLE tickets ADD CONSTRAINT ck_tickets_refused CHECK (subject <> '${REFUSED_SUBJECT}') NOT VALID`,
    );
  } catch (error) {
    // Jest tears down only what was set up completely.
    await tearDown();
    throw error;
  }
  // Whatever else the environment or a .env says must not reach the tests: a set variable wins over .env, an empty one is unset.
  Object.assign(process.env, {
    ...{ DATABASE_URL: services.databaseUrl, MIGRATE_DATABASE_URL: services.migrateDatabaseUrl, TEST_ADMIN_URL: admin },
    ...{ REDIS_URL: services.redisUrl, DATA_DIR: join(dataDir, 'app'), PORT: '0' },
    ...{
      HOST: '',
      ROLE: '',
      PUBLIC_URL: '',
      LOG_LEVEL: '',
      DATABASE_POOL_SIZE: '',
      DATABASE_WAIT_MS: String(patience(5_000)),
      SHUTDOWN_TIMEOUT_SECONDS: '',
    },
  });
}

/** What a run that was killed could not take down itself. */
async function removeAbandoned(): Promise<void> {
  const names = dataParents
    .filter(existsSync)
    .flatMap((parent) => readdirSync(parent).map((name) => join(parent, name)));
  for (const directory of names) {
    if (!basename(directory).startsWith(prefix)) continue;
    // Another run may have just taken it away.
    const found = statSync(directory, { throwIfNoEntry: false });
    if (found?.uid !== process.getuid?.() || Date.now() - (found?.mtimeMs ?? 0) < abandonedAfterMs) continue;
    if (liveInstance(directory) !== null) continue;
    await endAbandonedServices(directory, say);
    rmSync(directory, { recursive: true, force: true });
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

export = globalSetup;
