import { Client } from 'pg';
import { PICK, JobScheduler } from '../../src/platform/queue/job-scheduler';
import type { Job } from '../../src/platform/queue/job-handler';
import { startApp, type TestApp } from '../support/app';
import { type ScratchDatabase, scratchDatabase } from '../support/scratch-database';
import { until } from '../support/until';
import { drained } from '../support/jobs';
import { addJobs, handlerModule } from '../support/job-probe';
import { makeWorkspace } from '../support/workspace';

const kind = 'probe';
const limits = { perGroup: 2, perWorkspace: 5 };

let scratch: ScratchDatabase;
let perform: (job: Job) => Promise<void>;

beforeAll(async () => {
  scratch = await scratchDatabase({ migrated: true });
});

afterAll(async () => {
  await scratch.drop();
});

function node(): Promise<TestApp> {
  const probe = handlerModule(
    kind,
    async (job) => {
      await perform(job);
      return undefined;
    },
    limits,
  );
  return startApp({ databaseUrl: scratch.serviceUrl }, { modules: [probe] });
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

describe('with two nodes', () => {
  const servers: TestApp[] = [];

  beforeAll(async () => {
    servers.push(await node(), await node());
  });

  afterAll(async () => {
    for (const server of servers) await server.close();
  });

  it('never more of a group or a workspace is under way than its share', async () => {
    const workspace = await makeWorkspace(servers[0]!);
    const running = new Map<number, number>();
    const most = { group: 0, workspace: 0 };
    const done: number[] = [];
    perform = async ({ group_id, subject_id }) => {
      running.set(group_id, (running.get(group_id) ?? 0) + 1);
      most.group = Math.max(most.group, ...running.values());
      most.workspace = Math.max(
        most.workspace,
        [...running.values()].reduce((sum, each) => sum + each, 0),
      );
      // The first ones wait for each other: on a slow machine each would be done before the next begins.
      await until('as many are under way as may be', () => most.workspace >= limits.perWorkspace);
      await new Promise((resolve) => setTimeout(resolve, 10));
      running.set(group_id, (running.get(group_id) ?? 0) - 1);
      done.push(subject_id);
    };
    const jobs = range(80).map((subject_id) => ({ kind, subject_id, group_id: subject_id % 4 }));
    await Promise.all(
      servers.map((server, index) => addJobs(server, workspace.id, jobs.slice(index * 40, index * 40 + 40))),
    );
    await drained(servers[0]!, workspace);
    expect(done.sort((one, other) => one - other)).toEqual(range(80));
    expect(most).toEqual({ group: limits.perGroup, workspace: limits.perWorkspace });
  });

  it('a workspace whose jobs hang holds up no other, and none of its own groups for ever', async () => {
    const [hanging, quiet] = [await makeWorkspace(servers[0]!), await makeWorkspace(servers[0]!)];
    const releases: (() => void)[] = [];
    let hangs = true;
    const done = new Map([
      [hanging.id, 0],
      [quiet.id, 0],
    ]);
    perform = async ({ workspace_id }) => {
      if (workspace_id === hanging.id && hangs) await new Promise<void>((resolve) => releases.push(resolve));
      done.set(workspace_id, (done.get(workspace_id) ?? 0) + 1);
    };
    await addJobs(
      servers[0]!,
      hanging.id,
      range(300).map((subject_id) => ({ kind, subject_id, group_id: subject_id % 3 })),
    );
    await until('the share of the hanging workspace is used up', () => releases.length === limits.perWorkspace);
    await addJobs(
      servers[1]!,
      quiet.id,
      range(50).map((subject_id) => ({ kind, subject_id, group_id: subject_id % 10 })),
    );
    await drained(servers[0]!, quiet);
    expect([done.get(hanging.id), done.get(quiet.id), releases.length]).toEqual([0, 50, limits.perWorkspace]);
    hangs = false;
    for (const release of releases) release();
    await drained(servers[0]!, hanging);
    expect(done.get(hanging.id)).toBe(300);
  });
});

describe('a round', () => {
  let server: TestApp;
  let client: Client;

  beforeAll(async () => {
    // Serves only the API: what is enqueued here is enqueued by the test.
    const probe = handlerModule(kind, () => undefined, limits);
    server = await startApp({ databaseUrl: scratch.serviceUrl, role: 'api' }, { modules: [probe] });
    client = new Client({ connectionString: scratch.url });
    await client.connect();
  });

  beforeEach(async () => {
    await client.query('TRUNCATE work');
  });

  afterAll(async () => {
    await client.end();
    await server.close();
  });

  async function waiting(workspaceId: number, count: number, groups = 1): Promise<void> {
    await client.query(
      `INSERT INTO work (workspace_id, kind, subject_id, lane) SELECT $1, $2, n, n % $4 FROM generate_series(1, $3) AS n`,
      [workspaceId, kind, count, groups],
    );
  }

  it('takes the oldest of each group, and says whether there is more', async () => {
    const { id } = await makeWorkspace(server);
    await waiting(id, 7, 2);
    const scheduler = server.app.get(JobScheduler);
    const first = await scheduler.next(100);
    const subjects = await client.query<{ subject_id: number }>(
      'SELECT subject_id FROM work WHERE enqueued_at IS NOT NULL ORDER BY 1',
    );
    expect(subjects.rows.map(({ subject_id }) => subject_id)).toEqual([1, 2, 3, 4]);
    expect([first.refs.length, first.blocked]).toEqual([4, true]);
    expect(await scheduler.next(100)).toEqual({ refs: [], blocked: true });
    await client.query('DELETE FROM work WHERE enqueued_at IS NOT NULL');
    expect(await scheduler.next(100)).toMatchObject({ refs: [{}, {}, {}], blocked: false });
  });

  it('gives every workspace a turn before any gets a second', async () => {
    const workspaces = [await makeWorkspace(server), await makeWorkspace(server), await makeWorkspace(server)];
    for (const [index, { id }] of workspaces.entries()) await waiting(id, index === 0 ? 500 : 3, 5);
    const { refs } = await server.app.get(JobScheduler).next(6);
    const shares = workspaces.map(({ id }) => refs.filter(({ workspace_id }) => workspace_id === id).length);
    expect(shares).toEqual([2, 2, 2]);
  });

  it('reaches every group in the end, however many there are', async () => {
    const { id } = await makeWorkspace(server);
    await waiting(id, 400, 40);
    const scheduler = server.app.get(JobScheduler);
    const groups = new Set<number>();
    await until('every group had a turn', async () => {
      await scheduler.next(100);
      const { rows } = await client.query<{ lane: number }>(
        'SELECT DISTINCT lane FROM work WHERE enqueued_at IS NOT NULL',
      );
      for (const { lane } of rows) groups.add(lane);
      await client.query('UPDATE work SET enqueued_at = NULL');
      return groups.size === 40;
    });
  });

  it('stops enqueueing when too much lies in Redis unclaimed', async () => {
    const { id } = await makeWorkspace(server);
    await client.query(
      `INSERT INTO work (workspace_id, kind, subject_id, lane, enqueued_at) SELECT $1, 'another', n, n, now() FROM generate_series(1, 498) AS n`,
      [id],
    );
    await waiting(id, 5, 5);
    expect((await server.app.get(JobScheduler).next(100)).refs).toHaveLength(2);
  });

  it('does not read through the jobs behind a full group', async () => {
    const [busy, quiet] = [await makeWorkspace(server), await makeWorkspace(server)];
    await waiting(busy.id, 50_000);
    await waiting(quiet.id, 1);
    await client.query(
      `UPDATE work SET enqueued_at = now(), state = 'running', lease_until = now() + interval '1 hour' WHERE workspace_id = $1 AND subject_id <= 2`,
      [busy.id],
    );
    await client.query('VACUUM ANALYZE work');
    const parameters = [`'${JSON.stringify([{ kind, per_group: 2, per_workspace: 5 }])}'`, '100'];
    const text = PICK.replace('$1', parameters[0]!).replace('$2', parameters[1]!);
    const plan = await client.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
    );
    const { Plan } = plan.rows[0]!['QUERY PLAN'][0]!;
    expect(Plan['Actual Rows']).toBe(1);
    // The group alone fills more than 300 pages of the index.
    expect(Plan['Shared Hit Blocks']! + Plan['Shared Read Blocks']!).toBeLessThan(250);
  });
});
