import { type Answer, api } from '../support/api';
import { startApp, useApp } from '../support/app';
import { until } from '../support/until';
import { makePlan, makeWorkspace } from '../support/workspace';
import { identityOf } from '../../src/areas/meta/identity';
import { HealthService } from '../../src/platform/health/health.service';

const server = useApp();

/** The first answer that is as it must become: a check that came late on a busy machine says for a second that all is bad. */
async function eventually(read: () => Promise<Answer>, holds: (answer: Answer) => boolean): Promise<Answer> {
  let answer = await read();
  await until('the answer is as it must become', async () => holds(answer) || holds((answer = await read())));
  return answer;
}

describe('GET /me', () => {
  it('tells who the token is, its plan and its usage', async () => {
    const plan = await makePlan(server, { ratePerMinute: 100, monthlyQuota: 10, overage: true });
    const workspace = await makeWorkspace(server, { plan });
    await workspace.api.get('/me');
    const { data } = await workspace.api.get('/me');
    expect(data).toMatchObject({
      token: { id: workspace.tokenId, type: 'developer', scopes: ['*'], expires_at: null },
      workspace: { id: workspace.id, slug: workspace.slug, timezone: 'UTC', locale: 'en', currency: 'EUR' },
      app: { status: 'active' },
      plan: { key: plan, rate_limit_per_minute: 100, monthly_quota: 10, overage_enabled: true },
      usage: { used: 2, limit: 10, pct: 20 },
      user: null,
    });
    expect(Object.keys(data['token'] as object).sort()).toEqual([
      'created_at',
      'expires_at',
      'id',
      'last_used_at',
      'name',
      'scopes',
      'type',
    ]);
  });

  it('has no app for a tenant', async () => {
    const { api: client } = await makeWorkspace(server, { kind: 'tenant' });
    expect((await client.get('/me')).data).toMatchObject({ app: null, token: { type: 'tenant' } });
  });

  it('resets its usage with the next UTC month, also in December', () => {
    const access = {
      token: {
        id: 1,
        type: 'developer',
        name: 't',
        scopes: ['*'],
        created_at: '',
        expires_at: null,
        last_used_at: null,
        user_id: null,
      },
      workspace: {
        id: 1,
        slug: 's',
        name: 'n',
        kind: 'developer',
        timezone: 'UTC',
        locale: 'en',
        currency: 'EUR',
        settings: {},
      },
      developer: null,
      app: null,
      tenant: null,
      plan: null,
      user: null,
    } as const;
    const { usage } = identityOf(access, 3, new Date('2026-12-31T23:59:59.999Z'));
    expect(usage).toEqual({ month: '2026-12', used: 3, limit: 0, pct: 0, resets_at: '2027-01-01T00:00:00.000Z' });
  });
});

describe('GET /health', () => {
  it('needs no token and counts nothing', async () => {
    const answer = await eventually(
      () => api(server.url).get('/health'),
      ({ body }) => body['status'] === 'ok',
    );
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      status: 'ok',
      version: '0.1.0',
      checks: { database: { status: 'ok' }, queue: { status: 'ok' } },
    });
    const { api: client } = await makeWorkspace(server);
    expect((await client.get('/health')).header('x-quota-used')).toBeNull();
    expect((await client.get('/me')).header('x-quota-used')).toBe('1');
  });

  it('is degraded and still 200 without Redis, and the service stays ready', async () => {
    const other = await startApp({ redisUrl: 'redis://127.0.0.1:1' });
    try {
      const health = await eventually(
        () => api(other.url).get('/health'),
        ({ body }) => (body['reasons'] as string[]).length === 1,
      );
      expect([health.status, health.body['status']]).toEqual([200, 'degraded']);
      expect(health.body['checks']).toMatchObject({
        database: { status: 'ok' },
        queue: { status: 'down', latency_ms: null },
      });
      await eventually(
        () => api(other.url).get(`${other.url}/ready`),
        ({ status }) => status === 200,
      );
      expect((await (await makeWorkspace(other)).api.get('/me')).status).toBe(200);
    } finally {
      await other.close();
    }
  });
});

describe('GET /ready', () => {
  it('is outside /v1 and says ready', async () => {
    const answer = await eventually(
      () => api(server.url).get(`${server.url}/ready`),
      ({ status }) => status === 200,
    );
    expect(answer.body).toEqual({ status: 'ready' });
  });

  it('turns 503 when PostgreSQL does not answer, while /health stays 200', async () => {
    const other = await startApp();
    try {
      const health = other.app.get(HealthService);
      const probe = jest.spyOn(health['database'], 'check').mockRejectedValue(new Error('away'));
      const answer = await eventually(
        () => api(other.url).get(`${other.url}/ready`),
        ({ status }) => status !== 200,
      );
      expect([answer.status, answer.error.type, answer.header('retry-after')]).toEqual([
        503,
        'service_unavailable',
        '1',
      ]);
      expect((await api(other.url).get('/health')).body).toMatchObject({
        status: 'degraded',
        checks: { database: { status: 'down' } },
      });
      probe.mockRestore();
      await eventually(
        () => api(other.url).get(`${other.url}/ready`),
        ({ status }) => status === 200,
      );
    } finally {
      await other.close();
    }
  });

  it('turns 503 as soon as the process is about to end', async () => {
    const other = await startApp();
    try {
      other.app.get(HealthService).startDraining();
      expect((await api(other.url).get(`${other.url}/ready`)).status).toBe(503);
    } finally {
      await other.close();
    }
  });
});
