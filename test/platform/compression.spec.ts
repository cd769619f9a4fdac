import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import * as zlib from 'node:zlib';
import { request } from 'node:http';
import { useApp } from '../support/app';
import { type TestWorkspace, makeWorkspace } from '../support/workspace';

const server = useApp();
let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await makeWorkspace(server);
  const operations = Array.from({ length: 50 }, (_, serial) => ({
    action: 'create',
    data: { subject: `Printer ${serial}`, description: 'It does not print. '.repeat(200) },
  }));
  (await workspace.api.post('/tickets/batch', { operations })).expect(200);
});

interface RawAnswer {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  body: Buffer;
}

/** `fetch` decompresses by itself and asks for it unbidden. */
function ask(path: string, headers: Record<string, string> = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const url = `${server.url}${path}`;
    const sent = request(
      url,
      { agent: false, headers: { authorization: `Bearer ${workspace.token}`, ...headers } },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) });
        });
      },
    );
    sent.once('error', reject).end();
  });
}

type Codec = (body: Buffer) => Buffer;
const zstd = (zlib as unknown as { zstdDecompressSync?: Codec }).zstdDecompressSync;
const codecs: [string, Codec][] = [
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
  ...(zstd ? [['zstd', zstd] as [string, Codec]] : []),
];

describe.each([
  ['a list of a few KB', '/v1/tickets?limit=5&fields=id,subject,description'],
  ['a list of 200 KB', '/v1/tickets?limit=50&fields=id,subject,description'],
  ['the OpenAPI document', '/v1/openapi.json'],
])('%s', (_name, path) => {
  it('is plain for a client that asks for nothing, and says that it could be otherwise', async () => {
    for (const accept of [undefined, 'identity', 'compress', 'gzip;q=0']) {
      const plain = await ask(path, accept === undefined ? {} : { 'accept-encoding': accept });
      expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
      expect(plain.headers['content-length']).toBe(String(plain.body.length));
      expect(plain.headers.vary).toContain('accept-encoding');
    }
  });

  it.each(codecs)('is the same in %s, and far shorter', async (encoding, decode) => {
    const plain = await ask(path);
    const packed = await ask(path, { 'accept-encoding': `${encoding}, identity;q=0.1` });
    expect(packed.headers).toMatchObject({ 'content-encoding': encoding, etag: plain.headers.etag });
    expect(packed.headers.vary).toContain('accept-encoding');
    expect(decode(packed.body).equals(plain.body)).toBe(true);
    expect(packed.body.length).toBeLessThan(plain.body.length / 3);
  });

  it('is 304 for whoever holds it, in any encoding', async () => {
    const { headers } = await ask(path, { 'accept-encoding': 'gzip' });
    expect(headers.etag).toMatch(/^W\/"/);
    for (const accept of ['gzip', 'identity']) {
      const answer = await ask(path, { 'accept-encoding': accept, 'if-none-match': String(headers.etag) });
      expect([answer.status, answer.body.length, answer.headers['content-type']]).toEqual([304, 0, undefined]);
    }
  });
});

describe('a short answer', () => {
  it('is never compressed', async () => {
    const answer = await ask('/v1/nothing', { 'accept-encoding': 'gzip, br, zstd' });
    expect([answer.status, answer.headers['content-encoding']]).toEqual([404, undefined]);
  });
});

describe('a client that takes several', () => {
  it('gets one that Node has, and keeps a strong ETag that works as If-Match', async () => {
    const { id } = (await workspace.api.post('/teams', { name: 'x', description: 'y'.repeat(2_000) })).expect(201).data;
    const answer = await ask(`/v1/teams/${id}`, { 'accept-encoding': 'gzip, deflate, br, zstd' });
    expect(answer.headers['content-encoding']).toBe(zstd ? 'zstd' : 'br');
    const etag = String(answer.headers.etag);
    expect(etag).toMatch(/^"/);
    (await workspace.api.patch(`/teams/${id}`, { name: 'z' }, { 'if-match': etag })).expect(200);
  });
});
