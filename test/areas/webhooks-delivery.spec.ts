import { verify } from '../support/github-signatures';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { createHmac } from 'node:crypto';
import { EventFanOut } from '../../src/areas/webhooks/event-fan-out';
import { Database } from '../../src/platform/database/database';
import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { type Received, useReceiver } from '../support/receiver';
import { useSql } from '../support/sql';
import { subscribe, type TestEndpoint } from '../support/webhooks';
import { drained } from '../support/jobs';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
const receiver = useReceiver();
let workspace: TestWorkspace;

beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

async function settled(): Promise<void> {
  await drained(server, workspace);
}

const eventOf = ({ body }: Received): Record<string, unknown> => JSON.parse(body) as Record<string, unknown>;
const typesAt = (path?: string): unknown[] => receiver.received(path).map((request) => eventOf(request).type);

function at(endpoint: TestEndpoint, path: string): string {
  return `/webhooks/${endpoint.id}${path}`;
}

describe('a delivery', () => {
  it('carries the event as GET /events shows it, and the headers of the specification', async () => {
    const endpoint = await subscribe(workspace, receiver.url, ['ticket.created'], {
      headers: { Authorization: 'Bearer abc', 'X-Team': 'night shift' },
    });
    const ticket = await makeTicket(workspace.api, { subject: 'Jam “in” tray 3 – 😀' });
    await settled();
    const [request] = receiver.received();
    if (!request) throw new Error('Nothing came.');
    const event = eventOf(request);
    expect(event).toMatchObject({
      type: 'ticket.created',
      api_version: 'v1',
      workspace_id: workspace.id,
      sequence: { position: 1 },
      actor: { type: 'token' },
      causation: { depth: 0 },
      data: { object: 'ticket', id: ticket.id, ticket: { subject: ticket.subject, custom_fields: {} } },
      changes: null,
    });
    expect(Object.keys(event)).toEqual(
      'id type api_version timestamp workspace_id sequence actor causation data changes'.split(' '),
    );
    expect(event).toEqual((await workspace.api.get(`/events/${event.id as string}`)).expect(200).data);
    const [delivery] = (await workspace.api.get(at(endpoint, '/deliveries'))).expect(200).rows;
    expect(request).toMatchObject({
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'ServiceWebhooks/1.0',
        'x-service-event': 'ticket.created',
        'x-service-delivery': delivery?.uid,
        'x-service-attempt': '1',
        'x-service-causation-depth': '1',
        'x-service-causation-root': event.id,
        'webhook-id': event.id,
        authorization: 'Bearer abc',
        'x-team': 'night shift',
      },
    });
    expect(request.headers['x-service-timestamp']).toBe(request.headers['webhook-timestamp']);
    expect(delivery).toMatchObject({
      event_id: event.id,
      event: 'ticket.created',
      webhook_id: endpoint.id,
      status: 'succeeded',
      attempt: 1,
      next_attempt_at: null,
      response_status: 204,
      request_body: request.body,
      attempts: [{ n: 1, trigger: 'scheduled', response_status: 204, error: null }],
    });
    expect((await workspace.api.get(at(endpoint, `/deliveries/${delivery?.id ?? 0}`))).data).toEqual(delivery);
  });

  it('is verified by independent libraries, with a secret made here and with one’s own', async () => {
    const own = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
    for (const secret of [undefined, own]) {
      receiver.forget();
      const endpoint = await subscribe(
        workspace,
        receiver.url,
        ['company.created'],
        secret === undefined ? {} : { secret },
      );
      (await workspace.api.post('/companies', { name: `Größe ${endpoint.id}` })).expect(201);
      await settled();
      const request = receiver.received().at(-1) as Received;
      const headers = request.headers as Record<string, string>;
      expect(new StandardWebhook(endpoint.secret).verify(request.body, headers)).toEqual(eventOf(request));
      expect(new SvixWebhook(endpoint.secret).verify(request.body, headers)).toEqual(eventOf(request));
      const plain = headers['x-service-signature'] ?? '';
      expect(await verify(endpoint.secret, request.body, `sha256=${plain}`)).toBe(true);
      expect(await verify(endpoint.secret, `${request.body} `, `sha256=${plain}`)).toBe(false);
      expect(plain).toBe(createHmac('sha256', endpoint.secret).update(request.body).digest('hex'));
      (await workspace.api.delete(`/webhooks/${endpoint.id}`)).expect(200);
    }
  });

  it('of a change has from and to; of a deletion the last state and its moment; of a comment the comment', async () => {
    await subscribe(workspace, receiver.url, ['ticket.*']);
    const ticket = await makeTicket(workspace.api, { subject: 'Jam', priority: 'low' });
    (await workspace.api.patch(`/tickets/${ticket.id}`, { priority: 'high' })).expect(200);
    (await workspace.api.post(`/tickets/${ticket.id}/comments`, { body: 'On it.' })).expect(201);
    // What a ticket's comments said is withdrawn with the ticket, also from what was not sent yet.
    await settled();
    (await workspace.api.delete(`/tickets/${ticket.id}`)).expect(200);
    await settled();
    const events = new Map(receiver.received().map((request) => [eventOf(request).type, eventOf(request)]));
    expect(events.get('ticket.priority_changed')).toMatchObject({ changes: { priority: { from: 'low', to: 'high' } } });
    expect(events.get('ticket.comment_added')).toMatchObject({
      data: { ticket: { comment_count: 1 }, comment: { body: 'On it.' } },
    });
    const deleted = events.get('ticket.deleted') as { timestamp: string };
    expect(deleted).toMatchObject({
      changes: null,
      data: { deleted_at: deleted.timestamp, ticket: { priority: 'high' } },
    });
    const [updated, changed] = [events.get('ticket.updated'), events.get('ticket.priority_changed')] as {
      sequence: { id: string; position: number };
    }[];
    expect(updated?.sequence.id).toBe(changed?.sequence.id);
    expect([updated?.sequence.position, changed?.sequence.position]).toEqual([1, 2]);
  });

  it('goes to every endpoint that wants it, once to each, whatever names and aliases it subscribed with', async () => {
    await subscribe(workspace, receiver.at('/all'), ['*']);
    await subscribe(workspace, receiver.at('/twice'), ['ticket.*', 'ticket.created', '*']);
    await subscribe(workspace, receiver.at('/other'), ['company.*', 'webhook.ping']);
    await makeTicket(workspace.api, { subject: 'Jam' });
    await settled();
    expect(typesAt('/twice').filter((type) => type === 'ticket.created')).toEqual(['ticket.created']);
    expect(typesAt('/all').filter((type) => type === 'ticket.created')).toEqual(['ticket.created']);
    // An endpoint hears of the others, but not of itself.
    expect(typesAt('/all').filter((type) => type === 'webhook.created')).toHaveLength(2);
    expect(typesAt('/other')).toEqual([]);
  });

  it('of ticket.sla_breach goes to subscribers of sla.breach, once', async () => {
    const alias = await subscribe(workspace, receiver.at('/alias'), ['sla.breach', 'sla.*', 'ticket.sla_breach'], {
      filter: { conditions: { all: [{ field: 'type', operator: 'in', value: ['sla.breach', 'ticket.created'] }] } },
    });
    const consumed = await consumeAgain('ticket.sla_breach', 2);
    await settled();
    expect(typesAt('/alias')).toEqual(['ticket.sla_breach']);
    expect(receiver.received('/alias')[0]?.headers['webhook-id']).toBe(consumed);
    expect((await workspace.api.get(`/webhooks?event=ticket.sla_breach`)).rows.map(({ id }) => id)).toEqual([alias.id]);
  });

  it('has the name it was subscribed by, wherever it tells it', async () => {
    const ways = [
      ['/alias', ['sla.breach', 'ticket.created']],
      ['/below', ['sla.*']],
      ['/any', ['sla.breach', 'ticket.*']],
    ] as const;
    const [alias] = await Promise.all(ways.map(([path, events]) => subscribe(workspace, receiver.at(path), events)));
    await consumeAgain('ticket.sla_breach', 1);
    await settled();
    const told = ways.map(([path]) => receiver.received(path).map(({ headers }) => headers['x-service-event']));
    expect(told).toEqual([['sla.breach'], ['sla.breach'], ['ticket.sla_breach']]);
    expect(ways.map(([path]) => typesAt(path))).toEqual(told);
    const since = new Date(Date.now() - 3_600_000).toISOString();
    for (const name of ['sla.breach', 'ticket.sla_breach']) {
      const [delivery] = (await workspace.api.get(at(alias as TestEndpoint, `/deliveries?event=${name}`))).rows;
      expect(delivery).toMatchObject({ event: 'sla.breach', request_body: receiver.received('/alias')[0]?.body });
    }
    await sql.rows('DELETE FROM webhook_deliveries WHERE workspace_id = $1', [workspace.id]);
    (await workspace.api.post(at(alias as TestEndpoint, '/replay'), { since })).expect(202);
    await settled();
    expect(typesAt('/alias')).toEqual(['sla.breach', 'sla.breach']);
  });

  it('is made once, however often the event comes by', async () => {
    const endpoint = await subscribe(workspace, receiver.url, ['ticket.closed']);
    await consumeAgain('ticket.closed', 3);
    await settled();
    expect(typesAt()).toEqual(['ticket.closed']);
    expect((await workspace.api.get(at(endpoint, '/deliveries'))).meta.total).toBe(1);
  });

  it('has no copy with other bytes, and says so when a long text had to be cut', async () => {
    const endpoint = await subscribe(workspace, receiver.url, ['ticket.*']);
    const long = '€'.repeat(60_000);
    const ticket = await makeTicket(workspace.api, { subject: 'Long', description: 'short' });
    (await workspace.api.patch(`/tickets/${ticket.id}`, { description: long })).expect(200);
    await settled();
    const request = receiver.received().find((each) => eventOf(each).type === 'ticket.updated') as Received;
    expect(Buffer.byteLength(request.body)).toBeLessThanOrEqual(262_144);
    const event = eventOf(request) as { truncated: string[]; data: { ticket: { description: string } } };
    expect(event.truncated).toContain('data.ticket.description');
    expect(long.startsWith(event.data.ticket.description)).toBe(true);
    const list = (await workspace.api.get(at(endpoint, '/deliveries?event=ticket.updated'))).rows;
    const [delivery] = list as [Fields];
    // Compared apart: the difference of two such texts would fill the screen.
    expect(delivery.request_body === request.body).toBe(true);
    const single = (await workspace.api.get(at(endpoint, `/deliveries/${delivery.id}`))).data;
    expect(single.request_body === request.body).toBe(true);
    (await workspace.api.post(at(endpoint, `/deliveries/${delivery.id}/redeliver`))).expect(202);
    await settled();
    const copies = receiver.received().filter((each) => each.headers['webhook-id'] === request.headers['webhook-id']);
    expect(copies.map(({ body }) => body === request.body)).toEqual([true, true]);
  });

  /** Consumes an event of the log again, as a dispatcher would after a crash; answers its id. */
  async function consumeAgain(type: string, times: number): Promise<string> {
    const uid = `evt_${Buffer.from(`${workspace.id}`.padStart(16, '0')).toString('hex')}`;
    const [event] = await sql.rows<{ id: number }>(
      `INSERT INTO events (workspace_id, uid, type, object, object_id, sequence_id, position, actor, causation, data)
       VALUES ($1, $2, $3, 'ticket', 1, 'seq_1', 1, '{"type":"system","id":null,"name":"system"}', '{"root_event_id":null,"depth":2}', '{"id":1}')
       RETURNING id`,
      [workspace.id, uid, type],
    );
    const entry = { id: event?.id ?? 0, workspace_id: workspace.id, uid, type, object: 'ticket', object_id: 1 };
    for (let time = 0; time < times; time++) {
      await server.app.get(Database).system(() => server.app.get(EventFanOut).consume([entry]));
    }
    return uid;
  }
});

