import { getQueueToken } from '@nestjs/bull';
import { Global, Module } from '@nestjs/common';
import type { Queue } from 'bull';
import type { Redis } from 'ioredis';
import type { EventEmitter } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { BullClients } from '../../src/platform/queue/bull-clients';
import { BullTransport } from '../../src/platform/queue/bull-transport';
import { DELIVERY_QUEUE, EVENTS_QUEUE, JOB_QUEUE } from '../../src/platform/queue/queue-names';
import { TRANSPORT_PACE, type TransportPace } from '../../src/platform/queue/transport-pace';
import { api } from '../support/api';
import { startApp, type TestApp } from '../support/app';
import { type NetworkGate, openGate } from '../support/network-gate';
import { type OwnRedis, startOwnRedis } from '../support/own-redis';
import { until } from '../support/until';

/** As in production, only sooner. */
const pace: TransportPace = {
  ...{ everyMs: 200, whileDeadMs: 50, addMs: 250, arrivesWithinMs: 500, renewGapMs: 300, fetchSeconds: 1 },
};

@Global()
@Module({ providers: [{ provide: TRANSPORT_PACE, useValue: pace }], exports: [TRANSPORT_PACE] })
class SoonerModule {}

let redis: OwnRedis;
let gate: NetworkGate;
let server: TestApp;

beforeAll(async () => {
  redis = await startOwnRedis();
  gate = await openGate(redis.url);
  server = await startApp({ redisUrl: gate.url }, { modules: [SoonerModule] });
});

afterAll(async () => {
  await server.close();
  await gate.close();
  await redis.stop();
});

function queues(): Queue[] {
  return [EVENTS_QUEUE, JOB_QUEUE, DELIVERY_QUEUE].map((name) => server.app.get<Queue>(getQueueToken(name)));
}

function isHealthy(): boolean {
  return server.app.get(BullTransport).healthy;
}

/** Each queue's consumer of this very process takes a job, and the service says that all is well. */
async function consumersAreBack(): Promise<void> {
  await Promise.all(queues().map((queue) => new Promise((resolve) => queue.once('completed', resolve))));
  await until('jobs arrive again', isHealthy);
  await until('the health is good again', async () => {
    const { body } = await api(server.url).get('/health');
    return body.status === 'ok';
  });
}

/** The transport has noticed, and has made its connections anew so many times. */
async function renewed(times: number): Promise<void> {
  const clients = server.app.get(BullClients);
  const before = clients.renewals;
  await until('jobs do not arrive', () => !isHealthy());
  await until('the connections are renewed', () => clients.renewals >= before + times);
}

/** Names of the connections to Redis, and the listeners of each of Bull's clients and its socket. */
async function held(): Promise<{ connections: string[]; listeners: number[] }> {
  const names = (await redis.connections()).map((line) => / name=(\S*)/.exec(line)?.[1] ?? '');
  const clients = queues().flatMap((queue) => {
    const { bclient, eclient } = queue as unknown as { bclient: Redis; eclient: Redis };
    return [queue.client, bclient, eclient];
  });
  const emitters: EventEmitter[] = clients.flatMap((client) => [client, client.stream]);
  const count = (emitter: EventEmitter): number =>
    emitter.eventNames().reduce((sum, name) => sum + emitter.listenerCount(name), 0);
  return { connections: names.sort(), listeners: emitters.map(count) };
}

describe('consumers, after Redis', () => {
  it.each([
    ['hangs for a moment', 0],
    ['hangs until the connections are renewed', 1],
    ['hangs while they are renewed again and again', 3],
  ])('%s', async (_, renewals) => {
    redis.hang();
    if (renewals > 0) await renewed(renewals);
    redis.resume();
    await consumersAreBack();
  });

  it('dies', async () => {
    redis.kill();
    await consumersAreBack();
  });

  it('forgets everything', async () => {
    await redis.flush();
    await consumersAreBack();
  });

  it('refuses connections', async () => {
    await gate.cut();
    await until('jobs do not arrive', () => !isHealthy());
    await gate.restore();
    await consumersAreBack();
  });

  it("refuses connections until this process ends: that Bull cannot name its own is nobody's error", async () => {
    await gate.cut();
    await until('jobs do not arrive', () => !isHealthy());
    const [queue] = queues() as [Queue];
    await until('the connection is gone', () => queue.client.status !== 'ready');
    const named = queue.setWorkerName();
    queue.client.emit('end');
    await named;
    await gate.restore();
    await consumersAreBack();
  });

  it('vanishes without closing a connection', async () => {
    gate.hang();
    await renewed(2);
    gate.abandon();
    await consumersAreBack();
  });

  it('is lost to the fetching connections alone, whose jobs others may take', async () => {
    for (const queue of queues()) (queue as unknown as { bclient: Redis }).bclient.stream.pause();
    await consumersAreBack();
  });

  it('hangs five times: no connection and no listener is left behind', async () => {
    await consumersAreBack();
    // Those that were renewed a moment ago are still going, and what comes has listeners of its own for a while.
    let before = await held();
    await until('all seven connections are at rest', async () => {
      const earlier = before;
      before = await held();
      return before.connections.length === 7 && isDeepStrictEqual(before, earlier);
    });
    for (let round = 0; round < 5; round++) {
      redis.hang();
      await renewed(2);
      redis.resume();
      await consumersAreBack();
    }
    await until('only the connections of before are there', async () => {
      const { connections } = await held();
      return JSON.stringify(connections) === JSON.stringify(before.connections);
    });
    await until('only the listeners of before are there', async () => {
      const { listeners } = await held();
      return JSON.stringify(listeners) === JSON.stringify(before.listeners);
    });
  });
});
