import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { IntegrationConsumer } from '../../src/areas/integrations/delivery-consumer';
import { Database } from '../../src/platform/database/database';
import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket, makeUser } from '../support/cast';
import { useReceiver } from '../support/receiver';
import { useSql } from '../support/sql';
import { drained, timePasses } from '../support/jobs';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
const receiver = useReceiver();
const SECRET = 'a-secret-of-24-characters';
let workspace: TestWorkspace;

beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

async function install(provider: string, config: Record<string, unknown>, events: string[]): Promise<Fields> {
  return (await workspace.api.post('/integrations', { provider, config, events })).expect(201).data;
}

const webhook = (events = ['ticket.created'], path = '/hook'): Promise<Fields> =>
  install('webhook', { url: receiver.at(path), secret: SECRET }, events);

async function read(id: number): Promise<Fields> {
  return (await workspace.api.get(`/integrations/${id}`)).expect(200).data;
}

async function logs(id: number, query = ''): Promise<Fields[]> {
  return (await workspace.api.get(`/integrations/${id}/logs?sort=id${query}`)).expect(200).rows;
}

/** Lets the next retry be due, and waits for it. */
async function retry(): Promise<void> {
  await timePasses(server, workspace, 'integration_delivery');
  await drained(server, workspace);
}

/** Seconds from now until the next retry. */
async function pause(): Promise<number> {
  const [row] = await sql.rows<{ seconds: number }>(
    `SELECT extract(epoch FROM due_at - now())::float8 AS seconds FROM work WHERE workspace_id = $1 AND kind = 'integration_delivery'`,
    [workspace.id],
  );
  if (!row) throw new Error('Nothing is to be tried again.');
  return row.seconds;
}

describe('the generic webhook', () => {
  it('posts the event, signed both ways, with the causation handed on', async () => {
    const { id } = await webhook();
    const ticket = await makeTicket(workspace.api, { subject: 'Jam “in” tray 3 – 😀' });
    await drained(server, workspace);
    const [request, ...rest] = receiver.received();
    if (!request) throw new Error('Nothing came.');
    expect(rest).toEqual([]);
    const body = JSON.parse(request.body) as Record<string, unknown>;
    const polled = (await workspace.api.get(`/events/${body.id as string}`)).expect(200).data;
    expect(body).toEqual(polled);
    expect(body).toMatchObject({
      type: 'ticket.created',
      data: { id: ticket.id, ticket: { subject: ticket.subject } },
    });
    expect(request.headers['x-service-signature']).toBe(
      createHmac('sha256', SECRET).update(request.body).digest('hex'),
    );
    const verified = new Webhook(SECRET, { format: 'raw' }).verify(
      request.body,
      request.headers as Record<string, string>,
    );
    expect(verified).toEqual(body);
    const [log] = await logs(id);
    expect(request.headers).toMatchObject({
      'x-service-event': 'ticket.created',
      'x-service-attempt': '1',
      'x-service-delivery': log?.delivery_id,
      'x-service-causation-depth': '1',
      'x-service-causation-root': body.id,
    });
    expect(log).toMatchObject({
      integration_id: id,
      direction: 'outbound',
      event: 'ticket.created',
      status: 'success',
      http_method: 'POST',
      url: receiver.url,
      request_headers: { 'X-Service-Signature': '********', 'webhook-signature': '********' },
      request_body: request.body,
      response_status: 204,
      attempt: 1,
      error: null,
      request_id: (polled.causation as { request_id: string }).request_id,
    });
    expect(JSON.stringify(log)).not.toContain(SECRET);
    expect(await read(id)).toMatchObject({ status: 'active', error_count: 0, last_error: null });
  });

  it('gets what it subscribes to, under an alias, too, each event once', async () => {
    await webhook(['ticket.created', 'ticket.*', 'sla.breach']);
    const ticket = await makeTicket(workspace.api);
    (await workspace.api.patch(`/tickets/${ticket.id}`, { priority: 'high' })).expect(200);
    await makeUser(workspace.api);
    await drained(server, workspace);
    const types = receiver.received().map(({ headers }) => headers['x-service-event']);
    expect(types.filter((type) => type === 'ticket.created').length).toBe(1);
    expect([...types].sort()).toEqual(['ticket.created', 'ticket.priority_changed', 'ticket.updated']);
    const events = await sql.rows<{
      id: number;
      workspace_id: number;
      uid: string;
      type: string;
      object: string;
      object_id: number;
    }>('SELECT id, workspace_id, uid, type, object, object_id FROM events WHERE workspace_id = $1', [workspace.id]);
    await server.app.get(Database).system(() => server.app.get(IntegrationConsumer).consume(events));
    await drained(server, workspace);
    expect(receiver.received().length).toBe(types.length);
  });

  it('gets nothing while it is disabled, nor what waited then', async () => {
    receiver.answer(500);
    const { id } = await webhook();
    await makeTicket(workspace.api);
    await drained(server, workspace);
    (await workspace.api.patch(`/integrations/${id}`, { status: 'disabled' })).expect(200);
    await makeTicket(workspace.api);
    receiver.forget();
    await retry();
    (await workspace.api.patch(`/integrations/${id}`, { status: 'active' })).expect(200);
    await drained(server, workspace);
    expect(receiver.requests).toEqual([]);
  });
});

