import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { projectRoot, type ServiceUrls } from '../../src/config';
import { startEmbeddedRedis } from '../../src/embedded/embedded-redis';
import { isAlive } from '../../src/embedded/processes';
import { attachOrStartServices, startServices } from '../../src/embedded/services';
import { StartError } from '../../src/embedded/start-error';
import { dataFolder } from '../support/folders';
import { patience } from '../support/machine';

const quiet = (): void => undefined;

describe('embedded PostgreSQL and Redis', () => {
  const dataDir = dataFolder('helpdesk-test-embedded-');
  const embedded = { dataDir, databaseUrl: null, redisUrl: null };
  let starter: Starter;

  beforeAll(async () => {
    execFileSync(process.execPath, [join(projectRoot, 'scripts/run.mjs'), 'build']);
    starter = await Starter.on(dataDir);
    await inDatabase(starter.urls, 'CREATE TABLE notes AS SELECT 42 AS answer');
    await inRedis(starter.urls, (redis) => redis.set('answer', '42'));
  });

  afterAll(async () => {
    await starter.end('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('keep their secrets to their owner and listen on this machine alone', async () => {
    for (const file of [
      'instance.json',
      'postgres/password',
      'postgres/owner-password',
      'postgres/service-password',
      'redis/password',
      'redis/data/redis.conf',
    ]) {
      expect(statSync(join(dataDir, file)).mode & 0o077).toBe(0);
    }
    const [settings] = await inDatabase(starter.urls, `SELECT current_setting('listen_addresses') AS addresses`);
    expect(settings).toEqual({ addresses: '127.0.0.1' });
    const wrong = starter.urls.migrateDatabaseUrl.replace(/:[^:@]+@/, ':wrong@');
    await expect(inDatabase({ ...starter.urls, migrateDatabaseUrl: wrong }, 'SELECT 1')).rejects.toMatchObject({
      code: '28P01',
    });
  });

  it('run under an account of their own where root starts them', () => {
    const uids = servicePids(dataDir).map(uidOf);
    expect(uids).not.toContain(0);
    expect(uids[1]).toBe(uids[0]);
  });

  it('take over the Redis of a version that ran as root', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'helpdesk-test-redis-'));
    try {
      const first = await startEmbeddedRedis({ directory, durable: true, say: quiet });
      await inRedis({ redisUrl: first.url }, (redis) => redis.set('answer', '42'));
      await first.stop();
      // As it was: everything in one directory, and nothing below it.
      renameSync(join(directory, 'data', 'dump.rdb'), join(directory, 'dump.rdb'));
      rmSync(join(directory, 'data'), { recursive: true });
      chmodSync(directory, 0o700);
      chownSync(join(directory, 'dump.rdb'), process.getuid?.() ?? 0, process.getgid?.() ?? 0);
      writeFileSync(join(directory, 'redis.pid'), '1\n');

      const second = await startEmbeddedRedis({ directory, durable: true, say: quiet });
      expect(await inRedis({ redisUrl: second.url }, (redis) => redis.get('answer'))).toBe('42');
      await inRedis({ redisUrl: second.url }, (redis) => redis.set('answer', '43'));
      await second.stop();
      const third = await startEmbeddedRedis({ directory, durable: true, say: quiet });
      expect(await inRedis({ redisUrl: third.url }, (redis) => redis.get('answer'))).toBe('43');
      await third.stop();
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });

  it('refuse a second start on the same data directory', async () => {
    const failure = await startServices(embedded, quiet).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartError);
    expect((failure as Error).message).toBe(
      `The data directory ${dataDir} is in use by process ${starter.pid}; stop that one first or set DATA_DIR and PORT to others.`,
    );
    expect(await answers(starter.urls)).toEqual(['42', '42']);
  });

  it('serve a command beside the process that started them, and outlive it', async () => {
    const attached = await attachOrStartServices(embedded, quiet);
    expect(attached).toMatchObject({ ...starter.urls, embedded: { postgres: false, redis: false } });
    await attached.stop();
    expect(await answers(starter.urls)).toEqual(['42', '42']);
  });

  it('come back with their data after they were killed', async () => {
    await inRedis(starter.urls, (redis) => redis.save());
    const before = servicePids(dataDir);
    for (const pid of before) process.kill(pid, 'SIGKILL');
    await eventually(async () => {
      expect(await answers(starter.urls)).toEqual(['42', '42']);
    });
    for (const pid of servicePids(dataDir)) expect(before).not.toContain(pid);
  });

  it('are taken over by the next start when their starter was killed', async () => {
    const before = servicePids(dataDir);
    await starter.end('SIGKILL');
    expect(before.map(isAlive)).toEqual([true, true]);
    starter = await Starter.on(dataDir);
    expect(before.map(isAlive)).toEqual([false, false]);
    expect(await answers(starter.urls)).toEqual(['42', '42']);
  });

  it('end with their starter on Ctrl-C, and start again on the same ports', async () => {
    const urls = [starter.urls];
    // Another program may take a port in the moment in which nobody listens on it, but hardly each time.
    do {
      const before = servicePids(dataDir);
      expect(await starter.end('SIGINT')).toBe(130);
      expect(before.map(isAlive)).toEqual([false, false]);
      expect(existsSync(join(dataDir, 'instance.json'))).toBe(false);
      starter = await Starter.on(dataDir);
      expect(await answers(starter.urls)).toEqual(['42', '42']);
      urls.push(starter.urls);
    } while (JSON.stringify(urls.at(-2)) !== JSON.stringify(urls.at(-1)) && urls.length < 4);
    expect(urls.at(-1)).toEqual(urls.at(-2));
    // PostgreSQL reads again what it had in memory.
    await eventually(() => {
      expect(readFileSync(join(dataDir, 'postgres', 'postgresql.log'), 'utf8')).toMatch(
        /autoprewarm .* prewarmed [1-9]/,
      );
    });
  });

  it('end after a program that leaves without stopping them', async () => {
    const before = servicePids(dataDir);
    expect(await starter.leave()).toBe(3);
    await eventually(() => {
      expect(before.map(isAlive)).toEqual([false, false]);
    });
    starter = await Starter.on(dataDir);
    expect(await answers(starter.urls)).toEqual(['42', '42']);
  });
});

