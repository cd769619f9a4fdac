import pino from 'pino';
import { api, type Answer } from '../support/api';
import { startApp, useApp } from '../support/app';
import { probeModules } from '../support/probe.module';
import { parseRaw, rawRequest } from '../support/raw-http';
import { until } from '../support/until';
import { makePlan, makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp({}, { modules: probeModules });
const SPECIFIED = [
  'x-ratelimit-limit',
  'x-quota-used',
  'x-quota-limit',
  'x-quota-pct',
  'x-api-version',
  'x-request-id',
];

let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await makeWorkspace(server);
});

function specifiedHeaders(answer: Answer): string[] {
  return SPECIFIED.filter((name) => answer.header(name) !== null);
}

describe('every answer to a known token', () => {
  it.each([
    ['a success', 200, (): Promise<Answer> => workspace.api.get('/probes/1')],
    ['a 304', 304, (): Promise<Answer> => workspace.api.get('/probes/1', { 'if-none-match': '"7"' })],
    ['a missing record', 404, (): Promise<Answer> => workspace.api.get('/probes/404')],
    ['an unknown path', 404, (): Promise<Answer> => workspace.api.get('/nowhere/at/all')],
    ['a wrong method', 405, (): Promise<Answer> => workspace.api.send('PUT', '/probes/1')],
    [
      'a wrong media type',
      415,
      (): Promise<Answer> => workspace.api.post('/probes', 'x', { 'content-type': 'text/plain' }),
    ],
    ['an invalid body', 422, (): Promise<Answer> => workspace.api.post('/probes', {})],
    ['a missing scope', 403, (): Promise<Answer> => workspace.readApi.post('/probes', {})],
    ['a crash', 500, (): Promise<Answer> => workspace.api.get('/probes/500')],
  ])('carries the headers of the specification: %s', async (_name, status, send) => {
    const answer = await send();
    expect(answer.status).toBe(status);
    expect(specifiedHeaders(answer)).toEqual(SPECIFIED);
    expect(answer.header('x-api-version')).toBe('v1');
    if (status >= 400) expect(answer.error.request_id).toBe(answer.header('x-request-id'));
  });

  it('counts the request it answers', async () => {
    const { api: client } = await makeWorkspace(server);
    const used = [];
    for (const path of ['/me', '/probes/404', '/nowhere', '/me'])
      used.push((await client.get(path)).header('x-quota-used'));
    expect(used).toEqual(['1', '2', '3', '4']);
  });

  it('counts a request refused for its scope', async () => {
    const { api: client, readApi } = await makeWorkspace(server);
    expect((await readApi.post('/probes', {})).header('x-quota-used')).toBe('1');
    expect((await client.get('/me')).header('x-quota-used')).toBe('2');
  });

  it('carries them when the rate limit refuses it, without counting it', async () => {
    const plan = await makePlan(server, { ratePerMinute: 2, monthlyQuota: 100 });
    const { api: client } = await makeWorkspace(server, { plan });
    let [admitted, refused] = [0, await client.get('/me')];
    for (; refused.status === 200; admitted++) refused = await client.get('/me');
    // Without an answer of Redis in time this node gives out its own share only.
    expect([1, 2]).toContain(admitted);
    expect(refused.status).toBe(429);
    expect(refused.error.type).toBe('rate_limit_exceeded');
    expect(Number(refused.header('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(specifiedHeaders(refused)).toEqual(SPECIFIED);
    expect(refused.header('x-quota-used')).toBe(String(admitted));
  });

  it('warns strictly above 80 % of the quota', async () => {
    const plan = await makePlan(server, { monthlyQuota: 5 });
    const { api: client } = await makeWorkspace(server, { plan });
    const warnings = [];
    for (let call = 1; call <= 6; call++) {
      const answer = await client.get('/me');
      warnings.push(
        `${answer.status} ${answer.header('x-quota-pct') ?? ''} ${answer.header('x-quota-warning') ?? '-'}`,
      );
    }
    expect(warnings).toEqual([
      '200 20 -',
      '200 40 -',
      '200 60 -',
      '200 80 -',
      '200 100 approaching-limit',
      '429 100 approaching-limit',
    ]);
  });

  it('announces overage on a plan that allows it', async () => {
    const plan = await makePlan(server, { monthlyQuota: 1, overage: true });
    const { api: client } = await makeWorkspace(server, { plan });
    expect((await client.get('/me')).header('x-quota-status')).toBeNull();
    const over = await client.get('/me');
    expect([over.status, over.header('x-quota-status'), over.header('x-quota-pct')]).toEqual([200, 'overage', '200']);
  });
});

describe('an answer without a known token', () => {
  it.each(['/me', '/probes', '/nowhere', '/tickets/1'])('is the same 401 on %s', async (path) => {
    const answer = await api(server.url).get(path);
    expect(answer.status).toBe(401);
    expect(answer.error).toEqual({
      type: 'unauthorized',
      message: 'A valid bearer token is required.',
      status: 401,
      request_id: answer.header('x-request-id'),
    });
    expect(answer.header('x-quota-used')).toBeNull();
    expect(answer.header('x-api-version')).toBe('v1');
  });

  it('comes before any word about the body', async () => {
    expect((await api(server.url).post('/probes', '{"a":')).status).toBe(401);
    expect((await workspace.readApi.post('/probes', '{"a":')).status).toBe(403);
  });
});

describe('the envelope', () => {
  it('makes links absolute with the host the client used', async () => {
    const { body } = await workspace.api.get('/probes');
    expect(body).toEqual({
      data: [{ id: 1 }],
      meta: { total: 26, limit: 25, offset: 0, has_more: true },
      links: {
        first: `${server.url}/v1/probes?page=1`,
        next: `${server.url}/v1/probes?page=2`,
        prev: null,
        last: `${server.url}/v1/probes?page=2`,
      },
    });
  });

  it('tells on a single record how many requests are left this minute', async () => {
    const plan = await makePlan(server, { ratePerMinute: 60 });
    const begin = async (): Promise<Answer> => (await makeWorkspace(server, { plan })).api.get('/probes/1');
    let first = await begin();
    // Without an answer of Redis in time this node has but a share of them to give out.
    await until('Redis has counted', async () => {
      if (first.meta.rate_limit_remaining !== 59) first = await begin();
      return first.meta.rate_limit_remaining === 59;
    });
    expect(first.body).toEqual({ data: { id: 1 }, meta: { rate_limit_remaining: 59 } });
    expect(first.header('content-type')).toBe('application/json; charset=utf-8');
    expect(first.header('etag')).toBe('"7"');
  });

  it('answers 304 without a body when the client holds the record', async () => {
    const answer = await workspace.api.get('/probes/1', { 'if-none-match': 'W/"7", "other"' });
    expect([answer.status, answer.text, answer.header('etag')]).toEqual([304, '', '"7"']);
    expect((await workspace.api.get('/probes/1', { 'if-none-match': '"8"' })).status).toBe(200);
  });

  it('answers HEAD like GET, without the body', async () => {
    const [head, get] = [await workspace.api.send('HEAD', '/probes/1'), await workspace.api.get('/probes/1')];
    expect([head.status, head.text, head.header('etag')]).toEqual([200, '', get.header('etag')]);
    expect(head.header('content-length')).toBe(String(Buffer.byteLength(get.text)));
  });

  it('uses PUBLIC_URL for links when it is set', async () => {
    const other = await startApp({ publicUrl: 'https://helpdesk.example' }, { modules: probeModules });
    try {
      const { links } = (await api(other.url, workspace.token).get('/probes')).body;
      expect(links?.first).toBe('https://helpdesk.example/v1/probes?page=1');
    } finally {
      await other.close();
    }
  });
});

describe('methods', () => {
  it.each(['PUT', 'OPTIONS', 'PROPFIND'])('%s is refused with the methods that the path answers', async (method) => {
    const answer = await workspace.api.send(method, '/probes/1');
    expect([answer.status, answer.error.type, answer.header('allow')]).toEqual([
      405,
      'method_not_allowed',
      'GET, HEAD, PATCH',
    ]);
  });

  it('TRACE echoes nothing', async () => {
    const answer = parseRaw(
      await rawRequest(
        server.url,
        `TRACE /v1/me HTTP/1.1\r\nHost: x\r\nX-Echo: hello\r\nAuthorization: Bearer ${workspace.token}\r\nConnection: close\r\n\r\n`,
      ),
    );
    expect(answer.status).toBe(405);
    expect(JSON.stringify(answer.body)).not.toContain('hello');
  });

  it('cannot be overridden by a header', async () => {
    const answer = await workspace.api.get('/probes/1', { 'x-http-method-override': 'DELETE' });
    expect(answer.status).toBe(200);
  });
});

describe('an unexpected failure', () => {
  it('tells the client nothing but a request id, and the log everything but secrets', async () => {
    const lines: string[] = [];
    const logger = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
    const other = await startApp({ role: 'api' }, { modules: probeModules, logger });
    try {
      const answer = await api(other.url, workspace.token).get('/probes/500?q=zzconfidentialzz', {
        'x-request-id': 'find-me',
      });
      expect([answer.status, answer.error.type, answer.header('x-request-id')]).toEqual([
        500,
        'internal_error',
        'find-me',
      ]);
      expect(answer.text).not.toMatch(/hunter2|secret\.ts|Error/);
    } finally {
      await other.close();
    }
    const mine = lines
      .filter((line) => line.includes('find-me'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(mine.some(({ err }) => JSON.stringify(err ?? '').includes('secret.ts'))).toBe(true);
    expect(mine.find(({ status }) => status === 500)).toMatchObject({
      method: 'GET',
      path: '/v1/probes/500',
      workspace_id: workspace.id,
    });
    expect(lines.join('')).not.toContain(workspace.token);
    expect(lines.join('')).not.toContain('zzconfidentialzz');
  });
});

describe('security headers', () => {
  it('are on answers with and without a token', async () => {
    for (const answer of [
      await workspace.api.get('/me'),
      await api(server.url).get('/me'),
      await api(server.url).get(`${server.url}/nowhere`),
    ]) {
      expect(answer.header('x-content-type-options')).toBe('nosniff');
      expect(answer.header('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(answer.header('x-powered-by')).toBeNull();
      expect(answer.header('access-control-allow-origin')).toBeNull();
    }
  });
});
