import { Webhook as StandardWebhook } from 'standardwebhooks';
import { createHmac } from 'node:crypto';
import { DeliveryRetention } from '../../src/areas/webhooks/delivery-retention';
import { Database } from '../../src/platform/database/database';
import type { Fields } from '../support/api';
import { useApp } from '../support/app';
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
  endpoint = await subscribe(workspace, receiver.url, ['company.*']);
});

const settled = (): Promise<void> => drained(server, workspace);
const at = (path: string): string => `/webhooks/${endpoint.id}${path}`;
const company = async (name = 'Acme'): Promise<number> =>
  (await workspace.api.post('/companies', { name })).expect(201).data.id;
const deliveries = async (query = ''): Promise<Fields[]> =>
  (await workspace.api.get(at(`/deliveries${query}`))).expect(200).rows;
const plain = (secret: string, body: string): string => createHmac('sha256', secret).update(body).digest('hex');

describe('rotating the secret', () => {
  it('signs with both until the grace period ends, then with the new one alone', async () => {
    const rotated = (await workspace.api.post(at('/rotate-secret'), {})).expect(200).data;
    const secret = rotated.secret as string;
    expect(secret).not.toBe(endpoint.secret);
    expect(rotated.secret_hint).toBe(`...${secret.slice(-4)}`);
    await company('During');
    await settled();
    const { headers, body } = receiver.received()[0] as Received;
    expect(headers['x-service-signature']).toBe(plain(secret, body));
    expect(headers['x-service-signature-previous']).toBe(plain(endpoint.secret, body));
    expect(String(headers['webhook-signature']).split(' ')).toHaveLength(2);
    for (const each of [secret, endpoint.secret]) {
      expect(new StandardWebhook(each).verify(body, headers as Record<string, string>)).toBeTruthy();
    }
    await sql.rows(`UPDATE webhooks SET previous_secret_until = now() - interval '1 second' WHERE id = $1`, [
      endpoint.id,
    ]);
    await company('Afterwards');
    await settled();
    const last = receiver.received().at(-1) as Received;
    expect(last.headers['x-service-signature-previous']).toBeUndefined();
    const old = new StandardWebhook(endpoint.secret);
    expect(() => old.verify(last.body, last.headers as Record<string, string>)).toThrow();
    expect(new StandardWebhook(secret).verify(last.body, last.headers as Record<string, string>)).toBeTruthy();
  });

  it('ends the old one at once without a grace period, takes one’s own, and heeds If-Match', async () => {
    const secret = `whsec_${Buffer.alloc(48, 3).toString('base64')}`;
    const stale = await workspace.api.post(at('/rotate-secret'), { secret }, { 'if-match': '"99"' });
    expect(stale.status).toBe(412);
    const answer = await workspace.api.post(at('/rotate-secret'), { secret, grace_period_seconds: 0 });
    expect(answer.expect(200).text).not.toContain(secret);
    await company();
    await settled();
    const { headers, body } = receiver.received()[0] as Received;
    expect([headers['x-service-signature'], headers['x-service-signature-previous']]).toEqual([
      plain(secret, body),
      undefined,
    ]);
  });

  it.each([
    { grace_period_seconds: -1 },
    { grace_period_seconds: 604_801 },
    { grace_period_seconds: '60' },
    { secret: 'short' },
  ])('refuses %j', async (body) => {
    expect(Object.keys((await workspace.api.post(at('/rotate-secret'), body)).expect(422).codes)).toEqual(
      Object.keys(body),
    );
  });
});

describe('a test', () => {
  it('sends a signed sample at once and answers what came back, counted nowhere', async () => {
    receiver.answer({ status: 201, body: 'Thanks.' });
    const answer = (await workspace.api.post(at('/test'))).expect(200).data;
    expect(answer).toEqual({
      status: 'succeeded',
      response_status: 201,
      response_body: 'Thanks.',
      duration_ms: expect.any(Number) as number,
      error: null,
    });
    const { headers, body } = receiver.received()[0] as Received;
    expect(JSON.parse(body)).toMatchObject({
      type: 'webhook.ping',
      workspace_id: workspace.id,
      data: { object: 'webhook', id: endpoint.id, webhook: { url: receiver.url } },
    });
    expect(headers['x-service-signature']).toBe(plain(endpoint.secret, body));
    expect(new StandardWebhook(endpoint.secret).verify(body, headers as Record<string, string>)).toBeTruthy();
    expect(await deliveries()).toEqual([]);
  });

  it('sends a sample of any event, under its alias too, and of nothing else', async () => {
    (await workspace.api.post(at('/test'), { event: 'sla.breach' })).expect(200);
    const { headers, body } = receiver.received()[0] as Received;
    expect(headers['x-service-event']).toBe('sla.breach');
    expect(JSON.parse(body)).toMatchObject({
      type: 'sla.breach',
      data: { ticket: { priority: expect.any(String) as string } },
    });
    for (const event of ['ticket.*', '*', 'ticket.exploded', '', 7]) {
      expect(Object.keys((await workspace.api.post(at('/test'), { event })).expect(422).codes)).toEqual(['event']);
    }
    const { details } = (await workspace.api.post(at('/test'), { event: 'ticket.exploded' })).error;
    expect(details?.[0]?.allowed).toEqual(expect.arrayContaining(['ticket.created', 'sla.breach']));
    expect(details?.[0]?.allowed).not.toContain('ticket.*');
  });

  it('that fails is no failure of the endpoint, and works while it is paused', async () => {
    receiver.answer(500);
    (await workspace.api.patch(at(''), { is_active: false })).expect(200);
    expect((await workspace.api.post(at('/test'))).expect(200).data).toMatchObject({
      status: 'failed',
      response_status: 500,
    });
    expect((await workspace.api.get(at(''))).data).toMatchObject({
      failure_count: 0,
      last_failure_at: null,
      status: 'paused',
    });
  });
});

