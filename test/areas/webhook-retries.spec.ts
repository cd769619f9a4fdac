import { EVENT_RETRIES } from '../../src/platform/delivery/retries';
import { JobQueue } from '../../src/platform/queue/job-queue';
import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { eventsOf } from '../support/event-log';
import { type Received, useReceiver } from '../support/receiver';
import { useSql } from '../support/sql';
import { subscribe, type TestEndpoint } from '../support/webhooks';
import { drained } from '../support/jobs';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
const receiver = useReceiver();
let workspace: TestWorkspace;
let endpoint: TestEndpoint;

beforeEach(async () => {
  workspace = await makeWorkspace(server);
  endpoint = await subscribe(workspace, receiver.url, ['company.created']);
});

const settled = (): Promise<void> => drained(server, workspace);
const company = async (name = 'Acme'): Promise<number> =>
  (await workspace.api.post('/companies', { name })).expect(201).data.id;
const shown = async (): Promise<Fields> => (await workspace.api.get(`/webhooks/${endpoint.id}`)).expect(200).data;
const deliveries = async (query = ''): Promise<Fields[]> =>
  (await workspace.api.get(`/webhooks/${endpoint.id}/deliveries${query}`)).expect(200).rows;
const only = async (): Promise<Fields> => {
  const [delivery, ...more] = await deliveries();
  if (!delivery || more.length > 0) throw new Error('Expected one delivery.');
  return delivery;
};

/** Lets what waits for a later time be due now; answers when it would have been, in milliseconds since 1970. */
async function timePasses(): Promise<number[]> {
  const rows = await sql.rows<{ due_at: Date }>(
    `UPDATE work w SET due_at = now(), state = 'waiting' FROM (SELECT id, due_at FROM work WHERE workspace_id = $1 AND kind = 'webhook_delivery') before
     WHERE w.workspace_id = $1 AND w.id = before.id RETURNING before.due_at`,
    [workspace.id],
  );
  server.app.get(JobQueue).wake();
  await settled();
  return rows.map((row) => row.due_at.getTime());
}

/** Seconds from the beginning of the last attempt to the next one; sending and writing down took some of them. */
function pauseOf(delivery: Fields | undefined): number {
  const last = (delivery?.attempts as Fields[] | undefined)?.at(-1);
  return (Date.parse(delivery?.next_attempt_at as string) - Date.parse(last?.at as string)) / 1_000;
}

