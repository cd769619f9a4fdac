import { Logger } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import type { Access, AccessPlan } from '../../src/platform/context/access';
import { accountEntities } from '../../src/platform/auth/account-entities';
import { Provisioning } from '../../src/platform/auth/provisioning.service';
import { type Context, newContext } from '../../src/platform/context/current';
import { Database } from '../../src/platform/database/database';
import { QuotaService } from '../../src/platform/limits/quota.service';
import { testDataSource } from '../support/data-source';
import { openGate } from '../support/network-gate';
import { testServices } from '../support/services';
import { until } from '../support/until';

const sources: DataSource[] = [];

async function connect(databaseUrl = testServices().databaseUrl): Promise<Database> {
  // Who waits in vain counts alone: on a slow machine, too, that is to happen only where a test cuts the connection.
  const options = testDataSource(databaseUrl, 4, accountEntities);
  const dataSource = await new DataSource(options).initialize();
  sources.push(dataSource);
  return new Database(dataSource);
}

let database: Database;

beforeAll(async () => {
  database = await connect();
});

Logger.overrideLogger(false);

afterAll(async () => {
  for (const source of sources) await source.destroy();
});

async function makeWorkspaceId(): Promise<number> {
  const name = `Quota ${randomBytes(6).toString('hex')}`;
  return (await new Provisioning(database).createWorkspace({ name })).id;
}

/** The context of one request of a workspace whose plan grants `monthly_quota`. */
function request(workspaceId: number, monthly_quota: number, overage_enabled = false): Context {
  const plan: AccessPlan = { key: 'k', name: 'K', rate_limit_per_minute: 0, monthly_quota, overage_enabled };
  const access = { workspace: { id: workspaceId }, plan } as Access;
  return newContext('test', { access, workspaceId });
}

async function stored(workspaceId: number): Promise<number> {
  const [row] = await database.system(() =>
    database.query<{ used: number }>('SELECT used FROM quota_usage WHERE workspace_id = $1', [workspaceId]),
  );
  return row?.used ?? 0;
}

async function setUsed(workspaceId: number, used: number): Promise<void> {
  await database.system(() =>
    database.query(
      `INSERT INTO quota_usage VALUES ($1, date_trunc('month', now() AT TIME ZONE 'UTC'), $2)
       ON CONFLICT (workspace_id, month) DO UPDATE SET used = excluded.used`,
      [workspaceId, used],
    ),
  );
}

/** Requests of two nodes, `concurrency` at a time each; answers how many were admitted. */
async function admitted(
  nodes: QuotaService[],
  make: () => Context,
  each: number,
  concurrency: number,
): Promise<number> {
  let count = 0;
  const client = async (node: QuotaService): Promise<void> => {
    for (let sent = 0; sent < each / concurrency; sent++) if ((await node.count(make())) === null) count++;
  };
  await Promise.all(nodes.flatMap((node) => Array.from({ length: concurrency }, () => client(node))));
  return count;
}

