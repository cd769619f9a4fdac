import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { patience } from './machine';
import { testServices } from './services';

/** The migrated database as it was before the first test. */
export const TEMPLATE = 'migrated_template';

const CONNECTING_MS = 30_000;

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
    `CREATE DATABASE ${name} OWNER helpdesk_owner ${options.migrated ? `TEMPLATE ${TEMPLATE}` : ''}`,
  );
  const at = (address: string): string => {
    const url = new URL(address);
    url.pathname = `/${name}`;
    return url.href;
  };
  // A copy is a database of its own: its nodes must not meet those of its template, or of another copy, in Redis.
  const rename = `UPDATE platform_facts SET value = gen_random_uuid()::text WHERE name = 'database_id'`;
  if (options.migrated) await administer(at(adminUrl), rename);
  const drop = (): Promise<void> => administer(adminUrl, `DROP DATABASE ${name} WITH (FORCE)`);
  return { name, url: at(adminUrl), serviceUrl: at(databaseUrl), drop };
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
