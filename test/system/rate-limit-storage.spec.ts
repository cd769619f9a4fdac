import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { RedisThrottlerStorage } from '../../src/platform/limits/redis-throttler-storage';
import { REDIS_WAIT_MS } from '../support/app';
import { type NetworkGate, openGate } from '../support/network-gate';
import { testServices } from '../support/services';
import { until } from '../support/until';

const NOWHERE = 'redis://127.0.0.1:1';
const opened: (() => void | Promise<void>)[] = [];

async function storage(redisUrl = testServices().redisUrl): Promise<RedisThrottlerStorage> {
  const made = new RedisThrottlerStorage({ redisUrl, role: 'api', redisWaitMs: REDIS_WAIT_MS });
  opened.push(() => made.onApplicationShutdown());
  await made.onModuleInit();
  // It starts without Redis where that does not answer at once, as on a busy machine.
  if (redisUrl !== NOWHERE) await until('Redis is used', () => made.mode === 'shared');
  return made;
}

async function gatedStorage(): Promise<{ node: RedisThrottlerStorage; gate: NetworkGate }> {
  const gate = await openGate(testServices().redisUrl);
  const node = await storage(gate.url);
  opened.push(() => gate.close());
  return { node, gate };
}

/** How many of `count` requests, all at once, the nodes admit in turn. */
async function admittedOf(nodes: RedisThrottlerStorage[], key: string, limit: number, count: number): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) => nodes[index % nodes.length]!.increment(key, 60_000, limit)),
  );
  return answers.filter(({ isBlocked }) => !isBlocked).length;
}

Logger.overrideLogger(false);

afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

