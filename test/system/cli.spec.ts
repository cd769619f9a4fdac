import { Logger } from '@nestjs/common';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEMO_SLUG, seedDemoWorkspace } from '../../src/cli/demo/workspace';
import { addDemoRecords } from '../../src/cli/demo/records';
import { openSession } from '../../src/cli/session';
import { days, duration, recordId, scopeList, wholeNumber } from '../../src/cli/values';
import { Api } from '../support/api';
import { testConfig, useApp } from '../support/app';
import { helpdesk, json, tokenFor, workspace } from '../support/command';
import { testServices } from '../support/services';
import { until } from '../support/until';

Logger.overrideLogger(false);

const server = useApp();

const status = async (token: string): Promise<number> => (await new Api(server.url, token).get('/me')).status;

describe('helpdesk workspace and token', () => {
  it('make a workspace and a token that opens it', async () => {
    const made = await workspace('--plan', 'pro');
    expect(Object.keys(made)).toEqual(['id', 'slug', 'plan', 'kind']);
    expect(made).toMatchObject({ plan: 'pro', kind: 'developer' });
    expect(made.slug).toMatch(/^command-test(-\w+)?$/);
    const issued = await json<Record<string, unknown>>('token', 'create', '--workspace', made.slug, '--scopes', 'read');
    expect(Object.keys(issued)).toEqual(['id', 'token', 'scopes', 'type', 'expires_at']);
    expect(issued).toMatchObject({ scopes: ['read'], type: 'developer', expires_at: null });
    const me = await new Api(server.url, issued['token'] as string).get('/me');
    expect(me.expect(200).body).toMatchObject({ data: { workspace: { id: made.id }, plan: { key: 'pro' } } });
  });

  it('serve tenants too', async () => {
    const { slug } = await workspace('--kind', 'tenant');
    const { token } = await tokenFor(slug);
    expect(token).toMatch(/^hdt_/);
    expect((await new Api(server.url, token).get('/me')).body).toMatchObject({ data: { app: null } });
    const wrong = await helpdesk('token', 'create', '--workspace', slug, '--scopes', '*', '--type', 'developer');
    expect(wrong.error).toBe(`Workspace "${slug}" belongs to a tenant: its tokens are tenant tokens.`);
  });

  it('change the rules of a workspace, for requests that follow', async () => {
    const { slug } = await workspace();
    const { token } = await tokenFor(slug);
    const set = (...words: string[]) => json('workspace', 'set', '--workspace', slug, ...words);
    await set('--timezone', 'Europe/Rome', '--currency', 'CHF', '--csat-request', 'on', '--auto-close-days', '3');
    const changed = await set('--reopen-window-days', 'always', '--locale', 'it', '--auto-close-days', '0');
    expect(changed).toMatchObject({
      slug,
      timezone: 'Europe/Rome',
      locale: 'it',
      currency: 'CHF',
      settings: { csat_request: true, auto_close_days: 0, reopen_window_days: null },
    });
    await until('requests know', async () => {
      const { workspace: shown } = (await new Api(server.url, token).get('/me')).data as Record<string, unknown>;
      return (shown as { currency: string }).currency === 'CHF';
    });
    const wrong = [
      ['--timezone', 'Rome'],
      ['--currency', 'EURO'],
      ['--csat-request', 'yes'],
      ['--locale', '-'],
      ['--auto-close-days', '3651'],
      ['--reopen-window-days', '9999999'],
    ];
    for (const [option = '', value = ''] of wrong) {
      const answer = await helpdesk('workspace', 'set', '--workspace', slug, option, value);
      expect([option, answer.error]).toEqual([option, expect.stringContaining('Write ')]);
    }
  });

  it('let a token expire when told to', async () => {
    const { slug } = await workspace();
    const before = Date.now();
    const { expires_at } = await json<{ expires_at: string }>(
      ...['token', 'create', '--workspace', slug, '--scopes', '*', '--expires', '30d'],
    );
    expect(new Date(expires_at).toISOString()).toBe(expires_at);
    expect(Date.parse(expires_at) - before).toBeGreaterThanOrEqual(30 * 86_400_000);
    expect(Date.parse(expires_at) - before).toBeLessThanOrEqual(30 * 86_400_000 + Date.now() - before);
  });

  it('revoke and rotate reach the running server', async () => {
    const { slug } = await workspace();
    const { id, token } = await tokenFor(slug);
    expect(await status(token)).toBe(200);
    const next = await json<{ id: number; token: string }>('token', 'rotate', '--id', String(id), '--overlap', '1h');
    expect([await status(token), await status(next.token)]).toEqual([200, 200]);
    expect(await json('token', 'revoke', '--id', String(next.id))).toEqual({ id: next.id, revoked: true });
    await until('it is refused', async () => (await status(next.token)) === 401);
  });
});

