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
  url: string;
  drop(): Promise<void>;
}

/** Creates a database; empty unless it is to be migrated. */
export async function scratchDatabase(options: { migrated: boolean }): Promise<ScratchDatabase> {
  const { databaseUrl } = testServices();
  const name = `scratch_${randomBytes(6).toString('hex')}`;
  await administer(databaseUrl, `CREATE DATABASE ${name} ${options.migrated ? `TEMPLATE ${TEMPLATE}` : ''}`);
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return { name, url: url.href, drop: () => administer(databaseUrl, `DROP DATABASE ${name} WITH (FORCE)`) };
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
