import type { Socket } from 'node:net';
import { Outbound, type OutboundNetwork } from '../../src/platform/outbound/outbound';
import type { OutboundRequest, OutboundResult } from '../../src/platform/outbound/outbound-result';
import { patience } from '../support/machine';
import { answering, type Receiver, response, startReceiver } from '../support/raw-receiver';
import { testCertificate } from '../support/test-certificate';
import { until } from '../support/until';

const loopback = ['127.0.0.1/32'];
const receivers: Receiver[] = [];
const clients: Outbound[] = [];

function client(webhookAllowCidrs: string[] = loopback, network: OutboundNetwork | null = null): Outbound {
  const made = new Outbound({ webhookAllowCidrs }, network);
  clients.push(made);
  return made;
}

async function receiver(...args: Parameters<typeof startReceiver>): Promise<Receiver> {
  const made = await startReceiver(...args);
  receivers.push(made);
  return made;
}

afterEach(async () => {
  for (const each of clients.splice(0)) each.onApplicationShutdown();
  await Promise.all(receivers.splice(0).map((each) => each.close()));
});

const post = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json' },
  body: '{"ü":1}',
  ...more,
});
const to = ({ port }: Receiver): string => `http://127.0.0.1:${port}/hook?a=1`;

describe('outbound messages', () => {
  it('arrive byte for byte, with their headers and none of the connection’s', async () => {
    let seen = '';
    const server = await receiver((socket, request) => {
      seen += request ?? '';
      if (request !== null) socket.write(response('201 Created', 'thanks', 'Retry-After: 7\r\nX-Other: 1\r\n'));
    });
    const headers = { 'X-Mine': 'yes', Host: 'evil.example', 'Transfer-Encoding': 'chunked', 'Content-Length': '1' };
    const result = await client().send(post(to(server), { headers }));
    expect(result).toEqual({
      status: 201,
      durationMs: expect.any(Number) as number,
      body: 'thanks',
      headers: { 'retry-after': '7' },
      error: null,
    });
    const [head = '', body] = seen.split('\r\n\r\n');
    expect(head).toMatch(/^POST \/hook\?a=1 HTTP\/1\.1\r\n/);
    expect(head).toMatch(/^X-Mine: yes$/m);
    expect(head).toMatch(new RegExp(`^Host: 127\\.0\\.0\\.1:${server.port}$`, 'm'));
    expect(head).toMatch(/^accept-encoding: identity$/m);
    expect(head).toMatch(/^content-length: 8$/m);
    expect(head).not.toMatch(/chunked|evil/);
    expect(Buffer.from(body ?? '', 'latin1').toString('utf8')).toBe('{"ü":1}');
  });

  it('share a connection one after another, and replace one that the server has closed meanwhile', async () => {
    const open: Socket[] = [];
    const server = await receiver((socket, request) => {
      if (request === null) open.push(socket);
      else socket.write(response('200 OK', 'ok'));
    });
    const outbound = client();
    for (let n = 0; n < 3; n++) expect((await outbound.send(post(to(server)))).status).toBe(200);
    expect(server.connections).toBe(1);
    // Not told to the client before its next request is on its way: it writes in the same turn.
    open[0]?.resetAndDestroy();
    expect((await outbound.send(post(to(server)))).error).toBeNull();
    expect(server.connections).toBe(2);
  });

  it('are sent again once when a kept connection breaks before any answer, and only then', async () => {
    let requests = 0;
    const server = await receiver((socket, request) => {
      if (request === null) return;
      requests++;
      if (requests === 1) socket.write(response('200 OK'));
      else socket.resetAndDestroy();
    });
    const outbound = client();
    await outbound.send(post(to(server)));
    expect((await outbound.send(post(to(server)))).error?.code).toBe('reset');
    expect(requests).toBe(3);
    expect((await outbound.send(post(to(server)))).error?.code).toBe('reset');
    expect(requests).toBe(4);
  });

  it('do not follow redirects', async () => {
    const canary = await receiver(answering(response('200 OK')));
    const server = await receiver(answering(response('302 Found', '', `Location: ${to(canary)}\r\n`)));
    const result = await client().send(post(to(server)));
    expect(result).toMatchObject({ status: 302, headers: { location: to(canary) }, error: null });
    expect(canary.connections).toBe(0);
  });

  it('go over TLS only with a certificate that is right', async () => {
    const server = await receiver(answering(response('200 OK', 'safe')), { secure: true });
    const network = { resolve: () => Promise.resolve(['127.0.0.1']), ca: testCertificate.cert };
    const url = (host: string): string => `https://${host}:${server.port}/`;
    expect(await client(loopback, network).send(post(url('hooks.example.test')))).toMatchObject({
      status: 200,
      body: 'safe',
    });
    const wrongName = await client(loopback, network).send(post(url('other.example.test')));
    expect(wrongName).toMatchObject({ status: null, error: { code: 'tls' } });
    const untrusted = await client(loopback, { resolve: network.resolve }).send(post(url('hooks.example.test')));
    expect(untrusted).toMatchObject({ status: null, error: { code: 'tls' } });
  });
});