describe('helpdesk plan and standing', () => {
  it('add, list and set plans', async () => {
    const { slug } = await workspace();
    const { token } = await tokenFor(slug);
    expect(await status(token)).toBe(200);
    const key = `cli-${Date.now()}`;
    const plan = { key, name: expect.any(String), rate_limit_per_minute: 7, monthly_quota: 0, overage_enabled: true };
    const figures = ['--rate-per-minute', '7', '--monthly-quota', '0', '--overage'];
    expect(await json('plan', 'create', '--key', key, ...figures)).toEqual(plan);
    expect(await json('plan', 'list')).toEqual(
      expect.arrayContaining([plan, expect.objectContaining({ key: 'free', monthly_quota: 10_000 })]),
    );
    expect(await json('plan', 'set', '--workspace', slug, '--plan', key)).toEqual({ workspace: slug, plan: key });
    await until(
      'the server applies it',
      async () => (await new Api(server.url, token).get('/me')).header('x-ratelimit-limit') === '7',
    );
  });

  it.each([
    ['developer', 'suspend', 'resume', 'suspended', 'active'],
    ['app', 'suspend', 'resume', 'suspended', 'active'],
    ['app', 'archive', 'resume', 'archived', 'active'],
    ['subscription', 'cancel', 'activate', 'cancelled', 'active'],
  ])('%s %s and %s reach the running server', async (subject, away, back, state, active) => {
    const { slug } = await workspace();
    const { token } = await tokenFor(slug);
    expect(await status(token)).toBe(200);
    expect(await json(subject, away, '--workspace', slug)).toEqual({ workspace: slug, [subject]: state });
    await until('it is refused', async () => (await status(token)) === 403);
    expect(await json(subject, back, '--workspace', slug)).toEqual({ workspace: slug, [subject]: active });
    await until('it is accepted', async () => (await status(token)) === 200);
  });

  it('activate keeps the plan the workspace had', async () => {
    const { slug } = await workspace('--plan', 'starter');
    const { token } = await tokenFor(slug);
    await json('subscription', 'cancel', '--workspace', slug);
    await json('subscription', 'activate', '--workspace', slug);
    await until('it is accepted', async () => (await status(token)) === 200);
    expect((await new Api(server.url, token).get('/me')).body).toMatchObject({ data: { plan: { key: 'starter' } } });
  });
});

