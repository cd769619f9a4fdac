import fc from 'fast-check';
import { type Settings, UNSET, withSettings } from '../../src/areas/workspace/workspace-settings';
import { Provisioning } from '../../src/platform/auth/provisioning.service';
import { accountAs } from '../../src/platform/mail/mail-identity';
import type { SmtpAccount } from '../../src/platform/mail/smtp-account';
import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket, makeUser } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { drained, timePasses } from '../support/jobs';
import { useSmtpServer } from '../support/mail-servers';
import { useSql } from '../support/sql';
import { until } from '../support/until';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await makeWorkspace(server);
});

const read = async (): Promise<Fields> => (await workspace.api.get('/workspace')).expect(200).data;
const patch = async (body: object): Promise<Fields> => (await workspace.api.patch('/workspace', body)).expect(200).data;

describe('GET /workspace', () => {
  it('tells who it is, and every rule, those nobody has set among them', async () => {
    const fresh = await makeWorkspace(server, { kind: 'tenant' });
    const answer = (await fresh.api.get('/workspace')).expect(200);
    const { id, slug } = fresh;
    expect(answer.data).toMatchObject({ id, slug, kind: 'tenant', timezone: 'UTC', locale: 'en', currency: 'EUR' });
    expect(answer.data.settings).toEqual(UNSET);
    expect(answer.header('etag')).toBe('"1"');
    expect((await fresh.api.get('/workspace?fields=name,settings')).data).toEqual({
      name: answer.data.name,
      settings: UNSET,
    });
    expect((await fresh.api.get('/workspace', { 'if-none-match': '"1"' })).status).toBe(304);
  });

  it('is no business of others, nor changed by who may only read', async () => {
    const other = await makeWorkspace(server);
    expect((await other.api.get('/workspace')).data.id).toBe(other.id);
    (await workspace.readApi.get('/workspace')).expect(200);
    (await workspace.readApi.patch('/workspace', { name: 'Mine' })).expect(403);
    (await workspace.api.delete('/workspace')).expect(405);
  });
});

