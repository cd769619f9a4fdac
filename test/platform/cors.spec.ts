import { EXPOSED_HEADERS } from '../../src/platform/http/cors';
import { startApp, useApp } from '../support/app';
import { type TestWorkspace, makePlan, makeWorkspace } from '../support/workspace';

const ORIGIN = 'https://app.example.com';
const server = useApp();
let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await makeWorkspace(server);
});

const preflight = (url: string, method = 'PATCH', origin = ORIGIN): Promise<Response> =>
  fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type,idempotency-key,if-match',
    },
  });

describe('a page of another origin', () => {
  it('may ask before it calls, without a token and without being counted', async () => {
    const before = Number((await workspace.api.get('/me')).header('x-quota-used'));
    for (const path of ['/tickets', '/tickets/1', '/tickets/batch', '/nothing', '/openapi.json', '/health']) {
      const answer = await preflight(`${server.url}/v1${path}`);
      expect([path, answer.status, await answer.text()]).toEqual([path, 204, '']);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, PATCH, PUT, DELETE');
      expect(answer.headers.get('access-control-allow-headers')).toContain('if-match');
      expect(answer.headers.get('access-control-max-age')).toBe('7200');
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      expect(answer.headers.get('x-request-id')).not.toBeNull();
    }
    expect(Number((await workspace.api.get('/me')).header('x-quota-used'))).toBe(before + 1);
  });

  it('may read every answer and its headers, failures included', async () => {
    const limited = await makeWorkspace(server, { plan: await makePlan(server, { ratePerMinute: 1 }) });
    const origin = { origin: ORIGIN };
    const answers = [
      [200, await workspace.api.get('/tickets', origin)],
      [401, await workspace.api.get('/tickets', { ...origin, authorization: 'Bearer x' })],
      [403, await workspace.readApi.post('/tickets', {}, origin)],
      [404, await workspace.api.get('/nothing', origin)],
      [405, await workspace.api.send('PUT', '/tickets', { headers: origin })],
      [422, await workspace.api.get('/tickets?zzz=1', origin)],
      [200, await limited.api.get('/me', origin)],
      [429, await limited.api.get('/me', origin)],
    ] as const;
    for (const [status, answer] of answers) {
      expect([answer.status, answer.header('access-control-allow-origin')]).toEqual([status, '*']);
      expect(answer.header('access-control-expose-headers')).toBe(EXPOSED_HEADERS.join(', '));
    }
  });

  it('gets nothing of the pages for people', async () => {
    for (const path of ['/p/q/x', '/docs', '/ready']) {
      const answer = await fetch(server.url + path, { headers: { origin: ORIGIN } });
      expect([path, answer.headers.get('access-control-allow-origin')]).toEqual([path, null]);
    }
  });

  it('is no matter of OPTIONS that is no preflight', async () => {
    const answer = await workspace.api.send('OPTIONS', '/tickets', { headers: { origin: ORIGIN } });
    expect([answer.status, answer.header('allow')]).toEqual([405, 'GET, HEAD, POST']);
  });
});

describe('CORS_ORIGINS', () => {
  it('names the origins that may call', async () => {
    const other = await startApp({ corsOrigins: [ORIGIN, 'http://localhost:5173'] });
    try {
      for (const [origin, allowed] of [
        [ORIGIN, ORIGIN],
        ['http://localhost:5173', 'http://localhost:5173'],
        ['https://evil.example', null],
        ['https://app.example.com.evil.example', null],
        ['null', null],
      ] as const) {
        const asked = await preflight(`${other.url}/v1/tickets`, 'GET', origin);
        expect([origin, asked.headers.get('access-control-allow-origin')]).toEqual([origin, allowed]);
        const answer = await fetch(`${other.url}/v1/tickets`, { headers: { origin } });
        expect([origin, answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([
          origin,
          401,
          allowed,
        ]);
        expect(answer.headers.get('vary')?.toLowerCase()).toContain('origin');
      }
    } finally {
      await other.close();
    }
  });

  it('can be none', async () => {
    const other = await startApp({ corsOrigins: 'none' });
    try {
      const answer = await preflight(`${other.url}/v1/tickets`);
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([401, null]);
    } finally {
      await other.close();
    }
  });
});