describe('an answer', () => {
  it('is read up to 16 KB and kept up to 4 KB, whatever its encoding', async () => {
    const server = await receiver((socket, request) => {
      if (request === null) return;
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n');
      const flood = (): void => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65_536, 'aé\0'))) continue;
        socket.once('drain', flood);
      };
      flood();
    });
    const result = await client().send(post(to(server)));
    expect(result).toMatchObject({ status: 200, error: null });
    expect(Buffer.byteLength(result.body ?? '')).toBeLessThanOrEqual(4_096);
    expect(result.body).toMatch(/^(aé)+a?$/);
    await until('the connection is closed', () => server.open === 0);
  });

  it.each([
    [
      'nothing but 64 KB of headers',
      `HTTP/1.1 200 OK\r\n${`x: ${'a'.repeat(1_000)}\r\n`.repeat(64)}\r\n`,
      'too_large_headers',
    ],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n', 'protocol'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\na', 'protocol'],
    ['a flood of interim answers', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(11), 'protocol'],
    [
      'another protocol',
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      'reset',
    ],
  ])('that is %s is a failure', async (_what, bytes, code) => {
    const server = await receiver(answering(bytes));
    const result = await client().send(post(to(server)));
    expect(result.error?.code).toBe(code);
    await until('the connection is closed', () => server.open === 0);
  });

  it.each([
    ['before its end', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf', 200],
    ['before its start', '', null],
  ])('that breaks off %s is a failure', async (_when, bytes, status) => {
    const server = await receiver((socket, request) => {
      if (request !== null) socket.end(bytes);
    });
    expect(await client().send(post(to(server)))).toMatchObject({ status, error: { code: 'reset' } });
  });

  it.each<[string, (socket: Socket, request: string | null) => void]>([
    ['never comes', () => undefined],
    ['never ends', answering('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf')],
    ['comes letter by letter', (socket, request) => request !== null && drip(socket, 'HTTP/1.1 200 OK\r\n')],
  ])('that %s ends with the deadline', async (_how, behave) => {
    const server = await receiver(behave);
    const result = await client().send(post(to(server), { timeoutMs: 400 }));
    expect(result.error).toMatchObject({ code: 'timeout' });
    expect(result.durationMs).toBeGreaterThanOrEqual(399);
    await until('the connection is closed', () => server.open === 0);
  });

  it('is not kept waiting for by names that are never resolved', async () => {
    const resolve = (): Promise<string[]> => new Promise(() => undefined);
    const result = await client([], { resolve }).send(post('https://slow.example.test/', { timeoutMs: 200 }));
    expect(result).toMatchObject({ status: null, error: { code: 'timeout' } });
  });
});

