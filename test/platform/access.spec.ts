import { Provisioning } from '../../src/platform/auth/provisioning.service';
import { TokenUse } from '../../src/platform/auth/token-use';
import { makeToken } from '../../src/platform/auth/token-format';
import { Tokens } from '../../src/platform/auth/tokens.service';
import { Database } from '../../src/platform/database/database';
import { Api } from '../support/api';
import { useApp } from '../support/app';
import { probeModules } from '../support/probe.module';
import { rawRequest } from '../support/raw-http';
import { until } from '../support/until';
import { makeWorkspace } from '../support/workspace';

const first = useApp({}, { modules: probeModules });
/** Another process of the same installation, as far as tokens and limits can tell. */
const second = useApp({}, { modules: probeModules });

/** The same client on the other node. */
const onSecond = (token: string): Api => new Api(second.url, token);

describe('bearer tokens', () => {
  it('opens the API to a known token, in any case of the scheme', async () => {
    const { token } = await makeWorkspace(first);
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const api = new Api(first.url, null);
      (await api.get('/me', { authorization: `${scheme} ${token}` })).expect(200);
    }
  });

  it('answers one and the same 401 whatever is wrong', async () => {
    const workspace = await makeWorkspace(first);
    const tokens = first.app.get(Tokens);
    const expired = await tokens.create({ workspaceId: workspace.id, scopes: ['*'], expiresInSeconds: 0.001 });
    const revoked = await tokens.create({ workspaceId: workspace.id, scopes: ['*'] });
    await tokens.revoke(revoked.id);
    const { token } = workspace;
    const wrong = [
      null,
      '',
      'Bearer',
      `Basic ${token}`,
      token,
      `Bearer ${token} ${token}`,
      `Bearer ${token},Bearer ${token}`,
      `Bearer ${token.slice(0, -1)}`,
      `Bearer ${makeToken('developer')}`,
      `Bearer ${expired.token}`,
      `Bearer ${revoked.token}`,
    ];
    for (const authorization of wrong) {
      const answer = await new Api(first.url, null).get('/me', authorization === null ? {} : { authorization });
      expect([authorization, answer.status, answer.error.type, answer.error.message]).toEqual([
        authorization,
        401,
        'unauthorized',
        'A valid bearer token is required.',
      ]);
      expect(answer.header('www-authenticate')).toBe('Bearer');
      expect(answer.header('x-ratelimit-limit')).toBeNull();
    }
  });

  it('refuses two Authorization headers, even equal ones', async () => {
    const { token } = await makeWorkspace(first);
    const line = `Authorization: Bearer ${token}\r\n`;
    const answer = await rawRequest(
      first.url,
      `GET /v1/me HTTP/1.1\r\nHost: test\r\nConnection: close\r\n${line}${line}\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('ends a revoked token on every node', async () => {
    const { token, tokenId } = await makeWorkspace(first);
    (await onSecond(token).get('/me')).expect(200);
    await first.app.get(Tokens).revoke(tokenId);
    await until('the other node refuses it', async () => (await onSecond(token).get('/me')).status === 401);
  });

  it('lets a rotated token live for the overlap and no longer', async () => {
    const { id, token, tokenId } = await makeWorkspace(first);
    const tokens = first.app.get(Tokens);
    const next = await tokens.rotate(tokenId, 3600);
    (await new Api(first.url, next.token).get('/me')).expect(200);
    (await new Api(first.url, token).get('/me')).expect(200);
    await expect(tokens.rotate(tokenId, 0)).rejects.toThrow(/rotated to token/);
    const last = await tokens.rotate(next.id, 0);
    (await new Api(first.url, last.token).get('/me')).expect(200);
    await until('the old one is refused', async () => (await new Api(first.url, next.token).get('/me')).status === 401);
    expect(last.scopes).toEqual(next.scopes);
    expect((await new Api(first.url, last.token).get('/me')).body).toMatchObject({ data: { workspace: { id } } });
  });

  it('ends a token at its expiry although it is in memory', async () => {
    const { id } = await makeWorkspace(first);
    const { token, expires_at } = await first.app
      .get(Tokens)
      .create({ workspaceId: id, scopes: ['*'], expiresInSeconds: 3_600 });
    (await new Api(first.url, token).get('/me')).expect(200);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.parse(expires_at!));
    try {
      // PostgreSQL still takes it; another test's change may have emptied the memory.
      await until('it is refused', async () => (await new Api(first.url, token).get('/me')).status === 401);
    } finally {
      clock.mockRestore();
    }
    (await new Api(first.url, token).get('/me')).expect(200);
  });

  it('keeps nothing of a token but its hash', async () => {
    const { token, tokenId } = await makeWorkspace(first);
    const database = first.app.get(Database);
    const [row] = await database.system(() =>
      database.query<{ row: string }>('SELECT tokens::text AS row FROM tokens WHERE id = $1', [tokenId]),
    );
    expect(row!.row).toContain(token.slice(-4));
    expect(row!.row).not.toContain(token.slice(4, 20));
  });

  it('writes down when a token was last used', async () => {
    const { token, tokenId } = await makeWorkspace(first);
    const before = Date.now();
    (await new Api(first.url, token).get('/me')).expect(200);
    const database = first.app.get(Database);
    const lastUsed = async (): Promise<number | undefined> => {
      const text = 'SELECT last_used_at FROM tokens WHERE id = $1';
      const [row] = await database.system(() => database.query<{ last_used_at: string | null }>(text, [tokenId]));
      return row?.last_used_at ? Date.parse(row.last_used_at) : undefined;
    };
    // The node's own timer may just be writing it.
    await first.app.get(TokenUse).flush();
    await until('it is written down', async () => (await lastUsed()) !== undefined);
    expect(await lastUsed()).toBeGreaterThanOrEqual(before);
  });
});

describe('standing and scope', () => {
  it.each([
    [
      'developer_suspended',
      (provisioning: Provisioning, slug: string) => provisioning.setDeveloperStatus(slug, 'suspended'),
    ],
    ['app_suspended', (provisioning: Provisioning, slug: string) => provisioning.setAppStatus(slug, 'suspended')],
    ['app_suspended', (provisioning: Provisioning, slug: string) => provisioning.setAppStatus(slug, 'archived')],
    ['no_subscription', (provisioning: Provisioning, slug: string) => provisioning.cancelSubscription(slug)],
  ] as const)('refuses with %s on every node, and accepts again afterwards', async (type, change) => {
    const { slug, token } = await makeWorkspace(first);
    const provisioning = first.app.get(Provisioning);
    (await onSecond(token).get('/probes')).expect(200);
    await change(provisioning, slug);
    await until('the other node refuses', async () => (await onSecond(token).get('/probes')).status === 403);
    const refused = await onSecond(token).get('/probes');
    expect(refused.error.type).toBe(type);
    expect(refused.header('x-quota-used')).not.toBeNull();
    await provisioning.setDeveloperStatus(slug, 'active');
    await provisioning.setAppStatus(slug, 'active');
    await provisioning.activateSubscription(slug);
    await until('the other node accepts', async () => (await onSecond(token).get('/probes')).status === 200);
  });

  it('refuses a suspended tenant as one without a licence', async () => {
    const { slug, token } = await makeWorkspace(first, { kind: 'tenant' });
    const api = new Api(first.url, token);
    (await api.get('/me')).expect(200);
    await first.app.get(Provisioning).setTenantStatus(slug, 'suspended');
    await until('it is refused', async () => (await api.get('/me')).status === 403);
    expect((await api.get('/me')).error.type).toBe('no_subscription');
  });

  it('names the gravest reason first: 401, developer, app, subscription, scope', async () => {
    const { slug, readToken } = await makeWorkspace(first);
    const provisioning = first.app.get(Provisioning);
    const api = new Api(first.url, readToken);
    const reason = async (): Promise<string> => (await api.post('/probes', {})).error.type;
    expect(await reason()).toBe('insufficient_scope');
    await provisioning.cancelSubscription(slug);
    await until('no_subscription', async () => (await reason()) === 'no_subscription');
    await provisioning.setAppStatus(slug, 'archived');
    await until('app_suspended', async () => (await reason()) === 'app_suspended');
    await provisioning.setDeveloperStatus(slug, 'suspended');
    await until('developer_suspended', async () => (await reason()) === 'developer_suspended');
    await first.app.get(Tokens).revoke((await tokenIds(slug))[1]!);
    await until('unauthorized', async () => (await reason()) === 'unauthorized');
  });

  it.each([
    ['read', { GET: 200, HEAD: 200, POST: 403, PATCH: 403 }],
    ['write', { GET: 403, HEAD: 403, POST: 200, PATCH: 200 }],
    ['*', { GET: 200, HEAD: 200, POST: 200, PATCH: 200 }],
  ] as const)('lets the scope %s do what it says', async (scope, expected) => {
    const { id } = await makeWorkspace(first);
    const { token } = await first.app.get(Tokens).create({ workspaceId: id, scopes: [scope] });
    const api = new Api(first.url, token);
    const body = { subject: 'x', count: 1 };
    expect({
      GET: (await api.get('/probes/1')).status,
      HEAD: (await api.send('HEAD', '/probes/1')).status,
      POST: (await api.post('/probes/1/act')).status,
      PATCH: (await api.patch('/probes/1', body)).status,
    }).toEqual(expected);
  });
});

async function tokenIds(slug: string): Promise<number[]> {
  const database = first.app.get(Database);
  const rows = await database.system(() =>
    database.query<{ id: number }>(
      'SELECT t.id FROM tokens t JOIN workspaces w ON w.id = t.workspace_id WHERE w.slug = $1 ORDER BY t.id',
      [slug],
    ),
  );
  return rows.map(({ id }) => id);
}
