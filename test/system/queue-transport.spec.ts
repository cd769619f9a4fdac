import { Redis } from 'ioredis';
import type { Role } from '../../src/config';
import { Database } from '../../src/platform/database/database';
import { BullTransport } from '../../src/platform/queue/bull-transport';
import type { Job } from '../../src/platform/queue/job-handler';
import { startApp, type TestApp } from '../support/app';
import { type NetworkGate, openGate } from '../support/network-gate';
import { type ScratchDatabase, scratchDatabase } from '../support/scratch-database';
import { testServices } from '../support/services';
import { until } from '../support/until';
import { drained } from '../support/jobs';
import { consumerModule, handlerModule } from '../support/job-probe';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const NOWHERE = 'redis://127.0.0.1:1';

/** Two nodes whose every team.created event becomes a job, on a Redis database that a test may empty. */
let scratch: ScratchDatabase;
let redisUrl: string;
let done: Job[] = [];
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  scratch = await scratchDatabase({ migrated: true });
  const url = new URL(testServices().redisUrl);
  url.pathname = '/7';
  redisUrl = url.href;
});

afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
  done = [];
});

afterAll(async () => {
  await scratch.drop();
});

async function node(role: Role, redis: string): Promise<TestApp> {
  const handler = handlerModule('probe', (job) => void done.push(job));
  const consumer = consumerModule((events, database) => makeJobs(events, database));
  const server = await startApp(
    { databaseUrl: scratch.serviceUrl, redisUrl: redis, role },
    { modules: [handler, consumer] },
  );
  open.push(server);
  return server;
}

async function makeJobs(
  events: readonly { workspace_id: number; type: string; object_id: number }[],
  database: Database,
): Promise<void> {
  const teams = events.filter(({ type }) => type === 'team.created');
  await database.query(
    `INSERT INTO work (workspace_id, kind, subject_id)
     SELECT workspace_id, 'probe', object_id FROM json_to_recordset($1::json) AS e(workspace_id bigint, object_id bigint)`,
    [JSON.stringify(teams)],
  );
}

async function gate(): Promise<NetworkGate> {
  const opened = await openGate(redisUrl);
  open.push(opened);
  return opened;
}

function healthy({ app }: TestApp): boolean {
  return app.get(BullTransport).healthy;
}

let serial = 0;

/** Creates teams one after the other; answers their ids. */
async function createTeams(workspace: TestWorkspace, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < count; n++) {
    ids.push((await workspace.api.post('/teams', { name: `Team ${++serial}` })).expect(201).data.id);
  }
  return ids;
}

async function expectDone(server: TestApp, ids: readonly number[]): Promise<void> {
  await drained(server);
  expect(done.map(({ subject_id }) => subject_id).sort((one, other) => one - other)).toEqual(ids);
  done = [];
}

describe('a node that does everything', () => {
  it('goes on while Redis is cut off, and uses it again afterwards', async () => {
    const redis = await gate();
    const server = await node('all', redis.url);
    const workspace = await makeWorkspace(server);
    await until('jobs arrive', () => healthy(server));
    await expectDone(server, await createTeams(workspace, 5));
    for (let round = 0; round < 2; round++) {
      await redis.cut();
      await expectDone(server, await createTeams(workspace, 20));
      expect(healthy(server)).toBe(false);
      await redis.restore();
      await until('jobs arrive again', () => healthy(server));
      await expectDone(server, await createTeams(workspace, 20));
      await until('jobs still arrive', () => healthy(server));
    }
  });

  it('goes on while Redis hangs, and uses it again afterwards', async () => {
    const redis = await gate();
    const server = await node('all', redis.url);
    const workspace = await makeWorkspace(server);
    await until('jobs arrive', () => healthy(server));
    redis.hang();
    await expectDone(server, await createTeams(workspace, 20));
    expect(healthy(server)).toBe(false);
    await redis.restore();
    await until('jobs arrive again', () => healthy(server));
    await expectDone(server, await createTeams(workspace, 20));
  });

  it('loses nothing when Redis forgets everything, again and again', async () => {
    const server = await node('all', redisUrl);
    const workspace = await makeWorkspace(server);
    await until('jobs arrive', () => healthy(server));
    const redis = new Redis(redisUrl);
    try {
      const creating = createTeams(workspace, 60);
      const flushing = setInterval(() => void redis.flushdb(), 20);
      await creating.finally(() => clearInterval(flushing));
      const ids = await creating;
      // What was enqueued in a Redis that forgot it is enqueued again after five seconds.
      await until('all but the lost is done', () => done.length > 0);
      await database(server).system(() =>
        database(server).query(
          `UPDATE work SET enqueued_at = now() - interval '1 minute' WHERE state = 'waiting' AND enqueued_at IS NOT NULL`,
        ),
      );
      await expectDone(server, ids);
      await redis.flushdb();
      await expectDone(server, await createTeams(workspace, 5));
      await until('jobs still arrive', () => healthy(server));
    } finally {
      redis.disconnect();
    }
  });

  it('starts and works without Redis', async () => {
    const server = await node('all', NOWHERE);
    const workspace = await makeWorkspace(server);
    await expectDone(server, await createTeams(workspace, 20));
    expect(healthy(server)).toBe(false);
  });
});

describe('a node that serves only the API', () => {
  it('leaves the jobs to a worker, through Redis', async () => {
    const server = await node('api', redisUrl);
    const workspace = await makeWorkspace(server);
    const ids = await createTeams(workspace, 5);
    expect(done).toEqual([]);
    const worker = await node('worker', redisUrl);
    await expectDone(worker, ids);
    await until('jobs arrive', () => healthy(server) && healthy(worker));
    await expectDone(worker, await createTeams(workspace, 20));
  });

  it('leaves the jobs to a worker, also while one or both have no Redis', async () => {
    for (const [forApi, forWorker] of [
      [NOWHERE, redisUrl],
      [redisUrl, NOWHERE],
      [NOWHERE, NOWHERE],
    ] as const) {
      const server = await node('api', forApi);
      const worker = await node('worker', forWorker);
      const workspace = await makeWorkspace(server);
      await expectDone(worker, await createTeams(workspace, 20));
      for (const each of open.splice(0).reverse()) await each.close();
    }
  });

  it('says that its health is degraded while nobody takes jobs', async () => {
    const server = await node('api', redisUrl);
    const workspace = await makeWorkspace(server);
    let health: Record<string, unknown> = {};
    // A slow machine may miss the check of the database too, for a moment.
    await until('the check of the queue alone fails', async () => {
      health = (await workspace.api.get('/health')).body;
      const { database, queue } = health.checks as Record<'database' | 'queue', { status: string }>;
      return database.status === 'ok' && queue.status === 'down';
    });
    expect(health.status).toBe('degraded');
    await createTeams(workspace, 5);
    const worker = await node('worker', redisUrl);
    await until('the health is good again', async () => (await workspace.api.get('/health')).body.status === 'ok');
    await drained(worker);
  });
});

function database({ app }: TestApp): Database {
  return app.get(Database);
}
