import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Redis from 'ioredis';
import type { ServiceUrls } from '../../../src/config';
import { type RunningServices, startServices } from '../../../src/embedded/services';
import { adminUrl } from '../../support/admin-url';
import { migrate } from '../../support/migrate';

/** PostgreSQL and Redis of a gate's own, and what can befall them. What dies is started again at once. */
export class GateServices {
  private constructor(
    private readonly dataDir: string,
    private readonly services: RunningServices,
  ) {}

  /** @param dataDir an empty or former directory of the gate's own */
  static async start(dataDir: string, say: (line: string) => void): Promise<GateServices> {
    const services = await startServices({ dataDir, databaseUrl: null, redisUrl: null }, say, { durable: false });
    try {
      await migrate(services.migrateDatabaseUrl);
    } catch (error) {
      await services.stop();
      throw error;
    }
    return new GateServices(dataDir, services);
  }

  /** As the superuser: a gate looks at every workspace. */
  get databaseUrl(): string {
    return adminUrl(this.dataDir, this.services.databaseUrl);
  }

  /** What the processes under test get. */
  get urls(): ServiceUrls {
    return this.services;
  }

  get redisUrl(): string {
    return this.services.redisUrl;
  }

  stop(): Promise<void> {
    return this.services.stop();
  }

  /** Everything in Redis is gone and the process with it; an empty one takes its place. */
  async killRedis(): Promise<void> {
    const redis = new Redis(this.redisUrl, { maxRetriesPerRequest: 1, lazyConnect: true });
    redis.on('error', () => undefined);
    await redis.flushall().catch(() => undefined);
    redis.disconnect();
    process.kill(this.redisPid(), 'SIGKILL');
  }

  /** Redis neither answers nor closes connections for so long. */
  async hangRedis(milliseconds: number): Promise<void> {
    let pid = this.redisPid();
    // It may have been killed a moment ago; then the one that takes its place hangs.
    while (!signalled(pid, 'SIGSTOP')) {
      await sleep(50);
      pid = this.redisPid();
    }
    await sleep(milliseconds);
    signalled(pid, 'SIGCONT');
  }

  /** PostgreSQL aborts every session and starts again from its log (shutdown mode "immediate"). */
  crashPostgres(): void {
    const [pid] = readFileSync(join(this.dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(pid), 'SIGQUIT');
  }

  private redisPid(): number {
    return Number(readFileSync(join(this.dataDir, 'redis', 'data', 'redis.pid'), 'utf8'));
  }
}

/** Sends a signal; false when there is no such process. */
function signalled(pid: number, name: NodeJS.Signals): boolean {
  try {
    // 0 would be everybody.
    return pid > 0 && process.kill(pid, name);
  } catch {
    return false;
  }
}