describe('monthly quota', () => {
  it('counts every request once and shows each its own number', async () => {
    const id = await makeWorkspaceId();
    const quota = new QuotaService(database);
    const seen: (number | null)[] = [];
    for (let index = 0; index < 5; index++) {
      const context = request(id, 1_000_000, true);
      expect(await quota.count(context)).toBeNull();
      seen.push(context.quotaUsed);
    }
    expect(seen).toEqual([1, 2, 3, 4, 5]);
    await quota.flush();
    expect(await stored(id)).toBe(5);
  });

  it('admits exactly the quota when two nodes race for the end of it', async () => {
    const id = await makeWorkspaceId();
    const nodes = [new QuotaService(await connect()), new QuotaService(await connect())];
    expect(await admitted(nodes, () => request(id, 3000), 3200, 32)).toBe(3000);
    for (const node of nodes) await node.flush();
    expect(await stored(id)).toBe(3000);
  });

  it('tells a refused request how long the month still lasts, and does not count it', async () => {
    const id = await makeWorkspaceId();
    await setUsed(id, 10);
    const quota = new QuotaService(database);
    const context = request(id, 10);
    const begun = performance.now();
    const refusal = await quota.count(context);
    const [clock] = await database.system(() =>
      database.query<{ left: number }>(
        `SELECT extract(epoch FROM date_trunc('month', now() AT TIME ZONE 'UTC') + interval '1 month'
           - (now() AT TIME ZONE 'UTC'))::float8 AS left`,
      ),
    );
    const passed = (performance.now() - begun) / 1_000;
    expect(context.quotaUsed).toBe(10);
    expect(refusal!.secondsLeft).toBeGreaterThanOrEqual(Math.floor(clock!.left));
    expect(refusal!.secondsLeft).toBeLessThanOrEqual(Math.ceil(clock!.left + passed) + 1);
    await quota.flush();
    expect(await stored(id)).toBe(10);
  });

  it('goes on beyond the quota when the plan has overage, and without end when it is unlimited', async () => {
    const id = await makeWorkspaceId();
    await setUsed(id, 10);
    const quota = new QuotaService(database);
    const over = request(id, 10, true);
    expect(await quota.count(over)).toBeNull();
    expect(over.quotaUsed).toBe(11);
    const unlimited = request(id, 0);
    expect(await quota.count(unlimited)).toBeNull();
    expect(unlimited.quotaUsed).toBe(12);
  });

  it('counts what was refused with 403, even beyond the quota, and only shows when it looks', async () => {
    const id = await makeWorkspaceId();
    await setUsed(id, 10);
    const quota = new QuotaService(database);
    const refused = request(id, 10);
    await quota.countUnchecked(refused);
    expect(refused.quotaUsed).toBe(11);
    const looking = request(id, 10);
    await quota.look(looking);
    expect(looking.quotaUsed).toBe(11);
    await quota.flush();
    expect(await stored(id)).toBe(11);
  });

  it('starts each month from nothing', async () => {
    const id = await makeWorkspaceId();
    await database.system(() =>
      database.query(
        `INSERT INTO quota_usage VALUES ($1, date_trunc('month', now() AT TIME ZONE 'UTC') - interval '1 month', 10)`,
        [id],
      ),
    );
    const context = request(id, 10);
    expect(await new QuotaService(database).count(context)).toBeNull();
    expect(context.quotaUsed).toBe(1);
  });

  it('counts in memory while PostgreSQL is away and writes it down afterwards', async () => {
    const id = await makeWorkspaceId();
    const gate = await openGate(testServices().databaseUrl);
    try {
      const quota = new QuotaService(await connect(gate.url));
      await quota.count(request(id, 100_000));
      await quota.flush();
      await gate.cut();
      for (let index = 0; index < 20; index++) expect(await quota.count(request(id, 100_000))).toBeNull();
      expect(await stored(id)).toBe(1);
      await gate.restore();
      let counted = 21;
      await until('the counts are written', async () => {
        counted++;
        await quota.count(request(id, 100_000));
        return (await stored(id)) > 1;
      });
      await quota.flush();
      // A slice that was on its way when the connection broke may be forgotten, never counted twice.
      expect(await stored(id)).toBeLessThanOrEqual(counted);
      const after = request(id, 100_000);
      await quota.count(after);
      await quota.flush();
      expect(await stored(id)).toBe(after.quotaUsed);
    } finally {
      await gate.close();
    }
  });

  it('still refuses what is known to be used up while PostgreSQL is away', async () => {
    const id = await makeWorkspaceId();
    await setUsed(id, 10);
    const gate = await openGate(testServices().databaseUrl);
    try {
      const quota = new QuotaService(await connect(gate.url));
      expect(await quota.count(request(id, 10))).not.toBeNull();
      await gate.cut();
      const refusal = await quota.count(request(id, 10));
      expect(refusal!.secondsLeft).toBeGreaterThan(0);
    } finally {
      await gate.close();
    }
  });
});