describe('PATCH /workspace', () => {
  it('changes what it names, says so in an event and the audit log, and lets the rest stay', async () => {
    const own = await makeWorkspace(server);
    await own.api.patch('/workspace', { settings: { auto_close_days: 3 } });
    const body = { name: 'Acme Support', timezone: 'Asia/Kolkata', settings: { csat_request: true } };
    const answer = (await own.api.patch('/workspace', body)).expect(200);
    expect(answer.data).toMatchObject({ name: 'Acme Support', timezone: 'Asia/Kolkata', locale: 'en' });
    expect(answer.data.settings).toEqual({ ...UNSET, auto_close_days: 3, csat_request: true });
    expect(answer.header('etag')).toBe('"3"');
    const events = await eventsOf(server, own, 'workspace', own.id);
    expect(events.map(({ type }) => type)).toEqual(['workspace.updated', 'workspace.updated']);
    expect(events[1]?.changes).toMatchObject({
      timezone: { from: 'UTC', to: 'Asia/Kolkata' },
      settings: { from: { auto_close_days: 3 }, to: { auto_close_days: 3, csat_request: true } },
    });
    await drained(server, own);
    const [entry] = (await own.api.get('/audit-logs?resource=workspace')).rows;
    expect(entry).toMatchObject({ event: 'workspace.updated', resource_name: 'Acme Support', token_id: own.tokenId });
  });

  it('keeps the tag that holds tickets as tickets have it', async () => {
    const own = await makeWorkspace(server);
    const hold = async (tag: string): Promise<unknown> =>
      (await own.api.patch('/workspace', { settings: { retention_hold_tag: tag } })).expect(200).data.settings;
    expect(await hold(' Court\u200B Case ')).toMatchObject({ retention_hold_tag: 'court case' });
    const { tickets } = (await own.api.get('/retention-runs/preview?ticket_days=1')).expect(200).data;
    expect(tickets).toMatchObject({ hold_tag: 'court case' });
    for (const tag of ['  ', '\u{E0101}', 'a,b'])
      expect((await own.api.patch('/workspace', { settings: { retention_hold_tag: tag } })).status).toBe(422);
  });

  it('heeds If-Match, changes nothing for nothing, and takes back what was read', async () => {
    const own = await makeWorkspace(server);
    const first = await own.api.get('/workspace');
    const same = (await own.api.patch('/workspace', first.data)).expect(200);
    expect(same.header('etag')).toBe('"1"');
    (await own.api.patch('/workspace', { name: 'One' }, { 'if-match': '"1"' })).expect(200);
    (await own.api.patch('/workspace', { name: 'Two' }, { 'if-match': '"1"' })).expect(412);
    expect((await own.api.patch('/workspace', { slug: 'other' })).expect(422).codes).toEqual({ slug: 'immutable' });
    expect(await eventsOf(server, own, 'workspace', own.id)).toHaveLength(1);
  });

  it.each([
    [{ name: ' ' }, { name: 'min' }],
    [{ name: null }, { name: 'type' }],
    [{ timezone: 'Mars/Olympus' }, { timezone: 'format' }],
    [{ timezone: 'SystemV/AST4ADT' }, { timezone: 'format' }],
    [{ locale: '-' }, { locale: 'format' }],
    [{ currency: 'ZZZ' }, { currency: 'format' }],
    [{ settings: null }, { settings: 'type' }],
    [{ settings: { auto_close_days: -1 } }, { 'settings.auto_close_days': 'min' }],
    [{ settings: { auto_close_days: null } }, { 'settings.auto_close_days': 'type' }],
    [{ settings: { reopen_window_days: 3_651 } }, { 'settings.reopen_window_days': 'max' }],
    [{ settings: { csat_request: 'yes' } }, { 'settings.csat_request': 'type' }],
    [{ settings: { csat_delay_minutes: 1.5 } }, { 'settings.csat_delay_minutes': 'type' }],
    [{ settings: { mail_reply_to: 'nobody' } }, { 'settings.mail_reply_to': 'format' }],
    [{ settings: { mail_signature: 'x'.repeat(2_001) } }, { 'settings.mail_signature': 'max' }],
    [{ settings: { colour: 'red' } }, { 'settings.colour': 'unknown_field' }],
  ])('refuses %j', async (body, codes) => {
    expect(Object.keys((await workspace.api.patch('/workspace', body)).expect(422).codes)).toEqual(Object.keys(codes));
  });

  it('keeps all changes of many at once', async () => {
    const own = await makeWorkspace(server);
    const settings = { auto_close_days: 9, reopen_window_days: 8, csat_delay_minutes: 7, auto_start_on_assign: true };
    const answers = await Promise.all(
      Object.entries(settings).map(([name, value]) => own.api.patch('/workspace', { settings: { [name]: value } })),
    );
    for (const answer of answers) answer.expect(200);
    expect((await own.api.get('/workspace')).data.settings).toMatchObject(settings);
  });

  it('is told of what the operator changes, too', async () => {
    const own = await makeWorkspace(server);
    await server.app.get(Provisioning).changeWorkspace(own.slug, { currency: 'CHF', settings: { auto_close_days: 0 } });
    const answer = await own.api.get('/workspace');
    expect(answer.data).toMatchObject({ currency: 'CHF', settings: { auto_close_days: 0 } });
    expect(answer.header('etag')).toBe('"2"');
    expect((await eventsOf(server, own, 'workspace', own.id)).map(({ type }) => type)).toEqual(['workspace.updated']);
  });
});

describe('a setting binds', () => {
  it('the next request: tickets start when assigned, and stay closed behind the window', async () => {
    const agent = await makeUser(workspace.api);
    await patch({ settings: { auto_start_on_assign: true, reopen_window_days: 0 } });
    const { id } = await makeTicket(workspace.api);
    const assigned = (await workspace.api.patch(`/tickets/${id}`, { assigned_to: agent.id })).expect(200).data;
    expect(assigned.status).toBe('in_progress');
    (await workspace.api.patch(`/tickets/${id}`, { status: 'closed' })).expect(200);
    await sql.rows(`UPDATE tickets SET closed_at = now() - interval '1 minute' WHERE id = $1`, [id]);
    (await workspace.api.patch(`/tickets/${id}`, { status: 'open' })).expect(422);
    await patch({ settings: { reopen_window_days: null } });
    (await workspace.api.patch(`/tickets/${id}`, { status: 'open' })).expect(200);
    expect((await read()).settings).toMatchObject({ auto_start_on_assign: true, reopen_window_days: null });
  });

  it('defaults of what is made: zone and currency', async () => {
    const own = await makeWorkspace(server);
    (await own.api.patch('/workspace', { timezone: 'Europe/Rome', currency: 'CHF' })).expect(200);
    expect((await makeUser(own.api)).timezone).toBe('Europe/Rome');
    expect((await own.api.post('/assets', { name: 'Chair' })).expect(201).data.currency).toBe('CHF');
    const { workspace: shown } = (await own.api.get('/me')).data as unknown as { workspace: Fields };
    expect(shown).toMatchObject({ timezone: 'Europe/Rome', currency: 'CHF' });
  });
});