describe('redelivering', () => {
  it('makes one more attempt with the same ids and bytes, outside the schedule', async () => {
    await company();
    await settled();
    const [{ id }] = (await deliveries()) as [Fields];
    receiver.answer(500);
    (await workspace.api.post(at(`/deliveries/${id}/redeliver`))).expect(202);
    await settled();
    const [delivery] = await deliveries();
    // It arrived before, and a failed attempt by hand has no consequences.
    expect(delivery).toMatchObject({ status: 'succeeded', attempt: 2, next_attempt_at: null, response_status: 500 });
    expect((delivery?.attempts as Fields[]).map(({ n, trigger }) => [n, trigger])).toEqual([
      [1, 'scheduled'],
      [2, 'manual'],
    ]);
    expect((await workspace.api.get(at(''))).data).toMatchObject({ failure_count: 0, status: 'active' });
    const [first, second] = receiver.received() as [Received, Received];
    expect(second.body).toBe(first.body);
    for (const name of ['webhook-id', 'x-service-delivery']) expect(second.headers[name]).toBe(first.headers[name]);
    expect(second.headers['x-service-attempt']).toBe('2');
    expect(await sql.rows(`SELECT 1 FROM work WHERE workspace_id = $1`, [workspace.id])).toEqual([]);
  });

  it('that succeeds makes the scheduled attempts unnecessary', async () => {
    receiver.answer(503);
    await company();
    await settled();
    const [{ id, status }] = (await deliveries('?status=retrying')) as [Fields];
    expect(status).toBe('retrying');
    receiver.answer(200);
    (await workspace.api.post(at(`/deliveries/${id}/redeliver`))).expect(202);
    await settled();
    expect((await deliveries())[0]).toMatchObject({ status: 'succeeded', attempt: 2, next_attempt_at: null });
    expect(await sql.rows(`SELECT 1 FROM work WHERE workspace_id = $1`, [workspace.id])).toEqual([]);
    expect((await workspace.api.get(at(''))).data).toMatchObject({ failure_count: 0 });
  });
});

