import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage, request } from 'node:http';
import { Redis } from 'ioredis';
import { isAlive } from '../../src/embedded/processes';
import { Tokens } from '../../src/platform/auth/tokens.service';
import { type Answer, Api } from '../support/api';
import { useApp } from '../support/app';
import { insist } from '../support/insist';
import { type OwnRedis, startOwnRedis } from '../support/own-redis';
import { testServices } from '../support/services';
import { useSql } from '../support/sql';
import { StartedServer } from '../support/started-server';
import { until } from '../support/until';
import { makePlan, makeWorkspace, type TestWorkspace } from '../support/workspace';

const PROCESSES = 2;

describe('a start with CLUSTER_WORKERS=2', () => {
  const local = useApp();
  const sql = useSql();
  let redis: OwnRedis;
  let server: StartedServer;

  beforeAll(async () => {
    // A database that is in use gets no demo workspace.
    await makeWorkspace(local);
    // Not the run's Redis: how many processes share the limits is to be seen.
    redis = await startOwnRedis();
    const { databaseUrl, migrateDatabaseUrl } = testServices();
    server = new StartedServer({
      ...{ CLUSTER_WORKERS: String(PROCESSES), ROLE: 'api', LOG_FORMAT: 'json', SECRETS_KEY: '07'.repeat(32) },
      // Nobody is to wait in vain on a busy machine.
      ...{ DATABASE_WAIT_MS: '60000', SHUTDOWN_TIMEOUT_SECONDS: '120' },
      ...{ DATABASE_URL: databaseUrl, MIGRATE_DATABASE_URL: migrateDatabaseUrl, REDIS_URL: redis.url },
    });
  });

  beforeEach(async () => {
    if (server.isRunning) return;
    await redis.flush();
    await server.start();
    await until('limits are shared', async () => (await nodes()) === PROCESSES);
  });

  afterAll(async () => {
    await server.remove();
    await redis.stop();
  });

  /** How many processes share the limits, as Redis knows. */
  async function nodes(): Promise<number> {
    const client = new Redis(redis.url);
    try {
      return await client.zcard('helpdesk:nodes');
    } finally {
      client.disconnect();
    }
  }

  interface Line {
    worker: number;
    path: string;
    status: number;
    workspace_id: number | null;
  }

  /** Access lines of a workspace, once so many are there. */
  async function lines({ id }: TestWorkspace, count: number): Promise<Line[]> {
    const own = (): Line[] =>
      server.output
        .split('\n')
        .filter((line) => line.startsWith('{') && line.endsWith('}'))
        .map((line) => JSON.parse(line) as Line)
        .filter(({ workspace_id }) => workspace_id === id);
    await until('the log is written', () => own().length >= count);
    return own();
  }

  const workersOf = (found: readonly Line[]): number[] => [...new Set(found.map(({ worker }) => worker))].sort();

  /**
   * Requests of one token, all at once and so each over a connection of its own: on all processes. Sent anew with another
   * workspace where a busy machine kept one of them from asking Redis: limits are local then, on purpose.
   */
  async function race(
    limits: Parameters<typeof makePlan>[1],
    count: number,
  ): Promise<{ workspace: TestWorkspace; answers: Answer[] }> {
    for (;;) {
      const before = server.output.length;
      const workspace = await makeWorkspace(local, { plan: await makePlan(local, limits) });
      const api = new Api(server.url, workspace.token);
      const answers = await Promise.all(Array.from({ length: count }, () => api.get('/me')));
      expect(workersOf(await lines(workspace, count))).toEqual([1, 2]);
      if (!server.output.slice(before).includes('limits are local')) return { workspace, answers };
    }
  }

  const statuses = (answers: readonly Answer[]): Record<number, number> =>
    Object.fromEntries(
      [...new Set(answers.map(({ status }) => status))].map((each) => [
        each,
        answers.filter(({ status }) => status === each).length,
      ]),
    );

  it('says once where it is, and is ready in every process', async () => {
    expect(server.output.match(/Ctrl-C ends it/g)).toHaveLength(1);
    expect(server.apiProcesses).toHaveLength(PROCESSES);
    const api = new Api(server.url, null);
    const ask = (path: string): Promise<Answer[]> => Promise.all(Array.from({ length: 4 }, () => api.get(path)));
    expect(statuses(await ask('/health'))).toEqual({ 200: 4 });
    // A busy machine is not always in time for the sign of life.
    await until('all are ready', async () => statuses(await ask(`${server.url}/ready`))[200] === 4);
  });

  it('admits exactly the rate', async () => {
    const { answers } = await race({ ratePerMinute: 30 }, 90);
    expect(statuses(answers)).toEqual({ 200: 30, 429: 60 });
  });

  it('admits exactly the quota, and counts each request once', async () => {
    const { answers, workspace } = await race({ monthlyQuota: 40 }, 100);
    expect(statuses(answers)).toEqual({ 200: 40, 429: 60 });
    await until('all are counted', async () => {
      const [row] = await sql.rows<{ used: number }>('SELECT used FROM quota_usage WHERE workspace_id = $1', [
        workspace.id,
      ]);
      return row?.used === 40;
    });
  });

  it('creates one ticket for one key', async () => {
    const workspace = await makeWorkspace(local);
    const api = new Api(server.url, workspace.token);
    const key = { 'idempotency-key': 'one-and-the-same-0001' };
    const send = (): Promise<Answer> => insist(() => api.post('/tickets', { subject: 'Once' }, key));
    const answers = await Promise.all(Array.from({ length: 12 }, send));
    expect(statuses(answers)).toEqual({ 201: 12 });
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
    expect(answers.filter((answer) => answer.header('idempotent-replayed') === null)).toHaveLength(1);
    expect((await api.get('/tickets')).meta.total).toBe(1);
  });

  it('knows in every process that a token is revoked', async () => {
    const workspace = await makeWorkspace(local);
    const ask = (): Promise<number[]> => asked(server, workspace.token, 4);
    expect(await ask()).toEqual([200, 200, 200, 200]);
    expect(workersOf(await lines(workspace, 4))).toEqual([1, 2]);
    await local.app.get(Tokens).revoke(workspace.tokenId);
    await until('all refuse it', async () => (await ask()).every((status) => status === 401));
  });

  it('replaces a process that dies, and goes on', async () => {
    const [victim = 0] = server.apiProcesses;
    process.kill(victim, 'SIGKILL');
    await until('it is said', () => server.output.includes(`(pid ${victim}) ended unexpectedly (SIGKILL); starting`));
    const workspace = await makeWorkspace(local);
    let answered = 0;
    await until('both answer', async () => {
      answered += (await asked(server, workspace.token, 2)).length;
      return workersOf(await lines(workspace, answered)).length === PROCESSES;
    });
    const now = server.apiProcesses;
    expect([now.length, now.includes(victim)]).toEqual([PROCESSES, false]);
  });

  it('answers on a signal what every process has in flight, and leaves none behind', async () => {
    const workspace = await makeWorkspace(local);
    const pids = server.apiProcesses;
    // One after the other, so that they are dealt out in turns. Each has begun when it is asked for its body.
    const begun: ClientRequest[] = [];
    for (let index = 0; index < 4; index++) begun.push(await half(`${server.url}/v1/tickets`, workspace.token));
    const ended = server.end();
    await until('it ends', () => server.output.includes('Ending…'));
    const answers = await Promise.all(
      begun.map((each) => {
        each.end('"In flight"}');
        return statusOf(each);
      }),
    );
    expect(answers).toEqual([201, 201, 201, 201]);
    expect(await ended).toBe(0);
    expect(workersOf(await lines(workspace, 4))).toEqual([1, 2]);
    expect(pids.map(isAlive)).toEqual([false, false]);
    expect(server.output).not.toMatch(/Not everything ended|Ending failed/);
  });

  it('leaves no process behind when the first one is killed', async () => {
    const pids = server.apiProcesses;
    expect(pids).toHaveLength(PROCESSES);
    process.kill(server.pid, 'SIGKILL');
    await until('all are gone', () => !pids.some(isAlive));
    await expect(fetch(`${server.url}/v1/health`)).rejects.toThrow();
  });
});

/** Statuses of requests that are sent one after the other, each over a connection of its own: those are dealt out in turns. */
async function asked({ url }: StartedServer, token: string, count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index++) {
    const sent = get(`${url}/v1/me`, { agent: false, headers: { authorization: `Bearer ${token}` } });
    statuses.push(await statusOf(sent));
  }
  return statuses;
}

async function statusOf(sent: ClientRequest): Promise<number> {
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode ?? 0;
}

/** A request whose head was read and whose body is half there. */
async function half(url: string, token: string): Promise<ClientRequest> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', expect: '100-continue' };
  const sent = request(url, { method: 'POST', agent: false, headers: { ...headers, 'transfer-encoding': 'chunked' } });
  sent.flushHeaders();
  await once(sent, 'continue');
  sent.write('{"subject": ');
  return sent;
}