describe('mail of a workspace', () => {
  const smtp = useSmtpServer();

  it('asks for a rating as late as it wants, in its name, and not when it no longer wants to', async () => {
    const own = await makeWorkspace(server);
    (await own.api.post('/integrations', { provider: 'smtp', config: smtp.config() })).expect(201);
    const settings = {
      csat_request: true,
      csat_delay_minutes: 90,
      mail_from_name: 'Acme\tDesk',
      mail_reply_to: 'help@acme.example',
      mail_signature: 'Acme **Support**\nBerlin',
    };
    (await own.api.patch('/workspace', { settings })).expect(200);
    const resolve = async (requester_email: string): Promise<void> => {
      const { id } = await makeTicket(own.api, { requester_email });
      (await own.api.patch(`/tickets/${id}`, { status: 'resolved' })).expect(200);
      await drained(server, own);
    };
    await resolve('ada@people.example');
    const [job] = await sql.rows<{ minutes: number }>(
      `SELECT round(extract(epoch FROM due_at - created_at) / 60)::integer AS minutes FROM work WHERE workspace_id = $1 AND kind = 'rating_request'`,
      [own.id],
    );
    expect([job?.minutes, smtp.taken]).toEqual([90, []]);
    await timePasses(server, own, 'rating_request');
    await until('the mail has arrived', () => Promise.resolve(smtp.taken.length === 1));
    const [taken] = smtp.taken;
    expect(taken?.mail.from?.value[0]?.name).toBe('Acme Desk');
    expect(taken?.mail.replyTo?.value[0]?.address).toBe('help@acme.example');
    expect(taken?.mail.text).toContain('\n-- \nAcme Support\nBerlin');
    expect(taken?.mail.html).toContain('<strong>Support</strong>');
    await resolve('eve@people.example');
    (await own.api.patch('/workspace', { settings: { csat_request: false } })).expect(200);
    await timePasses(server, own, 'rating_request');
    await drained(server, own);
    expect(smtp.taken).toHaveLength(1);
  });
});

describe('the rules', () => {
  const account = { from: { name: 'Box', address: 'box@acme.example' }, replyTo: null } as SmtpAccount;

  it('store what is said, and nothing that holds anyway', () => {
    expect(withSettings({}, { ...UNSET })).toEqual({});
    expect(withSettings({ auto_close_days: 3 }, { auto_close_days: 7 })).toEqual({ auto_close_days: 7 });
    const given = fc.record(
      {
        auto_close_days: fc.nat(9),
        reopen_window_days: fc.option(fc.nat(3)),
        csat_request: fc.boolean(),
        mail_from_name: fc.option(fc.string()),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(given, given, (stored: Settings, said: Settings) => {
        const after = withSettings(stored, said);
        expect({ ...UNSET, ...after }).toEqual({ ...UNSET, ...stored, ...said });
        expect(withSettings(after, said)).toEqual(after);
        expect(withSettings(after, { ...UNSET, ...after })).toEqual(after);
      }),
    );
  });

  it('let mail leave under the name that is set, one line long', () => {
    expect(accountAs(account, {})).toEqual(account);
    const named = accountAs(account, { mail_from_name: 'Acme\r\nBcc: eve@x.example', mail_reply_to: 'a@b.example' });
    expect(named.from).toEqual({ name: 'Acme Bcc: eve@x.example', address: 'box@acme.example' });
    expect(named.replyTo).toBe('a@b.example');
  });
});
