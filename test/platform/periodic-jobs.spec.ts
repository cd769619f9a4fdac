import { Logger } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { accountEntities } from '../../src/platform/auth/account-entities';
import { Provisioning } from '../../src/platform/auth/provisioning.service';
import { Database } from '../../src/platform/database/database';
import { NOTHING_TO_DO, PeriodicJobs, RUN_AGAIN } from '../../src/platform/schedule/periodic-jobs';
import { PruneIdempotencyKeys } from '../../src/platform/schedule/prune-idempotency-keys';
import { testDataSource } from '../support/data-source';
import { testServices } from '../support/services';
import { until } from '../support/until';

Logger.overrideLogger(false);

const HOUR_MS = 3_600_000;

let dataSource: DataSource;
let database: Database;

beforeAll(async () => {
  const { databaseUrl } = testServices();
  const options = testDataSource(databaseUrl, 6, accountEntities);
  dataSource = await new DataSource(options).initialize();
  database = new Database(dataSource);
});

afterAll(async () => {
  await dataSource.destroy();
});

function node(role: 'all' | 'api' | 'worker' = 'all'): PeriodicJobs {
  return new PeriodicJobs(database, { role });
}

describe('periodic jobs', () => {
  it('run again and again until shut down, which waits for a running one', async () => {
    const jobs = node();
    let began = 0;
    let ended = 0;
    jobs.register(randomBytes(6).toString('hex'), 5, async () => {
      began++;
      await new Promise((resolve) => setTimeout(resolve, 20));
      ended++;
    });
    jobs.onApplicationBootstrap();
    await until('it ran three times', () => began >= 3);
    await jobs.beforeApplicationShutdown();
    expect(ended).toBe(began);
    const atEnd = began;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(began).toBe(atEnd);
  });

  it('come seldomer while there is nothing to do, and as ever once there is', async () => {
    const jobs = node();
    const outcomes = [NOTHING_TO_DO, NOTHING_TO_DO, NOTHING_TO_DO, undefined, NOTHING_TO_DO];
    const pauses: number[] = [];
    // Longer than anybody else waits: pools and servers have timers of their own, which stay what they are.
    const every = 10_000_000;
    const later = setTimeout;
    const work = (): Promise<unknown> => Promise.resolve(outcomes[pauses.length - 1]);
    jobs.register(randomBytes(6).toString('hex'), every, work, { everyNode: true });
    const timers = jest.spyOn(global, 'setTimeout').mockImplementation(((run: () => void, ms = 0, ...rest: []) => {
      if (ms < every / 2) return later(run, ms, ...rest);
      pauses.push(ms / every);
      if (pauses.length <= outcomes.length) setImmediate(run);
      return { unref: () => ({}) };
    }) as never);
    try {
      jobs.onApplicationBootstrap();
      while (pauses.length <= outcomes.length) await new Promise((resolve) => setImmediate(resolve));
    } finally {
      timers.mockRestore();
    }
    // A tenth more or less, so that nodes do not wake together.
    expect(pauses.map(Math.round)).toEqual([1, 2, 4, 4, 1, 2]);
  });

  it('rest on a node that only serves the API, but for those without which requests get slower', async () => {
    const jobs = node('api');
    const [work, folding] = [jest.fn().mockResolvedValue(undefined), jest.fn().mockResolvedValue(undefined)];
    jobs.register(randomBytes(6).toString('hex'), 1, work);
    jobs.register(randomBytes(6).toString('hex'), 1, folding, { forRequests: true });
    jobs.onApplicationBootstrap();
    await until('it was folded some times', () => folding.mock.calls.length >= 5);
    await jobs.beforeApplicationShutdown();
    expect(work).not.toHaveBeenCalled();
  });

  it('run on one node at a time, as the platform, in one transaction', async () => {
    const name = randomBytes(6).toString('hex');
    const nodes = [node(), node(), node()];
    let inside = 0;
    let most = 0;
    let runs = 0;
    let settled = 0;
    const roles: string[] = [];
    for (const each of nodes) {
      each.register(name, HOUR_MS, async () => {
        most = Math.max(most, ++inside);
        runs++;
        const [row] = await database.query<{ role: string }>('SELECT current_user AS role');
        roles.push(row!.role);
        await until('the others have given up', () => settled === nodes.length - 1 || runs > 1);
        inside--;
      });
    }
    const ran = await Promise.all(nodes.map((each) => each.runNow(name).finally(() => settled++)));
    expect([most, runs, roles]).toEqual([1, 1, ['helpdesk_system']]);
    expect(ran.filter(Boolean)).toHaveLength(1);
    expect(await nodes[1]!.runNow(name)).toBe(true);
    expect(runs).toBe(2);
  });

  it('run on every node when they ask for it', async () => {
    const name = randomBytes(6).toString('hex');
    const nodes = [node(), node()];
    const work = jest.fn().mockResolvedValue(undefined);
    for (const each of nodes) each.register(name, HOUR_MS, work, { everyNode: true });
    await Promise.all(nodes.map((each) => each.runNow(name)));
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('go on after a failure, and run at once again when there is more to do', async () => {
    const jobs = node();
    const name = randomBytes(6).toString('hex');
    const outcomes: (() => Promise<unknown>)[] = [
      () => Promise.reject(new Error('as asked')),
      () => Promise.resolve(RUN_AGAIN),
      () => Promise.resolve(RUN_AGAIN),
      () => Promise.resolve(null),
    ];
    jobs.register(name, HOUR_MS, () => outcomes.shift()!());
    expect(await jobs.runNow(name)).toBe(false);
    expect(outcomes).toHaveLength(3);
    expect(await jobs.runNow(name)).toBe(true);
    expect(outcomes).toHaveLength(0);
  });

  it('complain once however often they fail in a row, and say when they work again', async () => {
    const name = randomBytes(6).toString('hex');
    const said: string[] = [];
    // Other parts of the process may have something to say, too.
    const note = (message: unknown): void => {
      if (String(message).includes(name)) said.push(String(message));
    };
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(note);
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(note);
    const jobs = node();
    const work = jest.fn().mockRejectedValueOnce(new Error('away')).mockRejectedValueOnce(new Error('still away'));
    jobs.register(name, HOUR_MS, work);
    for (let run = 0; run < 4; run++) await jobs.runNow(name);
    error.mockRestore();
    warn.mockRestore();
    expect(said).toEqual([`Periodic job "${name}" failed: away`, `Periodic job "${name}" works again.`]);
  });

  it('do not work again because another node is just doing them', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const [failing, other] = [node(), node()];
    const name = randomBytes(6).toString('hex');
    failing.register(name, HOUR_MS, () => Promise.reject(new Error('away')));
    await failing.runNow(name);
    let ran: boolean | null = null;
    other.register(name, HOUR_MS, async () => (ran = await failing.runNow(name)));
    expect([await other.runNow(name), ran]).toEqual([true, false]);
    expect(warn).not.toHaveBeenCalledWith(expect.stringContaining(name));
    warn.mockRestore();
  });

  it('have names of their own', () => {
    const jobs = node();
    jobs.register('one', HOUR_MS, () => Promise.resolve());
    expect(() => jobs.register('one', HOUR_MS, () => Promise.resolve())).toThrow(/"one"/);
  });
});

describe('pruning of idempotency keys', () => {
  it('deletes what has expired, more than one batch of it, and nothing else', async () => {
    const { id } = await new Provisioning(database).createWorkspace({
      name: `Prune ${randomBytes(6).toString('hex')}`,
    });
    await database.system(() =>
      database.query(
        `INSERT INTO idempotency_keys (workspace_id, key, fingerprint, expires_at)
         SELECT $1::bigint, 'old-' || n, '\\x00'::bytea, now() - interval '1 second' FROM generate_series(1, 5001) AS n
         UNION ALL SELECT $1::bigint, 'young', '\\x00'::bytea, now() + interval '1 hour'`,
        [id],
      ),
    );
    const jobs = node();
    new PruneIdempotencyKeys(database, jobs).onModuleInit();
    await until('no other node is just doing it', () => jobs.runNow('prune idempotency keys'));
    const left = await database.system(() =>
      database.query<{ key: string }>('SELECT key FROM idempotency_keys WHERE workspace_id = $1', [id]),
    );
    expect(left).toEqual([{ key: 'young' }]);
  });
});