describe('the network of the service', () => {
  const outcome = ({ status, body, headers, error }: OutboundResult): unknown => ({
    status,
    body,
    headers,
    error: { code: error?.code, message: error?.message },
  });

  it('cannot be looked around in: refused addresses read like servers that are away', async () => {
    const resolve = (name: string): Promise<string[]> =>
      name === 'inner.example.test' ? Promise.resolve(['10.0.0.1']) : Promise.reject(new Error('ENOTFOUND'));
    const outbound = client([], { resolve });
    const blocked = await outbound.send(post('https://inner.example.test/'));
    const unknown = await outbound.send(post('https://none.example.test/'));
    const literal = await outbound.send(post('https://127.0.0.1/'));
    expect(blocked.error?.cause).toBe('blocked_address');
    expect(unknown.error?.cause).toBe('dns');
    expect(outcome(blocked)).toEqual(outcome(unknown));
    expect(outcome(literal)).toEqual(outcome(unknown));
    const closed = await receiver(() => undefined);
    await closed.close();
    const refused = await client().send(post(to(closed)));
    expect(refused.error?.cause).toBe('refused');
    expect(outcome(refused)).toEqual(outcome(unknown));
  });

  it('is refused when one address of several is forbidden, or a name moves there between two messages', async () => {
    const canary = await receiver(answering(response('200 OK')), { secure: true });
    const answers = [['127.0.0.1'], ['127.0.0.1', '169.254.169.254'], ['10.0.0.1'], [], ['127.0.0.1']];
    const resolve = (): Promise<string[]> => Promise.resolve(answers.shift() ?? []);
    const outbound = client(loopback, { resolve, ca: testCertificate.cert });
    const url = `https://hooks.example.test:${canary.port}/`;
    const codes: unknown[] = [];
    for (let n = 0; n < 5; n++) codes.push((await outbound.send(post(url))).error?.cause ?? null);
    expect(codes).toEqual([null, 'blocked_address', 'blocked_address', 'dns', null]);
    expect(canary.connections).toBe(1);
  });

  it('opens only the ranges that it names, for plain HTTP and other ports as well', async () => {
    const canary = await receiver(answering(response('200 OK')));
    const resolve = (name: string): Promise<string[]> =>
      Promise.resolve([name === 'in.test' ? '127.0.0.1' : '8.8.8.8']);
    const outbound = client(loopback, { resolve });
    expect((await outbound.send(post(`http://in.test:${canary.port}/`))).status).toBe(200);
    expect((await outbound.send(post('http://out.test/'))).error?.cause).toBe('blocked_address');
    expect((await outbound.send(post(`http://127.0.0.2:${canary.port}/`))).error?.cause).toBe('blocked_address');
    expect((await client([], { resolve }).send(post(`http://in.test:${canary.port}/`))).error?.cause).toBe(
      'blocked_address',
    );
    expect(canary.connections).toBe(1);
  });

  it('may have no way to an address at all', async () => {
    const network = { resolve: () => Promise.resolve(['255.255.255.255', '224.0.0.1']) };
    const outbound = client(['224.0.0.0/3'], network);
    const result = await outbound.send(post('https://nowhere.example.test/', { timeoutMs: patience(10_000) }));
    expect(result).toMatchObject({ status: null, error: { message: 'The server could not be reached.' } });
  });

  it('is left alone by headers that cannot be sent', async () => {
    const server = await receiver(answering(response('200 OK')));
    for (const [name, value] of [
      ['x-a', 'b\r\nx-c: d'],
      ['x a', 'b'],
      ['x-a', '☃'],
    ] as const) {
      const result = await client().send(post(to(server), { headers: { [name]: value } }));
      expect(result.error?.code).toBe('invalid_request');
    }
    expect(server.received).toBe(0);
  });
});

/** Repeats a text letter by letter until the client has enough. */
function drip(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => socket.write(text.charAt(at++ % text.length)), 20);
  socket.once('close', () => clearInterval(timer));
}
