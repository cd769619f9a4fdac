import { Plans } from '../../src/platform/auth/plans.service';
import { makeToken } from '../../src/platform/auth/token-format';
import { Database } from '../../src/platform/database/database';
import { QuotaService } from '../../src/platform/limits/quota.service';
import { RedisThrottlerStorage } from '../../src/platform/limits/redis-throttler-storage';
import { type Answer, Api } from '../support/api';
import { type TestApp, useApp } from '../support/app';
import { probeModules } from '../support/probe.module';
import { until } from '../support/until';
import { makePlan, makeWorkspace } from '../support/workspace';

const first = useApp({}, { modules: probeModules });
/** Another process of the same installation, as far as limits can tell. */
const second = useApp({}, { modules: probeModules });

/** The same client on the other node. */
const onSecond = (token: string): Api => new Api(second.url, token);

const quotaOf = (answer: Answer): number => Number(answer.header('x-quota-used'));

async function used(app: TestApp, workspaceId: number): Promise<number> {
  await app.app.get(QuotaService).flush();
  const database = app.app.get(Database);
  const [row] = await database.system(() =>
    database.query<{ used: number }>('SELECT used FROM quota_usage WHERE workspace_id = $1', [workspaceId]),
  );
  return row?.used ?? 0;
}

/** A node starts without Redis where that does not answer at once, and then has a share of each limit. */
beforeAll(async () => {
  for (const { app } of [first, second])
    await until('limits are shared', () => app.get(RedisThrottlerStorage).mode === 'shared');
});

describe('limits over HTTP', () => {
  it('admits exactly the rate across two nodes and tells when to come back, on every 429', async () => {
    const plan = await makePlan(first, { ratePerMinute: 30 });
    const { token, id } = await makeWorkspace(first, { plan });
    const apis = [new Api(first.url, token), onSecond(token)];
    const begun = performance.now();
    const answers = await Promise.all(Array.from({ length: 90 }, (_, index) => apis[index % 2]!.get('/probes')));
    const passed = (performance.now() - begun) / 1_000;
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
    expect(refused).toHaveLength(60);
    for (const answer of refused) {
      expect(answer.error.type).toBe('rate_limit_exceeded');
      expect(Number(answer.header('retry-after'))).toBeGreaterThanOrEqual(59 - passed);
      expect(Number(answer.header('retry-after'))).toBeLessThanOrEqual(60);
      expect(answer.header('x-ratelimit-limit')).toBe('30');
      expect(quotaOf(answer)).toBeLessThanOrEqual(30);
    }
    // Refused requests cost no quota.
    await second.app.get(QuotaService).flush();
    expect(await used(first, id)).toBe(30);
  });

  it('gives each token a rate of its own and the workspace one quota', async () => {
    const plan = await makePlan(first, { ratePerMinute: 3, monthlyQuota: 5 });
    const { token, readToken } = await makeWorkspace(first, { plan });
    const one = new Api(first.url, token);
    const other = new Api(first.url, readToken);
    const statuses: number[] = [];
    for (const api of [one, one, one, one, other, other, other]) statuses.push((await api.get('/probes')).status);
    expect(statuses).toEqual([200, 200, 200, 429, 200, 200, 429]);
    const exceeded = await other.get('/probes');
    expect(exceeded.error.type).toBe('rate_limit_exceeded');
  });

  it('refuses what passes the quota of a plan without overage, with the month as Retry-After', async () => {
    const plan = await makePlan(first, { monthlyQuota: 10 });
    const { api } = await makeWorkspace(first, { plan });
    const seen: (string | null)[][] = [];
    for (let index = 0; index < 12; index++) {
      const answer = await api.get('/probes');
      seen.push([String(answer.status), answer.header('x-quota-used'), answer.header('x-quota-warning')]);
    }
    expect(seen.slice(0, 8)).toEqual(Array.from({ length: 8 }, (_, index) => ['200', String(index + 1), null]));
    expect(seen.slice(8)).toEqual([
      ['200', '9', 'approaching-limit'],
      ['200', '10', 'approaching-limit'],
      ['429', '10', 'approaching-limit'],
      ['429', '10', 'approaching-limit'],
    ]);
    const refused = await api.get('/probes');
    expect(refused.error.type).toBe('quota_exceeded');
    expect(Number(refused.header('retry-after'))).toBeGreaterThan(0);
  });

  it('serves beyond the quota of a plan with overage and says so', async () => {
    const plan = await makePlan(first, { monthlyQuota: 2, overage: true });
    const { api } = await makeWorkspace(first, { plan });
    const statuses: (string | null)[] = [];
    for (let index = 0; index < 4; index++) statuses.push((await api.get('/probes')).header('x-quota-status'));
    expect(statuses).toEqual([null, null, 'overage', 'overage']);
  });

  it('counts answers of every kind but 401 and 429', async () => {
    const { id, api, readApi } = await makeWorkspace(first);
    expect(quotaOf(await api.get('/probes'))).toBe(1);
    expect(quotaOf((await api.get('/probes/404')).expect(404))).toBe(2);
    expect(quotaOf((await api.post('/probes', { nonsense: 1 })).expect(422))).toBe(3);
    expect(quotaOf((await api.get('/nowhere')).expect(404))).toBe(4);
    expect(quotaOf((await readApi.post('/probes', {})).expect(403))).toBe(5);
    expect(quotaOf((await api.get('/probes/500')).expect(500))).toBe(6);
    await api.get('/health');
    (await new Api(first.url, makeToken('tenant')).get('/probes')).expect(401);
    expect(await used(first, id)).toBe(6);
  });

  it('follows a plan that was changed while tokens on it are in use', async () => {
    const plan = await makePlan(first, { ratePerMinute: 2 });
    const { token } = await makeWorkspace(first, { plan });
    const api = onSecond(token);
    for (const status of [200, 200, 429]) expect((await api.get('/probes')).status).toBe(status);
    await first.app.get(Plans).put({ key: plan, rate_limit_per_minute: 0, monthly_quota: 0, overage_enabled: false });
    await until('the limit is gone', async () => (await api.get('/probes')).status === 200);
  });
});
