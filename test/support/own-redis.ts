import { Redis } from 'ioredis';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedRedis } from '../../src/embedded/embedded-redis';

/** A Redis of a test's own, for what must not befall the one that all tests share. */
export interface OwnRedis {
  readonly url: string;
  /** It neither answers nor closes connections, while the kernel still accepts new ones for it. */
  hang(): void;
  resume(): void;
  /** It dies at once, with all it knew; another one takes its place within moments. */
  kill(): void;
  flush(): Promise<void>;
  /** The connections of others, as `CLIENT LIST` shows them. */
  connections(): Promise<string[]>;
  stop(): Promise<void>;
}

export async function startOwnRedis(): Promise<OwnRedis> {
  const directory = mkdtempSync(join(tmpdir(), 'helpdesk-redis-'));
  const service = await startEmbeddedRedis({ directory, durable: false, say: () => undefined });
  const signal = (name: NodeJS.Signals): void => {
    const pid = Number(readFileSync(join(directory, 'data', 'redis.pid'), 'utf8'));
    // 0 would be everybody.
    if (pid === 0) throw new Error('Redis has only just begun.');
    process.kill(pid, name);
  };
  const ask = async <T>(question: (redis: Redis) => Promise<T>): Promise<T> => {
    const redis = new Redis(service.url, { connectionName: 'test' });
    redis.on('error', () => undefined);
    try {
      return await question(redis);
    } finally {
      redis.disconnect();
    }
  };
  return {
    url: service.url,
    hang: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    kill: () => signal('SIGKILL'),
    flush: async () => {
      await ask((redis) => redis.flushall());
    },
    connections: () =>
      ask(async (redis) => {
        const lines = String(await redis.client('LIST'))
          .trim()
          .split('\n');
        return lines.filter((line) => !line.includes(' name=test '));
      }),
    stop: async () => {
      try {
        signal('SIGCONT');
      } catch {
        // One that was killed a moment ago hangs no more.
      }
      await service.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