describe('a receiver that fails', () => {
  it('is tried again after 1, 5, 30, 60 and 360 minutes with the same bytes, then the integration rests', async () => {
    receiver.answer({ status: 500, body: 'no \0 way' });
    const { id } = await webhook();
    const witness = await webhook(['integration.error'], '/witness');
    await makeTicket(workspace.api);
    await drained(server, workspace);
    for (const seconds of [60, 300, 1_800, 3_600, 21_600]) {
      const wait = await pause();
      expect(wait).toBeGreaterThan(seconds - 30);
      expect(wait).toBeLessThanOrEqual(seconds * 1.05 + 1);
      expect((await read(id)).status).toBe('active');
      if (seconds === 21_600)
        receiver.answer(({ path }) => (path === '/hook' ? { status: 500, body: 'no \0 way' } : 204));
      await retry();
    }
    const requests = receiver.received();
    expect(requests.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2', '3', '4', '5', '6']);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    expect(new Set(requests.map(({ headers }) => headers['x-service-delivery'])).size).toBe(1);
    expect((await logs(id)).map(({ status }) => status)).toEqual([...Array<string>(5).fill('retrying'), 'failed']);
    expect((await logs(id, '&status=failed'))[0]).toMatchObject({
      response_status: 500,
      response_body: 'no  way',
      error: { code: 'http_500' },
      attempt: 6,
    });
    expect(await read(id)).toMatchObject({
      status: 'error',
      error_count: 6,
      last_error: { code: 'http_500', message: 'The server answered 500.' },
    });
    const told = receiver.received('/witness').map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    expect(told).toEqual([
      expect.objectContaining({
        type: 'integration.error',
        data: expect.objectContaining({ id, error: { code: 'http_500', message: 'The server answered 500.' } }),
      }),
    ]);
    expect((await read(witness.id)).status).toBe('active');
    receiver.forget();
    await makeTicket(workspace.api);
    await drained(server, workspace);
    expect(receiver.received()).toEqual([]);
    receiver.answer(204);
    const shown = (await workspace.api.patch(`/integrations/${id}`, { status: 'active' })).expect(200).data;
    expect(shown).toMatchObject({ status: 'active', error_count: 0, last_error: null });
    await makeTicket(workspace.api);
    await drained(server, workspace);
    expect(receiver.received().length).toBe(1);
  });

  it('that asks for more time gets it, up to twice the step', async () => {
    const { id } = await webhook();
    receiver.answer({ status: 429, headers: { 'retry-after': '100' } });
    await makeTicket(workspace.api);
    await drained(server, workspace);
    const asked = await pause();
    expect(asked).toBeGreaterThan(70);
    expect(asked).toBeLessThanOrEqual(106);
    receiver.answer({ status: 503, headers: { 'retry-after': '86400' } });
    await retry();
    const clamped = await pause();
    expect(clamped).toBeGreaterThan(570);
    expect(clamped).toBeLessThanOrEqual(631);
    receiver.answer(200);
    await retry();
    expect(await read(id)).toMatchObject({ status: 'active', error_count: 0, last_error: null });
  });

  it('that is gone is not tried again', async () => {
    receiver.answer(410);
    const { id } = await webhook();
    await makeTicket(workspace.api);
    await drained(server, workspace);
    expect((await read(id)).status).toBe('error');
    expect(receiver.received().length).toBe(1);
  });

  it('by redirecting or by being nowhere is not followed', async () => {
    receiver.answer({ status: 302, headers: { location: receiver.at('/elsewhere') } });
    const { id } = await webhook();
    await makeTicket(workspace.api);
    await drained(server, workspace);
    expect(receiver.received('/elsewhere')).toEqual([]);
    expect((await logs(id))[0]).toMatchObject({ status: 'retrying', error: { code: 'http_302' } });
  });
});

it('serves every workspace its own installations only', async () => {
  const other = await makeWorkspace(server);
  await webhook(['*']);
  await makeTicket(other.api);
  await drained(server, other);
  const workspaces = receiver.received().map(({ body }) => (JSON.parse(body) as { workspace_id: number }).workspace_id);
  expect(workspaces.filter((id) => id === other.id)).toEqual([]);
});
