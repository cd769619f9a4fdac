import type { RuntimeConfig } from '../../src/platform/context/runtime-config';
import { type TestApp, useOwnApp } from './app';
import { scratchDatabase } from './scratch-database';
import { openSql, type Sql } from './sql';

/**
 * An application for the tests of a file alone, on a migrated database of its own where nobody is at work but who is asked (`role: api`),
 * and SQL for that database, whose address as its owner is there before the tests.
 */
export function useScratchApp(overrides: Partial<RuntimeConfig> = {}): {
  server: TestApp;
  sql: Sql;
  owner: { databaseUrl: string };
} {
  const config: Partial<RuntimeConfig> = { role: 'api', ...overrides };
  const sql = {} as Sql & { end(): Promise<void> };
  const owner = { databaseUrl: '' };
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const scratch = await scratchDatabase({ migrated: true });
    Object.assign(config, { databaseUrl: scratch.serviceUrl });
    owner.databaseUrl = scratch.url;
    Object.assign(sql, openSql(scratch.url));
    drop = () => scratch.drop();
  });
  const server = useOwnApp(config);
  afterAll(async () => {
    await sql.end();
    await drop();
  });
  return { server, sql, owner };
}
