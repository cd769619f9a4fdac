import { PROVIDERS } from '../../src/areas/integrations/provider-table';
import { secretsOf } from '../../src/platform/openapi/config-schema';
import { IntegrationLogsService } from '../../src/areas/integrations/integration-logs.service';
import { Database } from '../../src/platform/database/database';
import '../support/areas';
import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { eventsOf } from '../support/event-log';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
const SECRET = 'a-secret-of-24-characters';
let workspace: TestWorkspace;

beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

const body = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  provider: 'webhook',
  config: { url: 'https://hooks.example.com/in', secret: SECRET },
  // Nobody answers there; what is sent on request only is sent nowhere else.
  events: ['webhook.ping'],
  ...more,
});

async function install(more: Record<string, unknown> = {}): Promise<Fields> {
  return (await workspace.api.post('/integrations', body(more))).expect(201).data;
}

/** The secrets as they lie in the database. */
async function sealed(id: number): Promise<string> {
  const [row] = await sql.rows<{ sealed: string }>('SELECT sealed FROM integrations WHERE id = $1', [id]);
  return row?.sealed ?? '';
}

describe('the catalogue of providers', () => {
  it('lists every provider, which of them can be installed, and which are', async () => {
    await install();
    const providers = (await workspace.api.get('/integrations/providers')).expect(200).rows;
    // Others than the core may have added theirs.
    const keys = providers.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toEqual(
      expect.arrayContaining(
        'discord freshdesk github google_calendar hubspot imap jira ms_teams outlook slack smtp stripe twilio webhook whatsapp zendesk'.split(
          ' ',
        ),
      ),
    );
    const available = providers.filter(({ is_available }) => is_available).map(({ key }) => key);
    expect(available).toEqual(expect.arrayContaining(['discord', 'imap', 'ms_teams', 'slack', 'smtp', 'webhook']));
    for (const key of ['github', 'stripe', 'whatsapp']) expect(available).not.toContain(key);
    expect(providers.filter(({ installed }) => installed).map(({ key }) => key)).toEqual(['webhook']);
    for (const provider of providers) {
      expect(provider).toMatchObject({
        name: expect.any(String) as string,
        description: expect.any(String) as string,
        config_schema: { type: 'object', additionalProperties: false },
        docs_url: expect.stringMatching(/^https:\/\//) as string,
      });
    }
  });

  it.each(PROVIDERS.filter(({ is_available }) => !is_available).map(({ key }) => key))(
    '%s cannot be installed',
    async (provider) => {
      const answer = await workspace.api.post('/integrations', { provider });
      expect([answer.status, answer.codes]).toEqual([422, { provider: 'unavailable' }]);
    },
  );

  it('marks everything that is a secret', () => {
    const secrets = Object.fromEntries(PROVIDERS.map((provider) => [provider.key, secretsOf(provider.config)]));
    expect(secrets).toMatchObject({
      slack: ['webhook_url'],
      ms_teams: ['webhook_url'],
      discord: ['webhook_url'],
      smtp: ['password', 'dkim_private_key'],
      imap: ['password'],
      webhook: ['secret'],
    });
  });
});

describe('settings', () => {
  it('keep secrets encrypted and out of every answer and event', async () => {
    const created = await install();
    expect(created.config).toEqual({ url: 'https://hooks.example.com/in', secret: '********', secret_set: true });
    const events = await eventsOf(server, workspace, 'integration', created.id);
    const row = await sql.rows('SELECT * FROM integrations WHERE id = $1', [created.id]);
    for (const shown of [created, events, row]) expect(JSON.stringify(shown)).not.toContain(SECRET);
    expect(await sealed(created.id)).not.toBe('');
    expect(events.map(({ type }) => type)).toEqual(['integration.installed']);
  });

  it('change one by one; a secret sent back as shown is kept, a new one is taken', async () => {
    const { id, config } = await install();
    const before = await sealed(id);
    const path = `/integrations/${id}`;
    const same = (await workspace.api.patch(path, { config })).expect(200).data;
    expect([same.config, await sealed(id)]).toEqual([config, before]);
    const moved = (await workspace.api.patch(path, { config: { url: 'https://hooks.example.com/2' } })).expect(
      200,
    ).data;
    expect(moved.config).toEqual({ url: 'https://hooks.example.com/2', secret: '********', secret_set: true });
    expect(await sealed(id)).toBe(before);
    (await workspace.api.patch(path, { config: { secret: 'another-secret-of-24-chars' } })).expect(200);
    expect(await sealed(id)).not.toBe(before);
    const types = (await eventsOf(server, workspace, 'integration', id)).map(({ type }) => type);
    expect(types).toEqual(['integration.installed', 'integration.updated', 'integration.updated']);
  });

  it('take null for a setting that may be missing, and fill in defaults', async () => {
    const config = { host: 'mail.example.com', from_address: 'help@example.com', username: 'u', password: 'p' };
    const { id, config: shown } = await install({ provider: 'smtp', config, events: [] });
    expect(shown).toEqual({
      ...config,
      password: '********',
      password_set: true,
      dkim_private_key_set: false,
      security: 'tls',
      from_name: '',
      send_replies: true,
    });
    const change = { config: { username: null, password: null } };
    const bare = (await workspace.api.patch(`/integrations/${id}`, change)).expect(200).data;
    expect(bare.config).toMatchObject({ host: 'mail.example.com', password_set: false });
    expect(bare.config).not.toHaveProperty('username');
    expect(await sealed(id)).toBe('');
  });

  it.each<[string, string, Record<string, unknown>, Record<string, string>]>([
    ['nothing', 'webhook', {}, { 'config.url': 'required', 'config.secret': 'required' }],
    [
      'an unknown setting',
      'webhook',
      { url: 'https://a.example', secret: SECRET, x: 1 },
      { 'config.x': 'unknown_field' },
    ],
    ['a short secret', 'webhook', { url: 'https://a.example', secret: 'short' }, { 'config.secret': 'min' }],
    ['the mask of a secret', 'slack', { webhook_url: '********' }, { 'config.webhook_url': 'required' }],
    ['no URL', 'slack', { webhook_url: 'x' }, { 'config.webhook_url': 'url' }],
    ['a URL of the inner network', 'slack', { webhook_url: 'https://10.0.0.1/x' }, { 'config.webhook_url': 'url' }],
    ['a URL with a password', 'discord', { webhook_url: 'https://u:p@a.example/' }, { 'config.webhook_url': 'url' }],
    ['another scheme', 'ms_teams', { webhook_url: 'file:///etc/passwd' }, { 'config.webhook_url': 'url' }],
    ['a host with a path', 'smtp', { host: 'a.example/x', from_address: 'a@b.example' }, { 'config.host': 'format' }],
    ['no address', 'smtp', { host: 'a.example', from_address: 'x\r\nBcc: y' }, { 'config.from_address': 'format' }],
    [
      'a port too high',
      'smtp',
      { host: 'a.example', from_address: 'a@b.example', port: 70_000 },
      { 'config.port': 'max' },
    ],
    ['a number for text', 'slack', { webhook_url: 7 }, { 'config.webhook_url': 'type' }],
    [
      'an unknown encryption',
      'smtp',
      { host: 'a.example', from_address: 'a@b.example', security: 'zzz' },
      { 'config.security': 'enum' },
    ],
    [
      'what is no list of addresses',
      'smtp',
      { host: 'a.example', from_address: 'a@b.example', recipients: ['x', 'a@b.example', 7] },
      { 'config.recipients.0': 'format', 'config.recipients.2': 'type' },
    ],
    [
      'more recipients than there may be, without a look at each',
      'smtp',
      { host: 'a.example', from_address: 'a@b.example', recipients: Array.from({ length: 40_000 }, () => 'x') },
      { 'config.recipients': 'max' },
    ],
  ])('refuse %s', async (_name, provider, config, codes) => {
    const answer = await workspace.api.post('/integrations', { provider, config });
    expect([answer.status, answer.codes]).toEqual([422, codes]);
    expect(answer.error.missing ?? []).toEqual(Object.keys(codes).filter((name) => codes[name] === 'required'));
    expect((await workspace.api.get('/integrations')).meta.total).toBe(0);
  });

  it('that nobody knows are named, though not all of a thousand', async () => {
    const config = Object.fromEntries(Array.from({ length: 999 }, (_, index) => [`x${index}`, index]));
    const answer = await workspace.api.post('/integrations', { provider: 'webhook', config });
    expect(answer.status).toBe(422);
    expect(Object.values(answer.codes).sort()).toEqual([
      'required',
      'required',
      ...Array.from({ length: 20 }, () => 'unknown_field'),
    ]);
  });

  it('hide nothing that looks like a prototype', async () => {
    const raw = `{"provider":"webhook","config":{"__proto__":{"url":"https://a.example"},"constructor":1}}`;
    expect((await workspace.api.post('/integrations', raw, { 'content-type': 'application/json' })).status).toBe(422);
  });
});

describe('an installation', () => {
  it('takes the name and the events of its provider unless it says otherwise', async () => {
    expect(await install({ events: undefined })).toMatchObject({
      name: 'Generic webhook',
      events: ['*'],
      status: 'active',
      connected_by: null,
    });
    const slack = await install({
      provider: 'slack',
      events: undefined,
      config: { webhook_url: 'https://hooks.slack.example.com/x' },
    });
    expect(slack.events).toContain('ticket.created');
    expect((await install({ events: [] })).events).toEqual([]);
  });

  it('of a mailbox is sent no events', async () => {
    const config = { host: 'imap.example.com', address: 'a@b.example', username: 'u', password: 'p' };
    const answer = await workspace.api.post('/integrations', body({ provider: 'imap', config, events: ['*'] }));
    expect([answer.status, answer.codes]).toEqual([422, { events: 'invalid' }]);
  });

  it('is one of at most 50', async () => {
    const at = `INSERT INTO integrations (workspace_id, provider, name) SELECT $1, 'webhook', 'n' FROM generate_series(1, 49)`;
    await sql.rows(at, [workspace.id]);
    const answers = await Promise.all([1, 2, 3].map(() => workspace.api.post('/integrations', body())));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
  });

  it('says goodbye with an event and takes its log along', async () => {
    const { id } = await install();
    (await workspace.api.post(`/integrations/${id}/test`)).expect(200);
    (await workspace.api.delete(`/integrations/${id}`)).expect(200);
    expect((await workspace.api.get(`/integrations/${id}/logs`)).status).toBe(404);
    expect((await workspace.api.post(`/integrations/${id}/test`)).status).toBe(404);
    const types = (await eventsOf(server, workspace, 'integration', id)).map(({ type }) => type);
    expect(types).toEqual(['integration.installed', 'integration.removed']);
  });
});

describe('the log', () => {
  const at = (id: number, query: string): string => `/integrations/${id}/logs?${query}`;

  async function filled(): Promise<number> {
    const { id } = await install();
    const other = await install({ name: 'Other' });
    await sql.rows(
      `INSERT INTO integration_logs (workspace_id, integration_id, direction, event, status, duration_ms, created_at)
       SELECT $1, v.i, CASE WHEN n % 2 = 0 THEN 'outbound' ELSE 'inbound' END, CASE WHEN n % 3 = 0 THEN 'ticket.created' ELSE 'mail.received' END,
         (ARRAY['success', 'failed', 'retrying', 'skipped'])[n % 4 + 1], n * 10, now() - make_interval(days => n)
       FROM generate_series(0, 29) n, (VALUES ($2::bigint), ($3::bigint)) AS v(i)`,
      [workspace.id, id, other.id],
    );
    return id;
  }

  it('lists, filters, sorts and pages what one integration did', async () => {
    const id = await filled();
    const total = async (query: string): Promise<unknown> =>
      (await workspace.api.get(at(id, query))).expect(200).meta.total;
    expect(await total('')).toBe(30);
    expect(await total('status=failed,retrying')).toBe(15);
    expect(await total('event=ticket.created')).toBe(10);
    expect(await total('direction=inbound')).toBe(15);
    expect(await total('min_duration_ms=200')).toBe(10);
    const after = new Date(Date.now() - 5.5 * 86_400_000).toISOString();
    expect(await total(`created_after=${after}`)).toBe(6);
    const slowest = (await workspace.api.get(at(id, 'sort=-duration_ms&limit=2&fields=duration_ms'))).expect(200).rows;
    expect(slowest).toEqual([{ duration_ms: 290 }, { duration_ms: 280 }]);
    const [shown] = (await workspace.api.get(at(id, 'expand=integration&limit=1'))).expect(200).rows;
    expect(shown).toMatchObject({ integration_id: id, integration: { id, name: 'Generic webhook' } });
    const newest = (await workspace.api.get(at(id, ''))).rows.map(({ duration_ms }) => duration_ms);
    expect(newest).toEqual([...newest].sort((a, b) => Number(a) - Number(b)));
  });

  it.each(['sort=status', 'status=eaten', 'min_duration_ms=x', 'updated_after=2026-01-01', 'zzz=1'])(
    'refuses %s',
    async (query) => {
      const { id } = await install();
      expect((await workspace.api.get(at(id, query))).status).toBe(422);
    },
  );

  it('forgets what is older than 30 days', async () => {
    const id = await filled();
    await sql.rows(
      `UPDATE integration_logs SET created_at = created_at - interval '20.5 days' WHERE integration_id = $1`,
      [id],
    );
    await server.app.get(Database).system(() => server.app.get(IntegrationLogsService).prune());
    const left = (await workspace.api.get(at(id, 'limit=100'))).expect(200).rows;
    expect(left.map(({ duration_ms }) => duration_ms)).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90]);
  });
});
