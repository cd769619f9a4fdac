import { useApp } from '../support/app';
import { makePlan, makeWorkspace } from '../support/workspace';

const server = useApp();

/** The targets of a `Link` header by relation. */
function linksOf(header: string | null): Record<string, string> {
  const links: Record<string, string> = {};
  for (const link of (header ?? '').split(', ')) {
    const [, url, relation] = /^<([^>]+)>; rel="(\w+)"$/.exec(link) ?? [];
    if (url !== undefined && relation !== undefined) links[relation] = url;
  }
  return links;
}

describe('the Link header', () => {
  it('has the links of the body', async () => {
    const { api } = await makeWorkspace(server);
    for (let serial = 0; serial < 5; serial++) await api.post('/teams', { name: `Team ${serial}` });
    for (const query of ['per_page=2', 'per_page=2&page=2', 'per_page=2&page=3', 'limit=100', 'limit=2&offset=99']) {
      const answer = (await api.get(`/teams?${query}`)).expect(200);
      const inBody = Object.entries(answer.body.links ?? {}).filter(([, url]) => url !== null);
      expect(linksOf(answer.header('link'))).toEqual(Object.fromEntries(inBody));
    }
    expect((await api.get('/teams/1')).header('link')).toBeNull();
  });

  it('never grows with the query beyond what proxies take', async () => {
    const { api } = await makeWorkspace(server);
    const answer = (await api.get(`/tickets?tags=${'x'.repeat(5_000)}`)).expect(200);
    expect(answer.header('link')).toBeNull();
    expect(answer.body.links?.first).toContain('xxxx');
  });
});

describe('the ETag of what has no version', () => {
  it.each(['/teams', '/stats', '/integrations/events', '/sla/compliance?from=2026-01-01&to=2026-02-01'])(
    '%s is 304 until something changes',
    async (path) => {
      const { api } = await makeWorkspace(server);
      const first = (await api.get(path)).expect(200);
      const etag = first.header('etag') ?? '';
      expect(etag).toMatch(/^W\/"[\w-]+"$/);
      const again = await api.get(path, { 'if-none-match': `"other", ${etag}` });
      expect([again.status, again.text, again.header('etag')]).toEqual([304, '', etag]);
      expect((await api.get(path, { 'if-none-match': '"other"' })).status).toBe(200);
      if (!['/teams', '/stats'].includes(path)) return;
      (await api.post('/teams', { name: 'x' })).expect(201);
      (await api.post('/tickets', { subject: 'x' })).expect(201);
      const changed = (await api.get(path, { 'if-none-match': etag })).expect(200);
      expect(changed.header('etag')).not.toBe(etag);
    },
  );
});

describe('what is left of the rate limit', () => {
  it('stands in every answer to a known token, in both notations', async () => {
    const workspace = await makeWorkspace(server, { plan: await makePlan(server, { ratePerMinute: 5 }) });
    const answers = [
      [200, 4, await workspace.api.get('/me')],
      [404, 3, await workspace.api.get('/tickets/8999999999999')],
      [422, 2, await workspace.api.get('/tickets?zzz=1')],
      [405, 1, await workspace.api.send('PUT', '/tickets')],
      [200, 0, await workspace.api.get('/tickets')],
      [429, 0, await workspace.api.get('/tickets')],
    ] as const;
    for (const [status, remaining, answer] of answers) {
      expect([answer.status, answer.header('x-ratelimit-remaining')]).toEqual([status, String(remaining)]);
      const reset = Number(answer.header('x-ratelimit-reset'));
      expect(reset).toBeGreaterThanOrEqual(1);
      expect(reset).toBeLessThanOrEqual(60);
      expect(answer.header('ratelimit-policy')).toBe('"default";q=5;w=60');
      expect(answer.header('ratelimit')).toBe(`"default";r=${remaining};t=${reset}`);
      if (status === 429) expect(answer.header('retry-after')).toBe(String(reset));
    }
  });

  it('is told without being used by an answer that comes before the limit', async () => {
    const plan = await makePlan(server, { ratePerMinute: 5 });
    const workspace = await makeWorkspace(server, { plan, scopes: ['read'] });
    expect((await workspace.api.get('/me')).header('x-ratelimit-remaining')).toBe('4');
    for (let time = 0; time < 3; time++) {
      const answer = await workspace.api.post('/tickets', { subject: 'x' });
      expect([answer.status, answer.header('x-ratelimit-remaining')]).toEqual([403, '4']);
    }
  });

  it('is not told where there is no limit or no token', async () => {
    const free = await makeWorkspace(server, { plan: await makePlan(server, {}) });
    for (const answer of [await free.api.get('/me'), await free.api.get('/me', { authorization: 'Bearer x' })]) {
      for (const name of ['x-ratelimit-remaining', 'x-ratelimit-reset', 'ratelimit', 'ratelimit-policy'])
        expect([name, answer.header(name)]).toEqual([name, null]);
    }
  });
});