describe('recovering and replaying', () => {
  it('touch only what lies in the span of time and was asked for', async () => {
    const id = await company('First');
    await settled();
    (await workspace.api.patch(`/companies/${id}`, { name: 'Second' })).expect(200);
    await settled();
    const ids = (await deliveries('?sort=created_at')).map(({ event_id }) => event_id as string);
    const [updated] = await sql.rows<{ created_at: Date }>(
      `UPDATE events SET created_at = created_at + interval '1 minute' WHERE workspace_id = $1 AND uid = $2 RETURNING created_at`,
      [workspace.id, ids[1]],
    );
    const moment = updated?.created_at.toISOString() ?? '';
    const later = new Date(Date.parse(moment) + 60_000).toISOString();
    const replay = async (body: object): Promise<unknown> =>
      (await workspace.api.post(at('/replay'), body)).expect(202).data.queued;
    expect(await replay({ since: moment, until: later })).toBe(1);
    expect(await replay({ since: '2020-01-01T00:00:00Z', until: moment })).toBe(1);
    await settled();
    expect(await replay({ since: '2020-01-01T00:00:00Z', until: later, events: ['company.created'] })).toBe(1);
    expect(await replay({ since: '2020-01-01T00:00:00Z', until: later, events: ['ticket.*'] })).toBe(0);
    await settled();
    const got = receiver.received().map(({ headers }) => headers['webhook-id']);
    expect(got.filter((each) => each === ids[0])).toHaveLength(3);
    expect(got.filter((each) => each === ids[1])).toHaveLength(2);
  });

  it('heeds the filter, and leaves alone what is still under way', async () => {
    const conditions = { all: [{ field: 'company.name', operator: 'eq', value: 'Wanted' }] };
    await company('Wanted');
    await company('Unwanted');
    await settled();
    (await workspace.api.patch(at(''), { filter: { conditions } })).expect(200);
    receiver.answer(500);
    receiver.forget();
    const since = '2020-01-01T00:00:00Z';
    expect((await workspace.api.post(at('/replay'), { since })).data.queued).toBe(1);
    await settled();
    expect(receiver.received()).toHaveLength(1);
    expect((await workspace.api.post(at('/replay'), { since })).data.queued).toBe(0);
  });

  it.each([
    [{}, ['since']],
    [{ since: 'yesterday' }, ['since']],
    [{ since: '2999-01-01T00:00:00Z' }, ['since']],
    [{ since: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' }, ['since']],
    [{ since: '2026-01-02T00:00:00Z', until: 7 }, ['until']],
  ])('refuse %j', async (body, fields) => {
    for (const path of ['/recover', '/replay']) {
      expect(Object.keys((await workspace.api.post(at(path), body)).expect(422).codes)).toEqual(fields);
    }
    const unknown = await workspace.api.post(at('/replay'), { since: '2020-01-01T00:00:00Z', events: ['zzz'] });
    expect([unknown.status, Object.keys(unknown.codes)]).toEqual([422, ['events']]);
  });
});

describe('the list of deliveries', () => {
  it('filters by status, event, response status and moment', async () => {
    receiver.answer(({ body }) => (body.includes('"Bad"') ? 500 : 204));
    // One after the other, so that they differ in their moments.
    await company('Good');
    await settled();
    await company('Bad');
    await settled();
    const [bad, good] = (await deliveries()) as [Fields, Fields];
    const ids = async (query: string): Promise<number[]> => (await deliveries(query)).map(({ id }) => id);
    expect(await ids('?status=retrying')).toEqual([bad.id]);
    expect(await ids('?status=succeeded,delivering')).toEqual([good.id]);
    expect(await ids('?status=pending,delivering,failed,cancelled')).toEqual([]);
    expect(await ids('?response_status=500')).toEqual([bad.id]);
    expect(await ids('?response_status=gte:200')).toEqual([bad.id, good.id]);
    expect(await ids('?event=company.*')).toEqual([bad.id, good.id]);
    expect(await ids('?event=company.deleted')).toEqual([]);
    expect(await ids(`?created_after=${good.created_at as string}&sort=created_at`)).toEqual([bad.id]);
    for (const query of ['?status=done', '?event=zzz', '?response_status=x', '?updated_after=2026-01-01']) {
      expect((await workspace.api.get(at(`/deliveries${query}`))).status).toBe(422);
    }
    expect((await workspace.api.get(at('/stats'))).expect(200).data).toEqual({
      success: 1,
      failed: 0,
      pending: 1,
      p50_ms: expect.any(Number) as number,
      p95_ms: expect.any(Number) as number,
      consecutive_failures: 1,
    });
  });

  it('belongs to one endpoint of one workspace', async () => {
    await company();
    await settled();
    const [{ id }] = (await deliveries()) as [Fields];
    const other = await subscribe(workspace, receiver.at('/other'), ['quota.warning']);
    const stranger = await makeWorkspace(server);
    const strangers = await subscribe(stranger, receiver.at('/strangers'), ['*']);
    const since = '2020-01-01T00:00:00Z';
    for (const [api, webhook] of [
      [workspace.api, other.id],
      [stranger.api, endpoint.id],
      [stranger.api, strangers.id],
    ] as const) {
      expect((await api.get(`/webhooks/${webhook}/deliveries/${id}`)).status).toBe(404);
      expect((await api.post(`/webhooks/${webhook}/deliveries/${id}/redeliver`)).status).toBe(404);
    }
    for (const path of ['/deliveries', '/stats']) expect((await stranger.api.get(at(path))).status).toBe(404);
    for (const path of ['/test', '/rotate-secret']) expect((await stranger.api.post(at(path), {})).status).toBe(404);
    for (const path of ['/recover', '/replay']) expect((await stranger.api.post(at(path), { since })).status).toBe(404);
    await settled();
    expect(receiver.received('/strangers').filter(({ body }) => body.includes('"company'))).toEqual([]);
  });

  it('is kept for 30 days', async () => {
    await company('Old');
    await settled();
    await company('New');
    await settled();
    const [, old] = (await deliveries()) as [Fields, Fields];
    await sql.rows(`UPDATE webhook_deliveries SET created_at = now() - interval '30 days 1 minute' WHERE id = $1`, [
      old.id,
    ]);
    await server.app.get(Database).system(() => server.app.get(DeliveryRetention).run());
    expect((await deliveries()).map(({ id }) => id)).not.toContain(old.id);
    expect(await deliveries()).toHaveLength(1);
  });
});
