import { DataSource } from 'typeorm';
import { type Config, loadConfig } from '../config';
import { checkDatabase } from '../embedded/connection-check';
import { attachOrStartServices } from '../embedded/services';
import { Areas } from '../platform/area/areas';
import { accountEntities } from '../platform/auth/account-entities';
import { Directory } from './directory';
import { Plans } from '../platform/auth/plans.service';
import { Provisioning } from '../platform/auth/provisioning.service';
import { Tokens } from '../platform/auth/tokens.service';
import { createDataSourceOptions } from '../platform/database/data-source';
import { Database } from '../platform/database/database';
import { eventKind } from '../platform/events/event-catalogue';
import { bringUpToDate } from './schema';

/** What a command works with: the database, without booting the application. */
export interface Session {
  readonly config: Pick<Config, 'dataDir'> & Partial<Pick<Config, 'databaseWaitMs'>>;
  readonly database: Database;
  readonly provisioning: Provisioning;
  readonly tokens: Tokens;
  readonly plans: Plans;
  readonly directory: Directory;
}

const CONNECTIONS = 4;

/**
 * Runs `work` on the database of the running server, or on one started for the time being; pending migrations are
 * applied first.
 *
 * @param say told what is being started
 * @param work also gets the address of the database as the owner of the tables, for bulk loads
 */
export async function withSession<T>(
  say: (line: string) => void,
  work: (session: Session, migrateDatabaseUrl: string) => Promise<T>,
): Promise<T> {
  const config = loadConfig();
  const services = await databaseOf(config, say);
  try {
    const { databaseUrl, migrateDatabaseUrl } = services;
    await bringUpToDate(migrateDatabaseUrl, say);
    return await openSession(config, databaseUrl, (session) => work(session, migrateDatabaseUrl));
  } finally {
    await services.stop();
  }
}

/** Runs `work` on a migrated database that is known to answer. */
export async function openSession<T>(
  config: Session['config'],
  databaseUrl: string,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const dataSource = new DataSource(
    createDataSourceOptions(databaseUrl, CONNECTIONS, accountEntities, config.databaseWaitMs),
  );
  await dataSource.initialize();
  // Commands load no area; what they do is told by the platform's own events.
  if (!eventKind('token.created')) new Areas([]).install();
  try {
    const database = new Database(dataSource);
    return await work({
      config,
      database,
      provisioning: new Provisioning(database),
      tokens: new Tokens(database),
      plans: new Plans(database),
      directory: new Directory(database),
    });
  } finally {
    await dataSource.destroy();
  }
}

/** The database that answers. Commands leave Redis alone: revoking a token must work while it is away. */
export async function databaseOf(
  config: Config,
  say: (line: string) => void,
): Promise<{ databaseUrl: string; migrateDatabaseUrl: string; stop: () => Promise<void> }> {
  const { databaseUrl } = config;
  if (databaseUrl === null) return attachOrStartServices(config, say);
  const migrateDatabaseUrl = config.migrateDatabaseUrl ?? databaseUrl;
  await checkDatabase(databaseUrl, say);
  if (migrateDatabaseUrl !== databaseUrl) await checkDatabase(migrateDatabaseUrl);
  return { databaseUrl, migrateDatabaseUrl, stop: () => Promise.resolve() };
}
