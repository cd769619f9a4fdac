import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { patience } from './machine';
import { testServices } from './services';
import { until } from './until';

/** The migrated database as it was before the first test. */
export const TEMPLATE = 'migrated_template';

const CONNECTING_MS = 30_000;
const LEAVING_MS = 5_000;

/** A database that a test has to itself, on the PostgreSQL of this run. */
export interface ScratchDatabase {
  name: string;
  /** As the superuser. */
  url: string;
  /** As the role that the service logs in as. */
  serviceUrl: string;
  drop(): Promise<void>;
}

/** Creates a database; empty unless it is to be migrated. */
export async function scratchDatabase(options: { migrated: boolean }): Promise<ScratchDatabase> {
  const { adminUrl, databaseUrl } = testServices();
  const name = `scratch_${randomBytes(6).toString('hex')}`;
  await administer(
    adminUrl,
    `CREATE DATABASE ${name} OWNER helpdesk_owner ${options.migrated ? `TEMPLATE ${TEMPLATE} STRATEGY FILE_COPY` : ''}`,
  );
  const at = (address: string): string => {
    const url = new URL(address);
    url.pathname = `/${name}`;
    return url.href;
  };
  // A copy is a database of its own: its nodes must not meet those of its template, or of another copy, in Redis.
  const rename = `UPDATE platform_facts SET value = gen_random_uuid()::text WHERE name = 'database_id'`;
  if (options.migrated) await administer(at(adminUrl), rename);
  const drop = async (): Promise<void> => {
    await deserted(adminUrl, name);
    await administer(adminUrl, `DROP DATABASE ${name} WITH (FORCE)`);
  };
  return { name, url: at(adminUrl), serviceUrl: at(databaseUrl), drop };
}

/**
 * Waits until nobody is connected to a database any more. A pool says that it has ended before its connections have: thrown
 * out meanwhile, one of them is an error that nobody takes. What stays all the same belongs to a process that was killed.
 */
async function deserted(adminUrl: string, name: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl, connectionTimeoutMillis: patience(CONNECTING_MS) });
  await client.connect();
  const isDeserted = async (): Promise<boolean> => {
    const { rows } = await client.query(
      `SELECT FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'client backend'`,
      [name],
    );
    return rows.length === 0;
  };
  try {
    await until('all connections were closed', isDeserted, LEAVING_MS).catch(() => undefined);
  } finally {
    await client.end();
  }
}

/** Runs statements one after the other, on a connection of their own. */
export async function administer(databaseUrl: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: patience(CONNECTING_MS) });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