describe('rate limit storage', () => {
  it('admits exactly the limit across two nodes, however many ask at once', async () => {
    const nodes = [await storage(), await storage()];
    const key = randomUUID();
    expect(await admittedOf(nodes, key, 100, 1000)).toBe(100);
    expect(await admittedOf(nodes, key, 100, 10)).toBe(0);
  });

  it('numbers the admitted requests without gaps', async () => {
    const node = await storage();
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 50 }, () => node.increment(key, 60_000, 40)));
    const admitted = answers.filter(({ isBlocked }) => !isBlocked).map(({ totalHits }) => totalHits);
    expect(admitted).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
  });

  it('leases to a busy token, numbers without gaps all the same, and gives back what was not used', async () => {
    const node = await storage();
    const redis = new Redis(testServices().redisUrl);
    opened.push(() => redis.disconnect());
    const ask = jest.spyOn(Redis.prototype as unknown as { sendCommand: () => unknown }, 'sendCommand');
    const key = randomUUID();
    const numbers: number[] = [];
    for (let n = 0; n < 300; n++) numbers.push((await node.increment(key, 60_000, 10_000)).totalHits);
    const asked = ask.mock.calls.length;
    ask.mockRestore();
    expect(numbers).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
    expect(asked).toBeLessThan(290);
    await until('the rest is given back', async () => (await redis.hget(`helpdesk:rate:${key}`, 'total')) === '300');
    expect((await (await storage()).increment(key, 60_000, 10_000)).totalHits).toBe(301);
  });

  it('admits exactly the limit across two busy nodes that lease', async () => {
    const nodes = [await storage(), await storage()];
    const key = randomUUID();
    let admitted = 0;
    for (let round = 0; round < 60; round++) admitted += await admittedOf(nodes, key, 1_000, 20);
    // What a node has leased and does not use is nobody's, until it is given back.
    await until('all are used', async () => {
      const more = await admittedOf(nodes, key, 1_000, 10);
      admitted += more;
      return admitted >= 1_000;
    });
    expect(await admittedOf(nodes, key, 1_000, 50)).toBe(0);
    expect(admitted).toBe(1_000);
  });

  it('tells a refused request when to come back, within the window', async () => {
    const node = await storage();
    const key = randomUUID();
    const begun = performance.now();
    await admittedOf([node], key, 3, 3);
    const refusals = await Promise.all(Array.from({ length: 3 }, () => node.increment(key, 60_000, 3)));
    const passed = (performance.now() - begun) / 1_000;
    for (const { isBlocked, timeToBlockExpire } of refusals) {
      expect(isBlocked).toBe(true);
      expect(Number.isInteger(timeToBlockExpire)).toBe(true);
      expect(timeToBlockExpire).toBeGreaterThanOrEqual(59 - passed);
      expect(timeToBlockExpire).toBeLessThanOrEqual(60);
    }
  });

  it('heeds a plan that was raised while the token was being refused', async () => {
    const node = await storage();
    const key = randomUUID();
    expect(await admittedOf([node], key, 3, 5)).toBe(3);
    expect(await admittedOf([node], key, 10, 20)).toBe(7);
  });

  it('keeps tokens apart', async () => {
    const node = await storage();
    expect(await admittedOf([node], randomUUID(), 5, 9)).toBe(5);
    expect(await admittedOf([node], randomUUID(), 5, 9)).toBe(5);
  });

  it.each([
    ['Redis', undefined],
    ['each node', NOWHERE],
  ])('keeps windows of different lengths apart (in %s)', async (_, redisUrl) => {
    const node = await storage(redisUrl);
    const key = randomUUID();
    for (const ttl of [60_000, 10_000, 7_200_000]) {
      expect(await node.increment(key, ttl, 1)).toMatchObject({ isBlocked: false, totalHits: 1 });
      const { isBlocked, timeToBlockExpire } = await node.increment(key, ttl, 1);
      expect(isBlocked).toBe(true);
      expect(timeToBlockExpire).toBeLessThanOrEqual(ttl / 1_000);
      if (ttl > 60_000) expect(timeToBlockExpire).toBeGreaterThan(60);
    }
  });

  it('limits by itself when Redis is cut off, and does not double the limit by that', async () => {
    const { node, gate } = await gatedStorage();
    const key = randomUUID();
    expect(await admittedOf([node], key, 20, 12)).toBe(12);
    await gate.cut();
    // Whatever share of the limit falls to this node, 12 of it are used.
    const more = await admittedOf([node], key, 20, 100);
    expect(more).toBeLessThanOrEqual(8);
    expect(node.mode).toBe('local');
    expect(await admittedOf([node], randomUUID(), 20, 100)).toBeGreaterThan(0);
    expect(await admittedOf([node], randomUUID(), 20, 100)).toBeLessThanOrEqual(20);
  });

  it('limits by itself when Redis hangs', async () => {
    const { node, gate } = await gatedStorage();
    gate.hang();
    const admitted = await admittedOf([node], randomUUID(), 20, 100);
    expect(admitted).toBeGreaterThan(0);
    expect(admitted).toBeLessThanOrEqual(20);
    expect(node.mode).toBe('local');
  });

  it('reports to Redis what it admitted alone, once Redis is back', async () => {
    const { node, gate } = await gatedStorage();
    const key = randomUUID();
    await gate.cut();
    const alone = await admittedOf([node], key, 20, 5);
    expect(alone).toBeGreaterThan(0);
    await gate.restore();
    await until('Redis is used again', () => node.mode === 'shared');
    expect(await admittedOf([node], key, 20, 100)).toBe(20 - alone);
    expect(await admittedOf([await storage()], key, 20, 100)).toBe(0);
  });

  it('asks Redis again after a connection was lost without a word', async () => {
    const { node, gate } = await gatedStorage();
    const key = randomUUID();
    gate.hang();
    const alone = await admittedOf([node], key, 20, 5);
    gate.abandon();
    await until('Redis is used again', () => node.mode === 'shared');
    expect(await admittedOf([node], key, 20, 100)).toBe(20 - alone);
  });

  it('still holds the limit when Redis comes back empty', async () => {
    const node = await storage();
    const key = randomUUID();
    expect(await admittedOf([node], key, 20, 15)).toBe(15);
    const redis = new Redis(testServices().redisUrl);
    opened.push(() => redis.disconnect());
    await redis.del(`helpdesk:rate:${key}`);
    expect(await admittedOf([node], key, 20, 100)).toBe(5);
  });

  it('starts and limits without any Redis', async () => {
    const node = await storage(NOWHERE);
    expect(node.mode).toBe('local');
    expect(await admittedOf([node], randomUUID(), 7, 50)).toBe(7);
  });
});
