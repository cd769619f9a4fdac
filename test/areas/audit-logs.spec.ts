import { AuditRetention } from '../../src/areas/audit/audit-retention';
import { auditLogResource } from '../../src/areas/audit/audit-log.resource';
import { AuditTrail } from '../../src/areas/audit/audit-trail';
import { Tokens } from '../../src/platform/auth/tokens.service';
import { Database } from '../../src/platform/database/database';
import { CounterFolder } from '../../src/platform/counters/counter-folder';
import { Api, type Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket, makeUser } from '../support/cast';
import { useSql } from '../support/sql';
import { until } from '../support/until';
import { drained } from '../support/jobs';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
let home: TestWorkspace;
let eve: Fields;
let asEve: Api;
let company: Fields;
let ticket: Fields;
/** Every entry but those of tokens, newest first. */
let all: Fields[];

const entries = async (query = '', { api } = home): Promise<Fields[]> =>
  (await api.get(`/audit-logs?per_page=100&${query}`)).expect(200).rows;
const ids = (rows: readonly Fields[]): number[] => rows.map(({ id }) => id);

beforeAll(async () => {
  home = await makeWorkspace(server);
  eve = await makeUser(home.api, { name: 'Eve', email: 'eve@x.example' });
  const { token } = await server.app
    .get(Tokens)
    .create({ workspaceId: home.id, scopes: ['*'], name: 'of Eve', userId: eve.id });
  asEve = new Api(server.url, token);
  company = (await home.api.post('/companies', { name: 'Acme' })).expect(201).data;
  ticket = await makeTicket(asEve, { subject: 'Printer jams' });
  (await asEve.patch(`/tickets/${ticket.id}`, { priority: 'high', status: 'in_progress' })).expect(200);
  (await asEve.patch(`/tickets/${ticket.id}`, { priority: 'high' })).expect(200);
  (await home.api.post(`/tickets/${ticket.id}/comments`, { body: 'Looking', is_internal: true })).expect(201);
  (await home.api.delete(`/companies/${company.id}`)).expect(200);
  await drained(server, home);
  all = (await entries()).filter(({ resource }) => resource !== 'token');
});

describe('the audit log', () => {
  it('tells every change once, over all resources, newest first', () => {
    expect(
      all.map(({ action, resource, resource_id, resource_name }) => [action, resource, resource_id, resource_name]),
    ).toEqual([
      ['deleted', 'company', company.id, 'Acme'],
      ['comment_added', 'ticket', ticket.id, `${String(ticket.code)} Printer jams`],
      ['updated', 'ticket', ticket.id, `${String(ticket.code)} Printer jams`],
      ['created', 'ticket', ticket.id, `${String(ticket.code)} Printer jams`],
      ['created', 'company', company.id, 'Acme'],
      ['created', 'user', eve.id, 'Eve'],
    ]);
  });

  it('says who, with what, from where, in which request, from what to what', async () => {
    const sent = await asEve.patch(`/tickets/${ticket.id}`, { subject: 'Printer burns' });
    await drained(server, home);
    const [entry] = await entries();
    expect(entry).toMatchObject({
      actor: { type: 'user', id: eve.id, name: 'Eve' },
      event: 'ticket.updated',
      events: ['ticket.updated'],
      changes: { subject: { from: 'Printer jams', to: 'Printer burns' } },
      request_id: sent.header('x-request-id'),
      ip: '127.0.0.1',
      causation: { root_event_id: entry?.event_id, depth: 0, automation_ids: [] },
    });
    const [token] = await sql.rows<{ id: number }>(
      `SELECT id FROM tokens WHERE workspace_id = $1 AND name = 'of Eve'`,
      [home.id],
    );
    expect(entry?.token_id).toBe(token?.id);
    expect((await home.api.get(`/audit-logs/${entry?.id}`)).expect(200).data).toEqual(entry);
    expect(Object.keys(entry ?? {})).toEqual(auditLogResource.columns.map(({ name }) => name));
    const shown = (await home.api.get(`/events/${String(entry?.event_id)}`)).expect(200);
    expect(shown.body.data).toMatchObject({ type: 'ticket.updated' });
    expect(shown.text).not.toContain('127.0.0.1');
  });

  it('has one entry for a change of several events', () => {
    const [change] = all.filter(({ resource, action }) => resource === 'ticket' && action === 'updated');
    expect(change?.events).toEqual(['ticket.updated', 'ticket.status_changed', 'ticket.priority_changed']);
    expect(change?.changes).toMatchObject({ status: { from: 'open', to: 'in_progress' } });
  });

  it('knows of tokens, never their text', async () => {
    const place = await makeWorkspace(server);
    await server.app.get(Tokens).revoke(place.tokenId);
    await drained(server, place);
    const { text, rows } = (await new Api(server.url, place.readToken).get('/audit-logs')).expect(200);
    expect(rows.map(({ action, resource, actor }) => [action, resource, (actor as Fields).type])).toEqual([
      ['revoked', 'token', 'system'],
      ['created', 'token', 'system'],
      ['created', 'token', 'system'],
    ]);
    for (const secret of [place.token, place.readToken]) expect(text).not.toContain(secret.slice(0, 12));
  });

  it('keeps secrets to itself', async () => {
    const made = (
      await home.api.post('/webhooks', { url: 'https://example.com/hook', events: ['ticket.created'] })
    ).expect(201);
    (await home.api.patch(`/webhooks/${made.data.id}`, { headers: { 'x-key': 'swordfish' } })).expect(200);
    await drained(server, home);
    const { text, rows } = await home.api.get(`/audit-logs?resource=webhook`);
    expect(rows.map(({ action }) => action)).toEqual(['updated', 'created']);
    for (const secret of ['swordfish', String(made.data.secret)]) expect(text).not.toContain(secret);
  });
});

