import { areas } from '../../src/app.module';
import {
  isSubscribable,
  matchesEvent,
  subscribableNames,
  subscribedName,
} from '../../src/platform/events/event-catalogue';
import { PING } from '../../src/areas/webhooks/webhook-ping';
import { Database } from '../../src/platform/database/database';
import { useApp } from '../support/app';
import { useSql } from '../support/sql';
import { until } from '../support/until';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

interface Shown {
  id: string;
  type: string;
  sequence: { id: string; position: number };
  data: Record<string, unknown>;
  causation: { root_event_id: string; depth: number };
  changes: Record<string, { from: unknown; to: unknown }> | null;
}

async function all(workspace: TestWorkspace, query = ''): Promise<Shown[]> {
  return (await workspace.api.get(`/events?per_page=100${query}`)).expect(200).body.data as Shown[];
}

/** The same once there are so many: whatever runs beside, in any workspace, holds the end of the log back. */
async function atLeast(count: number, workspace: TestWorkspace, query = ''): Promise<Shown[]> {
  let events: Shown[] = [];
  await until(`there are ${count} events`, async () => (events = await all(workspace, query)).length >= count);
  return events;
}

describe('names of events in subscriptions', () => {
  it('are types, aliases, objects with a star, and a star', () => {
    expect(isSubscribable('ticket.created')).toBe(true);
    expect(isSubscribable('sla.breach')).toBe(true);
    expect(isSubscribable('directory.sync_completed')).toBe(true);
    expect(isSubscribable('ticket.*')).toBe(true);
    expect(isSubscribable('*')).toBe(true);
    for (const name of [
      'ticket',
      'ticket.',
      'ticket.*.x',
      'nothing.*',
      '.*',
      '',
      '**',
      'Ticket.created',
      'ticket.made',
    ])
      expect([name, isSubscribable(name)]).toEqual([name, false]);
    expect(subscribableNames().every(isSubscribable)).toBe(true);
  });

  it('match the event itself, its alias and their wildcards', () => {
    expect(matchesEvent(['ticket.updated'], 'ticket.created')).toBe(false);
    expect(matchesEvent(['ticket.updated', 'ticket.created'], 'ticket.created')).toBe(true);
    expect(subscribedName(['sla.breach'], 'ticket.sla_breach')).toBe('sla.breach');
    expect(subscribedName(['sla.*'], 'ticket.sla_breach')).toBe('sla.breach');
    expect(subscribedName(['sla.breach', 'ticket.*'], 'ticket.sla_breach')).toBe('ticket.sla_breach');
    expect(matchesEvent(['directory.sync_approval_required'], 'directory_run.awaiting_approval')).toBe(true);
    expect(matchesEvent(['directory.*'], 'directory_run.completed')).toBe(true);
    expect(matchesEvent(['directory.*'], 'directory_run.created')).toBe(false);
    expect(matchesEvent(['ticket.*'], 'ticket.sla_breach')).toBe(true);
    expect(matchesEvent(['tick.*'], 'ticket.sla_breach')).toBe(false);
    expect(matchesEvent(['*'], 'company.created')).toBe(true);
  });

  it('include a ping only by its own name', () => {
    expect([matchesEvent(['*'], PING), matchesEvent(['webhook.*'], PING)]).toEqual([false, false]);
    expect(matchesEvent([PING], PING)).toBe(true);
  });
});

