import Redis from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { patience } from '../../support/machine';

/** Who is back after Redis was, and after how long. */
export interface WayBack {
  /** API processes whose own jobs arrive through Redis. */
  apis: number;
  /** Connections on which workers fetch jobs. */
  consumers: number;
  seconds: number;
}

const PATIENCE_MS = 90_000;
const POLL_MS = 200;

/**
 * Waits until so many API processes say that jobs arrive and so many consumers are connected, or much too long. Jobs that
 * workers take from PostgreSQL meanwhile do not count: jobs have to travel through Redis again.
 */
export async function wayBack(urls: readonly string[], redisUrl: string, consumers: number): Promise<WayBack> {
  const startedAt = performance.now();
  for (;;) {
    const healthy = await Promise.all(urls.map(jobsArrive));
    const now: WayBack = {
      apis: healthy.filter(Boolean).length,
      consumers: await consumersOf(redisUrl),
      seconds: Math.round((performance.now() - startedAt) / 100) / 10,
    };
    const complete = now.apis === urls.length && now.consumers >= consumers;
    if (complete || performance.now() - startedAt > patience(PATIENCE_MS)) return now;
    await sleep(POLL_MS);
  }
}

async function jobsArrive(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/v1/health`);
    return ((await response.json()) as { status: string }).status === 'ok';
  } catch {
    return false;
  }
}

/** Bull names the connections it fetches with after the queue. */
async function consumersOf(redisUrl: string): Promise<number> {
  const redis = new Redis(redisUrl, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    const clients = String(await redis.client('LIST')).split('\n');
    return clients.filter((line) => / name=helpdesk:[^: ]+:/.test(line)).length;
  } catch {
    return 0;
  } finally {
    redis.disconnect();
  }
}