describe('a list of the audit log', () => {
  it.each<[string, (row: Fields) => boolean]>([
    ['action=created,deleted', ({ action }) => action === 'created' || action === 'deleted'],
    ['resource=company', ({ resource }) => resource === 'company'],
    ['actor_type=user', ({ actor }) => (actor as Fields).type === 'user'],
    ['event=ticket.priority_changed', ({ events }) => (events as string[]).includes('ticket.priority_changed')],
    ['event=ticket.created', ({ event }) => event === 'ticket.created'],
    [
      'event=company.deleted,ticket.status_changed',
      ({ events }) => (events as string[]).some((type) => /^(company.deleted|ticket.status_changed)$/.test(type)),
    ],
    ['q=printer', ({ resource }) => resource === 'ticket'],
    ['q=acme', ({ resource }) => resource === 'company'],
    ['resource=ticket&action=created', ({ resource, action }) => resource === 'ticket' && action === 'created'],
  ])('filters by %s', async (query, test) => {
    const bound = `created_before=${encodeURIComponent(new Date(Date.parse(String(all[0]?.created_at)) + 1).toISOString())}`;
    const answer = (await home.api.get(`/audit-logs?${query}&${bound}&per_page=100`)).expect(200);
    const expected = all.filter(test);
    expect(expected.length).toBeGreaterThan(0);
    expect(ids(answer.rows.filter(({ resource }) => resource !== 'token'))).toEqual(ids(expected));
    expect(answer.meta.total).toBe(answer.rows.length);
  });

  it('filters by what an entry names', async () => {
    const [entry] = all.filter(({ action }) => action === 'comment_added');
    const one = async (query: string): Promise<boolean> => ids(await entries(query)).includes(entry?.id ?? 0);
    expect(await one(`request_id=${String(entry?.request_id)}`)).toBe(true);
    expect(await one(`resource=ticket&resource_id=${ticket.id}`)).toBe(true);
    expect(await one(`token_id=${String(entry?.token_id)}&actor_id=${home.tokenId}&actor_type=token`)).toBe(true);
    expect(await one(`ids=${entry?.id}`)).toBe(true);
    expect(await one(`resource_id=${ticket.id + 1_000_000}`)).toBe(false);
    expect(await one(`created_after=${encodeURIComponent(String(entry?.created_at))}`)).toBe(false);
  });

  it('leads over every entry by its links, and counts exactly, folded or not', async () => {
    for (const order of ['', '&sort=created_at', '&sort=id', '&sort=-id']) {
      const whole = await entries(order.slice(1));
      const seen: Fields[] = [];
      for (let next: string | null | undefined = `/audit-logs?per_page=3${order}`; next;) {
        const page = (await home.api.get(next)).expect(200);
        seen.push(...page.rows);
        expect(page.meta.total).toBe(whole.length);
        next = page.body.links?.next;
      }
      expect(seen).toEqual(whole);
    }
    await server.app.get(Database).system(() => server.app.get(CounterFolder).fold());
    const counted = (await home.api.get('/audit-logs?resource=ticket&action=updated,created&actor_type=user')).expect(
      200,
    );
    expect(counted.rows.length).toBeGreaterThan(1);
    expect(counted.meta.total).toBe(counted.rows.length);
  });

  it.each([
    ['sort=action', 'sort'],
    ['workspace_id=1', 'workspace_id'],
    ['updated_after=2020-01-01', 'updated_after'],
    ['resource_id=x', 'resource_id'],
    ['actor_id=x', 'actor_id'],
    ['event=', 'event'],
    ['actor_type=', 'actor_type'],
  ])('refuses ?%s', async (query, field) => {
    expect(Object.keys((await home.api.get(`/audit-logs?${query}`)).expect(422).codes)).toEqual([field]);
  });
});