describe('GET /integrations/events', () => {
  it('lists every event by domain, aliases beside them, with a sample and where its schema is', async () => {
    const { api } = await makeWorkspace(server);
    const domains = (await api.get('/integrations/events')).expect(200).body.data as {
      domain: string;
      events: { type: string; alias_of?: string; since: string; payload_schema_url: string; sample: Shown }[];
    }[];
    expect(domains.map(({ domain }) => domain)).toEqual(
      expect.arrayContaining(areas.flatMap(({ events }) => events?.domain ?? [])),
    );
    const events = domains.flatMap((each) => each.events);
    expect(events.find(({ type }) => type === 'sla.breach')?.alias_of).toBe('ticket.sla_breach');
    const document = (await api.get('/openapi.json')).body as unknown;
    for (const { type, since, payload_schema_url, sample } of events) {
      expect([since, sample.type]).toEqual(['v1', type]);
      const [, pointer = ''] = payload_schema_url.split('#');
      const schema = pointer
        .split('/')
        .slice(1)
        .reduce<unknown>(
          (node, key) => (node as Record<string, unknown>)[key.replace('~1', '/').replace('~0', '~')],
          document,
        );
      const types = (schema as { properties: { type: { enum: string[] } } }).properties.type.enum;
      expect(types).toContain(type);
    }
  });
});

describe('calls that answer an event', () => {
  it('hand on how long the chain is, so that a loop through another system ends', async () => {
    const workspace = await makeWorkspace(server);
    const root = 'evt_0123456789abcdef0123456789abcdef';
    const headers = { 'x-service-causation-depth': '3', 'x-service-causation-root': root };
    (await workspace.api.send('POST', '/tickets', { body: { subject: 'Echo' }, headers })).expect(201);
    const [echo] = await atLeast(1, workspace, '&type=ticket.created');
    expect(echo?.causation).toMatchObject({ depth: 3, root_event_id: root });
  });

  it.each([
    { 'x-service-causation-depth': 'many' },
    { 'x-service-causation-depth': '-1' },
    { 'x-service-causation-depth': '3', 'x-service-causation-root': 'evt_x' },
  ] as Record<string, string>[])('ignore what makes no sense: %p', async (headers) => {
    const workspace = await makeWorkspace(server);
    (await workspace.api.send('POST', '/tickets', { body: { subject: 'Plain' }, headers })).expect(201);
    const [event] = await atLeast(1, workspace, '&type=ticket.created');
    expect(event?.causation.root_event_id).toBe(event?.id);
    expect(event?.causation.depth).toBe(headers['x-service-causation-depth'] === '3' ? 3 : 0);
  });
});