describe('a failing endpoint', () => {
  it('gets five more attempts on schedule and is deactivated when the last one fails, not before', async () => {
    receiver.answer({ status: 500, body: 'x'.repeat(5_000) });
    await company();
    await settled();
    for (const [index, step] of EVENT_RETRIES.pauses.entries()) {
      const delivery = await only();
      expect(delivery).toMatchObject({ status: 'retrying', attempt: index + 1, response_status: 500 });
      expect(await shown()).toMatchObject({ status: 'active', failure_count: index + 1, deactivated_at: null });
      // Up to 5 % later than the step, never earlier.
      expect(pauseOf(delivery)).toBeGreaterThanOrEqual(step);
      expect(pauseOf(delivery)).toBeLessThan(step * 1.05 + 20);
      const [due = 0] = await timePasses();
      expect(Math.abs(Date.parse(delivery.next_attempt_at as string) - due)).toBeLessThan(20_000);
    }
    const delivery = await only();
    expect(delivery).toMatchObject({
      status: 'failed',
      attempt: EVENT_RETRIES.pauses.length + 1,
      next_attempt_at: null,
    });
    expect((delivery.attempts as Fields[]).map(({ n, response_status }) => [n, response_status])).toEqual(
      [1, 2, 3, 4, 5, 6].map((n) => [n, 500]),
    );
    expect((delivery.response_body as string).length).toBe(4_096);
    expect(receiver.received()).toHaveLength(6);
    expect(receiver.received().map(({ headers }) => headers['x-service-attempt'])).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
    ]);
    expect(new Set(receiver.received().map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.received().map(({ headers }) => headers['x-service-delivery'])).size).toBe(1);
    expect(new Set(receiver.received().map(({ body }) => body)).size).toBe(1);
    expect(await shown()).toMatchObject({
      status: 'deactivated',
      is_active: false,
      failure_count: 6,
      deactivated_at: expect.any(String) as string,
      deactivated_reason: expect.stringContaining('HTTP 500') as string,
    });
    expect(await timePasses()).toEqual([]);
  });

  it('announces its deactivation, cancels what waits, and gets nothing any more', async () => {
    await subscribe(workspace, receiver.at('/watcher'), ['webhook.deactivated']);
    receiver.answer(({ path, body }) => (path === '/watcher' ? 204 : body.includes('"Last"') ? 410 : 503));
    await company('One');
    await company('Two');
    await settled();
    await company('Last');
    await settled();
    expect(await shown()).toMatchObject({
      status: 'deactivated',
      deactivated_reason: expect.stringContaining('410 Gone') as string,
    });
    expect((await deliveries()).map(({ status }) => status).sort()).toEqual(['cancelled', 'cancelled', 'failed']);
    const before = receiver.received().length;
    await company('Afterwards');
    await settled();
    expect(await timePasses()).toEqual([]);
    expect(receiver.received()).toHaveLength(before);
    const [told] = receiver.received('/watcher') as [Received];
    expect(JSON.parse(told.body)).toMatchObject({
      type: 'webhook.deactivated',
      actor: { type: 'system' },
      data: { id: endpoint.id, webhook: { status: 'deactivated' }, delivery: { response_status: 410 } },
      changes: { status: { from: 'active', to: 'deactivated' } },
    });
    const types = (await eventsOf(server, workspace, 'webhook', endpoint.id)).map(({ type }) => type);
    expect(types).toEqual(['webhook.created', 'webhook.updated', 'webhook.deactivated']);
  });

  it('starts anew when it is activated again; what it missed comes on demand', async () => {
    receiver.answer(410);
    await company('Lost');
    await settled();
    await company('Missed');
    await settled();
    receiver.answer(204);
    const { id } = await only();
    expect((await workspace.api.post(`/webhooks/${endpoint.id}/deliveries/${id}/redeliver`)).codes).toEqual({
      is_active: 'inactive',
    });
    const since = '2020-01-01T00:00:00Z';
    expect((await workspace.api.post(`/webhooks/${endpoint.id}/recover`, { since })).codes).toEqual({
      is_active: 'inactive',
    });
    expect((await workspace.api.post(`/webhooks/${endpoint.id}/replay`, { since })).codes).toEqual({
      is_active: 'inactive',
    });
    const again = (await workspace.api.patch(`/webhooks/${endpoint.id}`, { is_active: true })).expect(200).data;
    expect(again).toMatchObject({ status: 'active', failure_count: 0, deactivated_at: null, deactivated_reason: null });
    await settled();
    expect(receiver.received()).toHaveLength(1);
    expect((await workspace.api.post(`/webhooks/${endpoint.id}/recover`, { since })).expect(202).data).toEqual({
      queued: 1,
      complete: true,
    });
    await settled();
    expect(await only()).toMatchObject({ status: 'succeeded', attempt: 2 });
    expect((await workspace.api.post(`/webhooks/${endpoint.id}/recover`, { since })).data).toEqual({
      queued: 0,
      complete: true,
    });
    const replayed = (await workspace.api.post(`/webhooks/${endpoint.id}/replay`, { since })).expect(202).data;
    expect(replayed).toEqual({ queued: 2, complete: true, next_since: null });
    await settled();
    const names = receiver
      .received()
      .map(({ body }) => (JSON.parse(body) as { data: { company: Fields } }).data.company.name);
    expect(names.sort()).toEqual(['Lost', 'Lost', 'Lost', 'Missed']);
    const copies = receiver.received().filter(({ body }) => body.includes('"Lost"'));
    expect(new Set(copies.map(({ body }) => body)).size).toBe(1);
  });

  it('is given more time when it asks for it, but no more than twice the step', async () => {
    const waited: number[] = [];
    for (const [status, after] of [
      [503, '90'],
      [429, '3600'],
      [500, '90'],
      [503, 'soon'],
    ] as const) {
      receiver.answer({ status, headers: { 'retry-after': after } });
      await company(`${status} ${after}`);
      await settled();
      waited.push(pauseOf((await deliveries('?status=retrying'))[0]));
      await timePasses();
      receiver.answer(204);
      await timePasses();
    }
    const [asked = 0, capped = 0, other = 0, nonsense = 0] = waited;
    expect([asked >= 90 && asked < 110, capped >= 120 && capped < 140]).toEqual([true, true]);
    expect([other >= 60 && other < 83, nonsense >= 60 && nonsense < 83]).toEqual([true, true]);
  });

  it.each([
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 302],
    ['a page that is not found', 404, 404],
    ['an informational mistake', { status: 304 }, 304],
  ])('has failed with %s', async (_name, reply, status) => {
    receiver.answer(reply);
    await company();
    await settled();
    expect(await only()).toMatchObject({ status: 'retrying', response_status: status });
    expect(receiver.requests).toHaveLength(1);
  });

  it('has failed without any answer, and the log tells no more than that', async () => {
    // A port that nobody is given by chance.
    (await workspace.api.patch(`/webhooks/${endpoint.id}`, { url: 'http://127.0.0.1:9/' })).expect(200);
    await company();
    await settled();
    const delivery = await only();
    expect(delivery).toMatchObject({ status: 'retrying', response_status: null, response_body: null });
    expect((delivery.attempts as Fields[])[0]).toMatchObject({
      error: 'The server could not be reached.',
      response_status: null,
    });
  });

  it('gets nothing of what waits once it is paused', async () => {
    receiver.answer(500);
    await company();
    await settled();
    (await workspace.api.patch(`/webhooks/${endpoint.id}`, { is_active: false })).expect(200);
    expect(await only()).toMatchObject({ status: 'cancelled', next_attempt_at: null });
    (await workspace.api.patch(`/webhooks/${endpoint.id}`, { is_active: true })).expect(200);
    expect(await timePasses()).toEqual([]);
    expect(receiver.received()).toHaveLength(1);
  });
});