describe('two commands at a time, with no server running', () => {
  const dataDir = dataFolder('helpdesk-test-commands-');

  afterAll(() => {
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('share the services that the first one started until the second one is done', async () => {
    const owner = await Starter.on(dataDir, 'attachOrStartServices');
    const user = await Starter.on(dataDir, 'attachOrStartServices');
    expect(user.urls).toEqual(owner.urls);
    const pids = servicePids(dataDir);

    const ownerEnds = owner.finish();
    await eventually(() => {
      expect(JSON.parse(readFileSync(join(dataDir, 'instance.json'), 'utf8'))).toMatchObject({ services: null });
    });
    await expect(inDatabase(user.urls, 'SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
    expect(await user.finish()).toBe(0);
    expect(await ownerEnds).toBe(0);
    expect(pids.map(isAlive)).toEqual([false, false]);
  });
});

/** A process of its own that starts the services, so that it can be killed. */
class Starter {
  private constructor(
    private readonly child: ChildProcess,
    readonly urls: ServiceUrls,
  ) {}

  static async on(dataDir: string, start = 'startServices'): Promise<Starter> {
    const services = JSON.stringify(join(projectRoot, 'dist/src/embedded/services.js'));
    const config = JSON.stringify({ dataDir, databaseUrl: null, redisUrl: null });
    const program = `require(${services}).${start}(${config}, () => undefined, { durable: false })
      .then(({ databaseUrl, migrateDatabaseUrl, redisUrl, stop }) => {
        process.on('message', (how) => (how === 'leave' ? process.exit(3) : stop().then(() => process.exit(0))));
        process.send({ databaseUrl, migrateDatabaseUrl, redisUrl });
      });
      setInterval(() => undefined, 1000);`;
    const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const ended = once(child, 'exit').then(() => {
      throw new Error('The process ended before its services answered.');
    });
    const [urls] = (await Promise.race([once(child, 'message'), ended])) as [ServiceUrls];
    ended.catch(quiet);
    return new Starter(child, urls);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Makes the program call `process.exit` on its own, as a failure would. */
  leave(): Promise<number | null> {
    return this.told('leave');
  }

  /** Makes the program stop its services and exit. */
  finish(): Promise<number | null> {
    return this.told('finish');
  }

  /** Resolves with the exit code once the process is gone. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (!this.child.kill(signal)) return this.child.exitCode;
    const [code] = (await once(this.child, 'exit')) as [number | null];
    return code;
  }

  private async told(how: string): Promise<number | null> {
    this.child.send(how);
    const [code] = (await once(this.child, 'exit')) as [number | null];
    return code;
  }
}

function servicePids(dataDir: string): number[] {
  const first = (file: string): number => Number(readFileSync(join(dataDir, file), 'utf8').split('\n')[0]);
  return [first('postgres/data/postmaster.pid'), first('redis/data/redis.pid')];
}

function uidOf(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'uid=', '-p', String(pid)], { encoding: 'utf8' }));
}

async function answers(urls: ServiceUrls): Promise<unknown[]> {
  const [row] = await inDatabase(urls, 'SELECT answer::text FROM notes');
  return [(row as { answer: string }).answer, await inRedis(urls, (redis) => redis.get('answer'))];
}

async function inDatabase({ migrateDatabaseUrl }: ServiceUrls, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: migrateDatabaseUrl });
  client.on('error', quiet);
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end().catch(quiet);
  }
}

async function inRedis<T>(
  { redisUrl }: Pick<ServiceUrls, 'redisUrl'>,
  action: (redis: Redis) => Promise<T>,
): Promise<T> {
  const redis = new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null, disconnectTimeout: 100 });
  redis.on('error', quiet);
  try {
    await redis.connect();
    return await action(redis);
  } finally {
    redis.disconnect();
  }
}

async function eventually(action: () => Promise<void> | void): Promise<void> {
  const deadline = performance.now() + patience(60_000);
  for (;;) {
    try {
      await action();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await sleep(100);
  }
}