describe('GET /events', () => {
  it('tells what happened in the order of the commits, with the record and the changes', async () => {
    const workspace = await makeWorkspace(server);
    const ticket = (await workspace.api.post('/tickets', { subject: 'Printer' })).expect(201).data;
    (await workspace.api.patch(`/tickets/${ticket.id}`, { priority: 'high' })).expect(200);
    const events = await atLeast(3, workspace, '&object=ticket');
    expect(events.map(({ type }) => type)).toEqual(['ticket.created', 'ticket.updated', 'ticket.priority_changed']);
    expect(events[0]).toMatchObject({
      changes: null,
      data: { object: 'ticket', id: ticket.id, ticket: { priority: 'medium' } },
    });
    expect(events[1]?.changes).toMatchObject({ priority: { from: 'medium', to: 'high' } });
    expect(events[1]?.sequence.id).toBe(events[2]?.sequence.id);
    expect(events[2]?.sequence.position).toBe(2);
  });

  it('shows one by its id, the same however often it is asked for, and 304 to who has it', async () => {
    const workspace = await makeWorkspace(server);
    (await workspace.api.post('/tickets', { subject: 'Printer' })).expect(201);
    const [event] = await atLeast(1, workspace, '&type=ticket.created');
    const path = `/events/${event?.id}`;
    for (let time = 0; time < 4; time++) {
      const one = (await workspace.api.get(path)).expect(200);
      expect(one.data).toEqual(event);
      const headers = { 'if-none-match': one.header('etag') ?? '' };
      (await workspace.api.send('GET', path, { headers })).expect(304);
      (await workspace.api.get(`${path}?fields=id,type`)).expect(200);
    }
  });

  it('goes on after an event that was seen, and knows when there is nothing new', async () => {
    const workspace = await makeWorkspace(server);
    for (const subject of ['a', 'b', 'c']) (await workspace.api.post('/tickets', { subject })).expect(201);
    const events = await atLeast(3, workspace, '&type=ticket.created');
    const after = await all(workspace, `&type=ticket.created&after=${events[0]?.id}`);
    expect(after).toEqual(events.slice(1));
    expect(await all(workspace, `&after=${(await all(workspace)).at(-1)?.id}`)).toEqual([]);
  });

  it('shows nothing that a transaction still running could come before', async () => {
    const workspace = await makeWorkspace(server);
    const database = server.app.get(Database);
    await database.inWorkspace(workspace.id, { type: 'system', id: null, name: 'test' }, () =>
      database.transaction(async () => {
        await database.query(
          `INSERT INTO events (workspace_id, uid, type, object, object_id, sequence_id, position, actor, causation)
           VALUES ($1, 'evt_' || replace(gen_random_uuid()::text, '-', ''), 'ticket.closed', 'ticket', 1, 'seq_x', 1,
             '{"type":"system","id":null,"name":"system"}', '{"root_event_id":"evt_x","depth":0,"request_id":null,"automation_ids":[]}')`,
          [workspace.id],
        );
        (await workspace.api.post('/tickets', { subject: 'Later' })).expect(201);
        expect(await all(workspace, '&type=ticket.*')).toEqual([]);
      }),
    );
    const events = await atLeast(2, workspace, '&type=ticket.*');
    expect(events.map(({ type }) => type)).toEqual(['ticket.closed', 'ticket.created']);
  });

  it('filters by type with wildcards and aliases, by record, and refuses unknown names', async () => {
    const workspace = await makeWorkspace(server);
    const { api } = workspace;
    const ticket = (await api.post('/tickets', { subject: 'x' })).expect(201).data;
    (await api.post('/companies', { name: 'Acme' })).expect(201);
    expect((await atLeast(1, workspace, '&type=company.*,sla.breach')).map(({ type }) => type)).toEqual([
      'company.created',
    ]);
    expect((await all(workspace, `&object=ticket&object_id=${ticket.id}`)).map(({ type }) => type)).toEqual([
      'ticket.created',
    ]);
    (await api.get('/events?type=ticket.invented')).expect(422);
    (await api.get('/events?after=evt_00000000000000000000000000000000')).expect(422);
    (await api.get('/events?object_id=x')).expect(422);
  });

  it('shows who was told of an event that very event, also while lists still hold it back', async () => {
    const workspace = await makeWorkspace(server);
    const database = server.app.get(Database);
    await database.system(async () => {
      await database.query('SELECT pg_current_xact_id()');
      const ticket = (await workspace.api.post('/tickets', { subject: 'Told at once' })).expect(201).data;
      const [event] = await sql.rows<{ uid: string }>(
        `SELECT uid FROM events WHERE workspace_id = $1 AND object = 'ticket'`,
        [workspace.id],
      );
      expect(await all(workspace, '&object=ticket')).toEqual([]);
      const one = (await workspace.api.get(`/events/${event?.uid}`)).expect(200).data;
      expect(one).toMatchObject({ id: event?.uid, type: 'ticket.created', data: { id: ticket.id } });
      expect(await all(workspace, `&after=${event?.uid}`)).toEqual([]);
    });
    await atLeast(1, workspace, '&object=ticket');
  });

  it('keeps workspaces apart', async () => {
    const [mine, other] = [await makeWorkspace(server), await makeWorkspace(server)];
    (await other.api.post('/tickets', { subject: 'secret' })).expect(201);
    const [event] = await atLeast(1, other);
    (await mine.api.get(`/events/${event?.id}`)).expect(404);
    (await mine.api.get(`/events?after=${event?.id}`)).expect(422);
    expect((await all(mine, `&ids=${event?.id}`)).length).toBe(0);
    for (const id of ['1', 'evt_', 'evt_zz', 'x'.repeat(200)]) (await mine.api.get(`/events/${id}`)).expect(404);
  });
});