describe('helpdesk failures', () => {
  it.each([
    [['token', 'create', '--workspace', 'nowhere', '--scopes', '*'], 'There is no workspace "nowhere".'],
    [['workspace', 'create', '--name', 'X', '--plan', 'gold'], /^There is no plan "gold"; there are: free, /],
    [['workspace', 'create', '--name', 'X', '--slug', 'Not A Slug'], /^A slug has 1 to 63 characters/],
    [['token', 'revoke', '--id', '999999999'], 'There is no token 999999999.'],
    [['token', 'revoke', '--id', 'x'], /An id is a whole number from 1 up\.$/],
    [['plan', 'create', '--key', 'A!', '--rate-per-minute', '1', '--monthly-quota', '1'], /^A plan key has/],
    [
      ['plan', 'create', '--key', 'a', '--rate-per-minute', '1', '--monthly-quota', '1', '--storage-mb', '3000000000'],
      /^Rate and storage are whole numbers up to 2147483647/,
    ],
    [
      ['plan', 'create', '--key', 'a', '--rate-per-minute', '1', '--monthly-quota', '1', '--name', ' '],
      /^A name has 1/,
    ],
    [['token', 'create', '--workspace', 'demo', '--scopes', '*', '--name', ''], /^A name has 1/],
    [['token', 'create', '--workspace', 'demo', '--scopes', '*', '--expires', '999999w'], /longest duration is 36500d/],
    [['workspace', 'set', '--workspace', 'demo'], /^Say what to change, such as --timezone/],
    [['workspace', 'set', '--workspace', 'demo', '--name', 'x'.repeat(201)], /^A name has 1 to 200 characters\.$/],
    [['workspace', 'create'], /required option '--name <name>' not specified/],
    [['nonsense'], /unknown command 'nonsense'/],
    [['workspace', 'lst'], /unknown command 'lst' \(Did you mean list\?\)\.$/],
    [['workspace', 'list', '--jsn'], /unknown option '--jsn' \(Did you mean --json\?\)\.$/],
    [['token', 'create', '--workspace', 'demo', '--scope', '*'], /'--scopes?/],
  ])('%j is one sentence', async (words, message) => {
    const { out, error } = await helpdesk(...words);
    expect(out).toBe('');
    expect(error).toMatch(message);
    expect(error).not.toContain('\n');
  });

  it('a taken slug is an error only when it was asked for', async () => {
    const { slug } = await workspace();
    expect((await helpdesk('workspace', 'create', '--name', 'X', '--slug', slug)).error).toBe(
      `The slug "${slug}" is taken.`,
    );
    expect((await workspace()).slug).not.toBe(slug);
  });
});

describe('helpdesk doctor and migrate', () => {
  it('find nothing to complain about', async () => {
    const { ok, checks } = await json<{ ok: boolean; checks: { check: string; ok: boolean }[] }>('doctor');
    const names = checks.map(({ check }) => check);
    expect(names).toEqual(
      expect.arrayContaining(['Node.js', 'PostgreSQL', 'migrations', 'row-level security', 'Redis']),
    );
    expect(checks.filter((check) => !check.ok && check.check !== 'port')).toEqual([]);
    expect(ok).toBe(checks.every((check) => check.ok));
    expect(await json('migrate')).toEqual({ applied: [] });
  });
});

describe('values of the command line', () => {
  it('are read as written, or refused', () => {
    expect([duration('30d'), duration('2h'), duration('1w'), duration('90s')]).toEqual([2_592_000, 7200, 604_800, 90]);
    expect(scopeList('read, write')).toEqual(['read', 'write']);
    expect([wholeNumber('0'), recordId('12')]).toEqual([0, 12]);
    for (const wrong of ['', '0d', '30', '1y', '-1h']) expect(() => duration(wrong)).toThrow(/Write a duration/);
    for (const wrong of ['', 'admin', 'read,']) expect(() => scopeList(wrong)).toThrow(/Scopes are/);
    for (const wrong of ['', '-1', '1.5', '1e3', '99999999999999999'])
      expect(() => wholeNumber(wrong)).toThrow(/whole/);
    expect([days('0'), days('3650')]).toEqual([0, 3650]);
    for (const wrong of ['', '-1', '3651', '99999999999']) expect(() => days(wrong)).toThrow(/days from 0 to 3650/);
    for (const wrong of ['0', '01', 'x']) expect(() => recordId(wrong)).toThrow(/An id/);
  });
});

/** How much there is to see at least. */
const DEMO_LISTS = {
  '/tickets': 200,
  '/kb/articles': 5,
  '/assets': 5,
  '/crm/leads': 3,
  '/crm/deals': 4,
  '/quotes': 2,
  '/meetings': 3,
};

describe('the demo workspace', () => {
  it('is made once and keeps its token, readable by its owner only', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'helpdesk-demo-'));
    const config = testConfig({ dataDir });
    try {
      const { token, madeNow } = (await seedDemoWorkspace(config)) ?? { token: '', madeNow: null };
      expect(await seedDemoWorkspace(config)).toEqual({ token, madeNow: null });
      await addDemoRecords(server.app, madeNow ?? 0);
      const file = join(dataDir, 'demo-token');
      expect(readFileSync(file, 'utf8').trim()).toBe(token);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const me = (await new Api(server.url, token).get('/me')).expect(200);
      expect(me.body).toMatchObject({ data: { workspace: { slug: DEMO_SLUG }, plan: { key: 'enterprise' } } });
      for (const [path, least] of Object.entries(DEMO_LISTS)) {
        const { meta } = (await new Api(server.url, token).get(`${path}?per_page=1`)).expect(200);
        expect([path, Number(meta.total) >= least]).toEqual([path, true]);
      }
      const { id } = me.data['token'] as { id: number };
      await openSession(config, testServices().databaseUrl, ({ tokens }) => tokens.revoke(id));
      // Revoked on purpose: nobody gets another one unasked.
      expect(await seedDemoWorkspace(config)).toBeNull();
      rmSync(file);
      expect(await seedDemoWorkspace(config)).not.toMatchObject({ token });
      expect(existsSync(file)).toBe(true);
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});