describe('a filter', () => {
  it('lets through only what its conditions hold of', async () => {
    const conditions = {
      all: [{ field: 'ticket.priority', operator: 'in', value: ['high', 'urgent'] }],
      any: [
        { field: 'ticket.priority', operator: 'changed_to', value: 'urgent' },
        { field: 'type', operator: 'eq', value: 'ticket.created' },
      ],
    };
    await subscribe(workspace, receiver.url, ['ticket.created', 'ticket.updated', 'company.*'], {
      filter: { conditions },
    });
    const low = await makeTicket(workspace.api, { subject: 'Low', priority: 'low' });
    const high = await makeTicket(workspace.api, { subject: 'High', priority: 'high' });
    (await workspace.api.patch(`/tickets/${low.id}`, { subject: 'Lower' })).expect(200);
    (await workspace.api.patch(`/tickets/${high.id}`, { subject: 'Higher' })).expect(200);
    (await workspace.api.patch(`/tickets/${low.id}`, { priority: 'urgent' })).expect(200);
    (await workspace.api.post('/companies', { name: 'Acme' })).expect(201);
    await settled();
    const seen = receiver.received().map((request) => {
      const { type, data } = eventOf(request) as { type: string; data: { id: number } };
      return `${type} ${data.id === low.id ? 'low' : 'high'}`;
    });
    expect(seen.sort()).toEqual(['ticket.created high', 'ticket.updated low']);
  });

  it('asks for what is computed, and does not wait for changes that events never tell of', async () => {
    const asking = (field: string, operator: string, value?: unknown): Record<string, unknown> => ({
      filter: { conditions: { all: [{ field, operator, ...(value === undefined ? {} : { value }) }] } },
    });
    await subscribe(workspace, receiver.at('/fresh'), ['deal.*'], asking('deal.is_rotten', 'eq', false));
    await subscribe(workspace, receiver.at('/worth'), ['deal.*'], asking('deal.weighted_value', 'gt', 5));
    for (const field of ['deal.weighted_value', 'deal.is_rotten', 'deal.updated_at', 'kb_article.helpful_count']) {
      const body = { url: receiver.url, events: ['*'], ...asking(field, 'changed') };
      expect((await workspace.api.post('/webhooks', body)).expect(422).codes).toEqual({
        'filter.conditions.all[0].operator': 'enum',
      });
    }
    (await workspace.api.post('/crm/deals', { title: 'Small', value: 1 })).expect(201);
    (await workspace.api.post('/crm/deals', { title: 'Great', value: 100 })).expect(201);
    await settled();
    const titlesAt = (path: string): unknown[] =>
      receiver.received(path).map((request) => (eventOf(request) as { data: { deal: Fields } }).data.deal.title);
    expect(titlesAt('/fresh').sort()).toEqual(['Great', 'Small']);
    expect(titlesAt('/worth')).toEqual(['Great']);
  });
});
