import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Outbound } from '../../src/platform/outbound/outbound';
import type { OutboundAnswer } from '../../src/platform/outbound/outbound-result';
import { IMPORT_PROFILE, type OutboundProfile, SERVICE_PROFILE } from '../../src/platform/outbound/profile';
import { patience } from '../support/machine';
import { until } from '../support/until';

const KiB = 1_024;
const MiB = 1_024 * KiB;
const outbound = new Outbound({ webhookAllowCidrs: ['127.0.0.1/32'] }, null);
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});
afterAll(() => outbound.onApplicationShutdown());

/** The address of a server that answers so. */
async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function stream(url: string, profile: OutboundProfile = SERVICE_PROFILE): Promise<OutboundAnswer> {
  return outbound.stream({ method: 'GET', url, headers: {} }, profile);
}

/** What came of a body: its length, and why it did not come to its end. */
async function drain({ body }: OutboundAnswer): Promise<{ bytes: number; failure: string | null }> {
  let bytes = 0;
  try {
    for await (const chunk of body!) bytes += (chunk as Buffer).length;
    return { bytes, failure: null };
  } catch (error) {
    return { bytes, failure: (error as { error: { code: string } }).error.code };
  }
}

describe('a profile', () => {
  it('lets an answer of some MiB be kept whole', async () => {
    const url = await serving((_request, response) => response.end('x'.repeat(3 * MiB)));
    const { status, body, error } = await outbound.send({ method: 'GET', url, headers: {} }, SERVICE_PROFILE);
    expect([status, body?.length, error]).toEqual([200, 3 * MiB, null]);
  });

  it('refuses one that is too large, instead of cutting it', async () => {
    const url = await serving((_request, response) => response.end('x'.repeat(200 * KiB)));
    const profile = { ...SERVICE_PROFILE, maxBodyBytes: 100 * KiB };
    const { error } = await outbound.send({ method: 'GET', url, headers: {} }, profile);
    expect(error?.code).toBe('too_large');
  });

  it('reaches the ranges of its own and no others', async () => {
    const url = await serving((_request, response) => response.end('inside'));
    const closed = await outbound.send({ method: 'GET', url, headers: {} }, { ...SERVICE_PROFILE, allowed: [] });
    expect([closed.status, closed.error?.cause]).toEqual([null, 'blocked_address']);
    const strict = new Outbound({ webhookAllowCidrs: [] }, null);
    const open = await strict.send(
      { method: 'GET', url, headers: {} },
      { ...SERVICE_PROFILE, allowed: ['127.0.0.0/8'] },
    );
    strict.onApplicationShutdown();
    expect(open.body).toBe('inside');
  });
});

describe('a streamed answer', () => {
  it('begins before it has ended, and comes as it is sent', async () => {
    let goOn = (): void => undefined;
    const url = await serving((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
      goOn = () => response.end('data: 2\n\n');
    });
    const answer = await stream(url);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/event-stream']);
    const parts: string[] = [];
    for await (const chunk of answer.body!) {
      parts.push(String(chunk));
      goOn();
    }
    expect(parts.join('')).toBe('data: 1\n\ndata: 2\n\n');
  });

  it('makes the sender wait for its reader, however much there is', async () => {
    let sent = 0;
    const url = await serving((_request, response) => {
      const fill = (): void => {
        while (sent < 64 * MiB) {
          sent += 64 * KiB;
          if (!response.write(Buffer.alloc(64 * KiB))) return;
        }
        response.end();
      };
      response.on('drain', fill);
      fill();
    });
    const answer = await stream(url, IMPORT_PROFILE);
    let still = -1;
    await until('the sender has stopped', async () => {
      const before = still;
      still = sent;
      await pause(20);
      return before === sent;
    });
    expect(sent).toBeLessThan(32 * MiB);
    expect(await drain(answer)).toEqual({ bytes: 64 * MiB, failure: null });
  });

  it('fails when it grows too large, endlessly', async () => {
    const url = await serving((_request, response) => {
      const fill = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(16 * KiB)));
      };
      response.on('drain', fill);
      fill();
    });
    const { bytes, failure } = await drain(await stream(url, { ...SERVICE_PROFILE, maxBodyBytes: MiB }));
    expect(failure).toBe('too_large');
    expect(bytes).toBeLessThanOrEqual(MiB);
  });

  it('fails when it is cut off', async () => {
    const url = await serving((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    });
    expect(await drain(await stream(url))).toEqual({ bytes: 4, failure: 'reset' });
  });

  it('fails when it falls silent, and when it takes too long', async () => {
    const silent = await serving((_request, response) => void response.write('and then'));
    expect((await drain(await stream(silent, { ...SERVICE_PROFILE, silenceMs: 50 }))).failure).toBe('timeout');
    const slow = await serving((_request, response) => {
      const timer = setInterval(() => response.write('.'), 5);
      response.on('close', () => clearInterval(timer));
    });
    const profile = { ...SERVICE_PROFILE, timeoutMs: patience(400) };
    expect((await drain(await stream(slow, profile))).failure).toBe('timeout');
  });

  it('is none when no answer begins; a redirect is an answer and not followed', async () => {
    const mute = await serving(() => undefined);
    const none = await stream(mute, { ...SERVICE_PROFILE, timeoutMs: 50 });
    expect([none.status, none.body, none.error?.code]).toEqual([null, null, 'timeout']);
    let asked = 0;
    const moved = await serving((_request, response) => {
      asked++;
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    const answer = await stream(moved);
    expect([answer.status, answer.headers.location, await drain(answer), asked]).toEqual([
      302,
      '/elsewhere',
      { bytes: 0, failure: null },
      1,
    ]);
  });

  it('ends its connection when it is destroyed', async () => {
    let closed = false;
    const url = await serving((_request, response) => {
      response.write('first');
      response.on('close', () => (closed = true));
    });
    const { body } = await stream(url);
    body!.destroy();
    await until('the connection is closed', () => closed);
  });
});
