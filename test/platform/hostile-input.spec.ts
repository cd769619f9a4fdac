import { ERROR_STATUS, type ErrorType } from '../../src/platform/errors/api-error';
import { useApp } from '../support/app';
import type { Answer } from '../support/api';
import { probeModules } from '../support/probe.module';
import { parseRaw, rawRequest } from '../support/raw-http';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp({}, { modules: probeModules });
let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await makeWorkspace(server);
});

const TYPE_OF: Readonly<Record<number, ErrorType>> = {
  400: 'bad_request',
  414: 'uri_too_long',
  431: 'header_fields_too_large',
  501: 'not_implemented',
};

function uniform(answer: Answer): void {
  expect(answer.header('content-type')).toBe('application/json; charset=utf-8');
  expect(Object.keys(answer.body)).toEqual(['error']);
  expect(answer.error).toMatchObject({ status: answer.status, request_id: answer.header('x-request-id') });
}

const valid = { subject: 'a', count: 1 };
const json = (extra: string): string => `{"subject":"a","count":1,${extra}}`;

describe('a hostile body', () => {
  it.each<[string, string | Buffer, number]>([
    ['malformed JSON', '{"subject":', 422],
    ['an array', '[]', 422],
    ['a number', '7', 422],
    ['null', 'null', 422],
    ['a text', '"x"', 422],
    ['NUL in text', '{"subject":"a\\u0000","count":1}', 422],
    ['a lone surrogate', '{"subject":"\\udfff","count":1}', 422],
    ['__proto__', json('"__proto__":{"admin":true}'), 422],
    ['constructor.prototype', json('"constructor":{"prototype":{"admin":true}}'), 422],
    ['2^53', '{"subject":"a","count":9007199254740993}', 422],
    ['1e308', '{"subject":"a","count":1e308}', 422],
    ['33 levels', `{"subject":${'['.repeat(32)}${']'.repeat(32)}}`, 422],
    ['200,000 levels', `{"subject":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, 422],
    ['1,001 members', `{${Array.from({ length: 1001 }, (_, index) => `"k${index}":1`).join(',')}}`, 422],
    ['invalid UTF-8', Buffer.from('7b227375626a656374223a22ff227d', 'hex'), 422],
    ['a byte order mark', Buffer.from('efbbbf7b7d', 'hex'), 422],
    ['1 MiB and a byte', `"${'x'.repeat(1024 * 1024)}`, 413],
    ['2 MiB', 'x'.repeat(2 * 1024 * 1024), 413],
  ])('is refused: %s', async (_name, body, status) => {
    const answer = await workspace.api.post('/probes', body);
    expect(answer.status).toBe(status);
    uniform(answer);
  });

  it('may be exactly 1 MiB', async () => {
    const frame = '{"subject":""}';
    const answer = await workspace.api.post('/probes', `{"subject":"${'x'.repeat(1024 * 1024 - frame.length)}"}`);
    expect(answer.codes).toEqual({ subject: 'max', count: 'required' });
  });

  it.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/json; charset=utf-16'],
    [';;;'],
    ['application/jsonx'],
  ])('is refused as %s', async (type) => {
    const answer = await workspace.api.post('/probes', JSON.stringify(valid), { 'content-type': type });
    expect(answer.status).toBe(415);
    uniform(answer);
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/vnd.api+json',
  ])('is read as %s', async (type) => {
    expect((await workspace.api.post('/probes', JSON.stringify(valid), { 'content-type': type })).status).toBe(201);
  });

  it('is refused when it is compressed', async () => {
    const answer = await workspace.api.post('/probes', JSON.stringify(valid), { 'content-encoding': 'gzip' });
    expect(answer.status).toBe(415);
    uniform(answer);
  });

  it('that is absent is a list of missing fields on POST and a missing body on PATCH', async () => {
    expect((await workspace.api.post('/probes')).error.missing).toEqual(['subject', 'count']);
    expect((await workspace.api.patch('/probes/1')).error.missing).toEqual(['body']);
  });

  it('does not matter to an action that takes none, unless it is malformed', async () => {
    expect((await workspace.api.post('/probes/1/act')).status).toBe(200);
    expect((await workspace.api.post('/probes/1/act', '{"a":')).status).toBe(422);
  });

  it('changes no prototype', async () => {
    await workspace.api.post('/probes', '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

describe('a hostile path or query', () => {
  it.each([
    '0',
    '-1',
    '07',
    '7.0',
    '%207',
    '7%00',
    '2147483648x',
    '9007199254740992',
    '1e308',
    'abc',
    '%F0%9F%98%80',
    'x'.repeat(5000),
    '%zz',
    '%ff',
  ])('has no record %s', async (id) => {
    const answer = await workspace.api.get(`/probes/${id}`);
    expect([answer.status, answer.error.type]).toEqual([404, 'not_found']);
    uniform(answer);
  });

  it.each([
    ['?page=1&page=2', 'page', 'duplicate'],
    ['?q=a%00b', 'q', 'format'],
    ['?q=%ff', 'query', 'format'],
    ['?q=%ed%a0%80', 'query', 'format'],
    ['?%00=1', '\uFFFD', 'format'],
  ])('is refused: %s', async (query, field, code) => {
    const answer = await workspace.api.get(`/probes${query}`);
    expect(answer.status).toBe(422);
    expect(answer.codes).toEqual({ [field]: code });
  });
});

describe('bytes that are not HTTP', () => {
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', 501],
    ['an unknown method', 'FOO /v1/me HTTP/1.1\r\nHost: x\r\n\r\n', 501],
    ['a wish for a proxy', 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n', 501],
    ['a broken header', 'GET /v1/me HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n', 400],
    ['NUL in a header', 'GET /v1/me HTTP/1.1\r\nHost: x\r\nX-A: a\0b\r\n\r\n', 400],
    ['20 KB of headers', `GET /v1/me HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['a URL of 20 KB', `GET /v1/tickets?q=${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 414],
    [
      'a URL of 12 KB with 8 KB of headers',
      `GET /v1/tickets?q=${'a'.repeat(12_000)} HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(8_000)}\r\n\r\n`,
      431,
    ],
    ['two lengths', 'POST /v1/me HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 400],
    [
      'length and chunks',
      'POST /v1/me HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
  ])('get the uniform error: %s', async (_name, bytes, status) => {
    const answer = parseRaw(await rawRequest(server.url, bytes));
    expect(answer.status).toBe(status);
    expect(answer.body['error']).toMatchObject({ status, type: TYPE_OF[status] });
    expect(ERROR_STATUS[TYPE_OF[status] ?? 'not_found']).toBe(status);
    expect(answer.head.toLowerCase()).toContain(`x-request-id: ${String(answer.body['error']?.['request_id'])}`);
  });

  it('leave the server alive', async () => {
    expect((await workspace.api.get('/me')).status).toBe(200);
  });

  it('may declare a body far too large and are answered at once', async () => {
    const answer = parseRaw(
      await rawRequest(
        server.url,
        `POST /v1/probes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${workspace.token}\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n{"a":`,
      ),
    );
    expect([answer.status, answer.body['error']?.['type']]).toEqual([413, 'payload_too_large']);
    expect(answer.head.toLowerCase()).toContain('connection: close');
  });
});