describe('an entry of the audit log', () => {
  it('cannot be changed, removed or made up', async () => {
    const path = `/audit-logs/${all[0]?.id}`;
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE']) {
      for (const target of [path, '/audit-logs']) {
        expect([404, 405]).toContain((await home.api.send(method, target, { body: {} })).status);
      }
    }
    const [rights] = await sql.rows<Record<string, boolean>>(
      `SELECT has_table_privilege('helpdesk_app', 'audit_logs', 'SELECT') AS reads,
         has_table_privilege('helpdesk_app', 'audit_logs', 'INSERT, UPDATE, DELETE, TRUNCATE') AS writes`,
    );
    expect(rights).toEqual({ reads: true, writes: false });
  });

  it('belongs to its workspace', async () => {
    const other = await makeWorkspace(server);
    (await other.api.get(`/audit-logs/${all[0]?.id}`)).expect(404);
    expect(await entries(`ids=${all[0]?.id}`, other)).toEqual([]);
    expect(await entries('q=acme', other)).toEqual([]);
  });

  it('is written once, however often its events come by', async () => {
    const rows = await sql.rows<{
      id: number;
      workspace_id: number;
      uid: string;
      type: string;
      object: string;
      object_id: number;
    }>('SELECT id, workspace_id, uid, type, object, object_id FROM events WHERE workspace_id = $1', [home.id]);
    const before = (await home.api.get('/audit-logs')).meta.total;
    const { app } = server;
    await app.get(Database).system(() => app.get(AuditTrail).consume(rows));
    expect((await home.api.get('/audit-logs')).meta.total).toBe(before);
  });

  it('is there even where an event says little: no record, no name, no actor id', async () => {
    const [row] = await sql.rows<{ id: number }>(
      `INSERT INTO events (workspace_id, uid, type, object, object_id, sequence_id, position, actor, causation)
       VALUES ($1, 'evt_odd', 'odd', 'odd', 1, 'seq_odd', 1, '{"type":"system","id":null,"name":"system"}', '{}') RETURNING id`,
      [home.id],
    );
    const event = { id: row?.id ?? 0, workspace_id: home.id, uid: 'evt_odd', type: 'odd', object: 'odd', object_id: 1 };
    const { app } = server;
    await app.get(Database).system(() => app.get(AuditTrail).consume([event]));
    const [entry] = await entries('resource=odd');
    expect(entry).toMatchObject({ action: 'odd', resource_name: null, ip: null, token_id: null, changes: null });
  });

  it('goes after 400 days, and not before', async () => {
    const place = await makeWorkspace(server);
    for (const name of ['Old', 'Older', 'New']) (await place.api.post('/companies', { name })).expect(201);
    await drained(server, place);
    const age = (name: string, days: number): Promise<unknown> =>
      sql.rows(
        `UPDATE audit_logs SET created_at = now() - $3 * interval '1 day' WHERE workspace_id = $1 AND resource_name = $2`,
        [...[place.id, name, days]],
      );
    await age('Old', 399);
    await age('Older', 401);
    const { app } = server;
    // What another application is just removing is left to it.
    await until('the oldest is gone', async () => {
      await app.get(Database).system(() => app.get(AuditRetention).run());
      return (await place.api.get('/audit-logs?resource=company')).meta.total !== 3;
    });
    const { rows, meta } = await place.api.get('/audit-logs?resource=company');
    expect([rows.map((row) => row.resource_name), meta.total]).toEqual([['New', 'Old'], 2]);
  });
});
