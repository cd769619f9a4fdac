import { Logger } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { AccessCache } from '../../src/platform/auth/access-cache';
import { accountEntities } from '../../src/platform/auth/account-entities';
import { Provisioning } from '../../src/platform/auth/provisioning.service';
import { makeToken } from '../../src/platform/auth/token-format';
import { Tokens } from '../../src/platform/auth/tokens.service';
import { Database } from '../../src/platform/database/database';
import { testDataSource } from '../support/data-source';
import { testConfig } from '../support/app';
import { type NetworkGate, openGate } from '../support/network-gate';
import { type ScratchDatabase, scratchDatabase } from '../support/scratch-database';
import { until } from '../support/until';

Logger.overrideLogger(false);

let scratch: ScratchDatabase;
let dataSource: DataSource;
let database: Database;
let gate: NetworkGate;
let cache: AccessCache;
/** Connections that the cache asked for: one a look-up. */
let lookups: jest.SpyInstance;

beforeAll(async () => {
  // A database of its own: changes announced by other tests would empty the cache.
  scratch = await scratchDatabase({ migrated: true });
  const databaseUrl = scratch.serviceUrl;
  dataSource = await new DataSource(testDataSource(databaseUrl, 4, accountEntities)).initialize();
  database = new Database(dataSource);
  // Only what listens goes through the gate: look-ups work while notifications do not arrive.
  gate = await openGate(databaseUrl);
  cache = new AccessCache(database, testConfig({ databaseUrl: gate.url }));
  await cache.onModuleInit();
});

afterAll(async () => {
  await cache.onApplicationShutdown();
  await gate.close();
  await dataSource.destroy();
  await scratch.drop();
});

beforeEach(() => {
  lookups = jest.spyOn(database, 'connect');
});

afterEach(() => {
  lookups.mockRestore();
});

async function makeAccess(): Promise<{ id: number; token: string; slug: string }> {
  const name = `Access ${randomBytes(6).toString('hex')}`;
  const workspace = await new Provisioning(database).createWorkspace({ name });
  const { id, token } = await new Tokens(database).create({ workspaceId: workspace.id, scopes: ['read'] });
  await heard();
  // What was announced makes the cache ask for sandboxes as well, behind its back: not a look-up.
  await database.sandboxes.learn();
  lookups.mockClear();
  return { id, token, slug: workspace.slug };
}

/**
 * Waits until the announcements of all changes so far have arrived. PostgreSQL sends what was announced to a connection before
 * it says that a statement of that connection is done.
 */
async function heard(): Promise<void> {
  await until('the cache listens', async () => (await cache['listener']['client']?.query('SELECT 1')) !== undefined);
}

describe('access cache', () => {
  it('knows token, workspace, app, developer and plan', async () => {
    const { id, token, slug } = await makeAccess();
    expect(await cache.find(token)).toMatchObject({
      token: { id, type: 'developer', scopes: ['read'], expires_at: null, user_id: null },
      workspace: { slug, kind: 'developer', timezone: 'UTC', currency: 'EUR', settings: {} },
      developer: { status: 'active' },
      app: { status: 'active' },
      tenant: null,
      plan: { key: 'free', rate_limit_per_minute: 60, monthly_quota: 10_000, overage_enabled: false },
      user: null,
    });
  });

  it('asks once for a token, whoever asks while the answer is on its way and afterwards', async () => {
    const { token } = await makeAccess();
    await Promise.all(Array.from({ length: 50 }, async () => cache.find(token)));
    expect(cache.find(token)).not.toBeInstanceOf(Promise);
    expect(lookups).toHaveBeenCalledTimes(1);
  });

  it('asks nothing for a token that fails its checksum', () => {
    const token = makeToken('developer');
    expect(cache.find(token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A'))).toBeNull();
    expect(cache.find('')).toBeNull();
    expect(lookups).not.toHaveBeenCalled();
  });

  it('remembers that a token is unknown', async () => {
    const token = makeToken('tenant');
    expect(await cache.find(token)).toBeNull();
    expect(cache.find(token)).toBeNull();
    expect(lookups).toHaveBeenCalledTimes(1);
  });

  it('does not keep an answer that was on its way when a change was announced', async () => {
    const { token } = await makeAccess();
    const answer = cache.find(token);
    cache.clear();
    expect(await answer).not.toBeNull();
    expect(cache.find(token)).toBeInstanceOf(Promise);
    await cache.find(token);
    expect(lookups).toHaveBeenCalledTimes(2);
  });

  it('forgets what it knows of a workspace whose people change, and of no other', async () => {
    const [one, other, unknown] = [await makeAccess(), await makeAccess(), makeToken('tenant')];
    const workspaceId = (await cache.find(one.token))?.workspace.id;
    for (const token of [other.token, unknown]) await cache.find(token);
    const change = (text: string): Promise<unknown> => database.system(() => database.query(text, [workspaceId]));
    await change(`INSERT INTO users (workspace_id, name, email) VALUES ($1, 'Ada', 'ada@acme.example')`);
    await change(`UPDATE users SET name = 'Eve' WHERE workspace_id = $1`);
    await heard();
    const found = [one.token, other.token, unknown].map((token) => cache.find(token));
    expect(found.map((each) => each instanceof Promise)).toEqual([true, false, true]);
    for (const each of found) await each;
  });

  it('does not forget tokens because one was used', async () => {
    const { id, token } = await makeAccess();
    await cache.find(token);
    await database.system(() => database.query('SELECT touch_tokens($1, $2)', [[id], [new Date().toISOString()]]));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(cache.find(token)).not.toBeInstanceOf(Promise);
  });

  it('ends a revoked token although announcements do not arrive, and hears them again later', async () => {
    const { id, token } = await makeAccess();
    expect(await cache.find(token)).not.toBeNull();
    await gate.cut();
    await new Tokens(database).revoke(id);
    await until('the token is refused', async () => (await cache.find(token)) === null);

    await gate.restore();
    const next = await makeAccess();
    await until('announcements arrive again', async () => {
      await cache.find(next.token);
      const before = cache.find(next.token);
      await new Promise((resolve) => setTimeout(resolve, 600));
      // Kept for longer than a deaf cache keeps anything.
      return !(before instanceof Promise) && !(cache.find(next.token) instanceof Promise);
    });
    await new Tokens(database).revoke(next.id);
    await until('the next token is refused', async () => (await cache.find(next.token)) === null);
  });
});
