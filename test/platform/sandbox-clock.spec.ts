import { advanced, isAdvance, momentOf } from '../../src/areas/sandbox/clock-target';
import { Database } from '../../src/platform/database/database';
import { Sandboxes } from '../../src/platform/database/sandboxes';
import { PublicLinks } from '../../src/platform/secrets/public-links';
import { useApp } from '../support/app';
import { makeRule, runsOf } from '../support/automations';
import { makeTicket } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { useReceiver } from '../support/receiver';
import { letPass, rested } from '../support/sandbox';
import { targets } from '../support/sla';
import { useSql } from '../support/sql';
import { subscribe } from '../support/webhooks';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
const receiver = useReceiver();
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
let sandbox: TestWorkspace;
let ordinary: TestWorkspace;

beforeEach(async () => {
  sandbox = await makeWorkspace(server, { sandbox: true });
  ordinary = await makeWorkspace(server);
});

const shown = async ({ api }: TestWorkspace): Promise<Record<string, unknown>> =>
  (await api.get('/sandbox/clock')).expect(200).data;
const ticketOf = async ({ api }: TestWorkspace, id: number): Promise<Record<string, unknown>> =>
  (await api.get(`/tickets/${id}`)).expect(200).data;

describe('the clock of a sandbox', () => {
  it('goes forward, and all that is written there is dated by it; nothing elsewhere is', async () => {
    // It is busy for a moment with the events of its own beginning.
    await rested(sandbox);
    expect(await shown(sandbox)).toMatchObject({ is_sandbox: true, ahead_seconds: 0 });
    const moved = (await sandbox.api.post('/sandbox/clock', { advance: 'P10DT4H' })).expect(200);
    expect(moved.data).toMatchObject({ is_sandbox: true, ahead_seconds: (10 * 24 + 4) * 3_600 });
    const after = Date.now() + 10 * DAY_MS + 3 * HOUR_MS;
    const ticket = await makeTicket(sandbox.api);
    expect(Date.parse(ticket.created_at as string)).toBeGreaterThan(after);
    const changed = (await sandbox.api.patch(`/tickets/${ticket.id}`, { priority: 'high' })).expect(200).data;
    expect(Date.parse(changed.updated_at as string)).toBeGreaterThan(after);
    const [entry] = (await sandbox.api.get(`/tickets/${ticket.id}/history`)).rows;
    expect(Date.parse(entry?.created_at as string)).toBeGreaterThan(after);
    const other = await makeTicket(ordinary.api);
    expect(Date.parse(other.created_at as string)).toBeLessThan(after);
    expect(await shown(ordinary)).toMatchObject({ is_sandbox: false, ahead_seconds: 0 });
    const [told] = await eventsOf(server, sandbox, 'sandbox', sandbox.id);
    expect(told).toMatchObject({ type: 'sandbox.clock_moved', data: { ahead_seconds: (10 * 24 + 4) * 3_600 } });
  });

  it('is set to a moment, and shows it from there on', async () => {
    const set = new Date(Math.ceil(Date.now() / DAY_MS + 30) * DAY_MS + 9 * HOUR_MS).toISOString();
    expect((await sandbox.api.post('/sandbox/clock', { set })).expect(200).data).toMatchObject({ now: set });
    const { created_at } = await makeTicket(sandbox.api);
    expect(String(created_at) >= set).toBe(true);
    expect(Date.parse(String(created_at)) - Date.parse(set)).toBeLessThan(HOUR_MS);
  });

  it('does not go backwards, too far, both ways at once or in an ordinary workspace', async () => {
    (await sandbox.api.post('/sandbox/clock', { advance: 3_600 })).expect(200);
    const refused = async (body: object): Promise<unknown> => (await sandbox.api.post('/sandbox/clock', body)).codes;
    expect(await refused({ set: new Date().toISOString() })).toEqual({ set: 'min' });
    expect(await refused({ set: '9999-01-01T00:00:00Z' })).toEqual({ set: 'max' });
    expect(await refused({ advance: 'P10Y1M' })).toEqual({ advance: 'max' });
    expect(await refused({})).toEqual({ advance: 'required' });
    expect(await refused({ advance: 1, set: '2040-01-01T00:00:00Z' })).toEqual({ set: 'conflict' });
    for (const advance of [
      0,
      -1,
      1.5,
      '',
      'PT0S',
      'P',
      'PT',
      '-PT1H',
      'PT1H-1M',
      'P99999999999Y',
      '4h',
      true,
      {},
      null,
    ])
      expect([advance, (await sandbox.api.post('/sandbox/clock', { advance })).status]).toEqual([advance, 422]);
    expect((await ordinary.api.post('/sandbox/clock', { advance: 1 })).error.type).toBe('conflict');
    expect(await shown(sandbox)).toMatchObject({ ahead_seconds: 3_600 });
  });

  it('is moved once by a request that is repeated, and not at all by one that knows another state', async () => {
    const { api } = sandbox;
    const key = { 'idempotency-key': 'move-1' };
    const first = (await api.post('/sandbox/clock', { advance: 'P3D' }, key)).expect(200);
    const again = (await api.post('/sandbox/clock', { advance: 'P3D' }, key)).expect(200);
    expect(again.text).toBe(first.text);
    expect(await shown(sandbox)).toMatchObject({ ahead_seconds: 3 * 86_400 });
    const stale = { 'if-match': '"99"' };
    expect((await api.post('/sandbox/clock', { advance: 1 }, stale)).status).toBe(412);
    const known = (await api.get('/sandbox/clock')).header('etag') ?? '';
    (await api.post('/sandbox/clock', { advance: 1 }, { 'if-match': known })).expect(200);
  });

  it('makes promises of SLAs come due, there alone', async () => {
    const late: string[] = [];
    for (const { api } of [sandbox, ordinary]) await api.post('/sla', { name: 'Fast', targets: targets(30, 120) });
    const [here, there] = [await makeTicket(sandbox.api), await makeTicket(ordinary.api)];
    await letPass(sandbox, 'PT1H');
    for (const { type } of await eventsOf(server, sandbox, 'ticket', here.id)) late.push(type);
    expect(late).toContain('ticket.sla_breach');
    expect((await ticketOf(sandbox, here.id)).sla_status).toBe('breached');
    expect((await ticketOf(ordinary, there.id)).sla_status).toBe('on_track');
  });

  it('wakes what is on hold and closes what is resolved', async () => {
    const until = new Date(Date.now() + 2 * DAY_MS).toISOString();
    const body = { status: 'on_hold', on_hold_reason: 'customer', on_hold_until: until };
    const [held, resolved] = [
      await makeTicket(sandbox.api, body),
      await makeTicket(sandbox.api, { status: 'resolved' }),
    ];
    await letPass(sandbox, 'P1D');
    expect((await ticketOf(sandbox, held.id)).status).toBe('on_hold');
    await letPass(sandbox, 'P1DT1M');
    expect((await ticketOf(sandbox, held.id)).status).toBe('open');
    expect((await ticketOf(sandbox, resolved.id)).status).toBe('resolved');
    await letPass(sandbox, 'P6D');
    expect((await ticketOf(sandbox, resolved.id)).status).toBe('closed');
  });

  it('lets schedules tick and what waits go on', async () => {
    const daily = await makeRule(sandbox, {
      name: 'Daily',
      trigger: { event: 'schedule', cron: '0 9 * * *', timezone: 'UTC', query: { status: 'open' } },
      actions: [{ type: 'add_tags', tags: 'daily' }],
    });
    await makeRule(sandbox, { delay_minutes: 90, actions: [{ type: 'add_tags', tags: 'waited' }] });
    const { id } = await makeTicket(sandbox.api);
    // The schedule is planned, and the rule waits.
    await letPass(sandbox, 1);
    expect((await ticketOf(sandbox, id)).tags).not.toContain('waited');
    await letPass(sandbox, 'PT2H');
    expect((await ticketOf(sandbox, id)).tags).toContain('waited');
    await letPass(sandbox, 'P1D');
    expect((await ticketOf(sandbox, id)).tags).toContain('daily');
    expect((await runsOf(sandbox, 'automations', daily.id)).length).toBeGreaterThan(0);
  });

  it('brings the next attempt of a webhook, and leaves those of others where they are', async () => {
    receiver.answer(500);
    receiver.forget();
    for (const workspace of [sandbox, ordinary]) {
      await subscribe(workspace, receiver.at(`/${workspace.id}`), ['company.created']);
      (await workspace.api.post('/companies', { name: 'Acme' })).expect(201);
      await rested(workspace);
    }
    const attempts = ({ id }: TestWorkspace): number => receiver.received(`/${id}`).length;
    expect([attempts(sandbox), attempts(ordinary)]).toEqual([1, 1]);
    await letPass(sandbox, 'PT1H');
    expect([attempts(sandbox), attempts(ordinary)]).toEqual([2, 1]);
    receiver.answer(204);
    await letPass(sandbox, 'P1D');
    expect([attempts(sandbox), attempts(ordinary)]).toEqual([3, 1]);
  });

  it('ends links and the memory of Idempotency-Keys', async () => {
    const { api, id } = sandbox;
    const key = { 'idempotency-key': 'ticket-1' };
    const first = (await api.post('/tickets', { subject: 'One' }, key)).expect(201).data;
    expect((await api.post('/tickets', { subject: 'One' }, key)).data.id).toBe(first.id);
    const target = { id: first.id, expiresAt: new Date(Date.now() + HOUR_MS) };
    const links = server.app.get(PublicLinks);
    const page = async (workspaceId: number): Promise<number> =>
      (await fetch(`${server.url}/p/rate/${links.token('rate', { ...target, workspaceId })}`)).status;
    const before = await page(id);
    await letPass(sandbox, 'P1DT1M');
    expect(before).not.toBe(404);
    expect(await page(id)).toBe(404);
    expect((await api.post('/tickets', { subject: 'Two' }, key)).expect(201).data.id).not.toBe(first.id);
  });

  it('is asked for in those alone where it was moved', async () => {
    // Not one of those that hear of others, which ask while any clock of the run is about to be moved.
    const elsewhere = new Sandboxes((text, values) => sql.rows(text, [...values]));
    await elsewhere.learn();
    expect([elsewhere.aheadMs(sandbox.id), elsewhere.aheadMs(ordinary.id)]).toEqual([0, 0]);
    (await ordinary.api.post('/sandbox/clock', { advance: 1 })).expect(409);
    (await sandbox.api.post('/sandbox/clock', { advance: 60 })).expect(200);
    const { sandboxes } = server.app.get(Database);
    expect(await sandboxes.aheadMs(sandbox.id)).toBe(60_000);
    expect(await sandboxes.aheadMs(ordinary.id)).toBe(0);
    await elsewhere.learn();
    expect(elsewhere.aheadMs(ordinary.id)).toBe(0);
    expect(await elsewhere.aheadMs(sandbox.id)).toBe(60_000);
  });

  it('is no more than a look at a setting where nothing was moved', async () => {
    const lines = await sql.rows<Record<'QUERY PLAN', string>>(
      `EXPLAIN (VERBOSE) SELECT workspace_clock.now() FROM generate_series(1, 2)`,
    );
    expect(lines.map((line) => line['QUERY PLAN']).join(' ')).toMatch(/Output: CASE WHEN \(current_setting\(/);
  });
});

describe('which workspaces are sandboxes', () => {
  it('is known without a question for all others', async () => {
    const ask = jest.fn().mockResolvedValue([{ workspace_id: 5, ahead_ms: 7 }]);
    const sandboxes = new Sandboxes(ask);
    expect(sandboxes.aheadMs(5)).toBe(0);
    expect(await sandboxes.ahead([4, 5, 6])).toEqual(new Map());
    expect([sandboxes.exist, ask.mock.calls.length]).toEqual([false, 0]);
    sandboxes.add(5);
    expect(sandboxes.aheadMs(4)).toBe(0);
    expect(await sandboxes.aheadMs(5)).toBe(7);
    expect(ask.mock.calls.map(([, values]) => values as unknown)).toEqual([[[5]]]);
  });

  it('is waited for where one may just have been made', async () => {
    let answer: (rows: object[]) => void = () => undefined;
    const ask = jest.fn().mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
    ask.mockResolvedValue([{ workspace_id: 5, ahead_ms: 7 }]);
    const sandboxes = new Sandboxes(ask);
    const learning = sandboxes.learn();
    const ahead = sandboxes.aheadMs(5);
    answer([{ workspace_id: 5 }]);
    expect(await ahead).toBe(7);
    await learning;
    expect(sandboxes.aheadMs(6)).toBe(0);
  });
});

describe('times to go forward by', () => {
  it('are ISO 8601 durations and whole seconds', () => {
    for (const good of [1, 315_619_200, 'PT1S', 'P1D', 'P2W', 'P1Y2M3DT4H5M6S', 'PT90M'])
      expect([good, isAdvance(good)]).toEqual([good, true]);
    for (const bad of [0, 315_619_201, NaN, 'P', 'PT', 'P1', '1D', 'P1H', 'PT1D', 'P-1D', 'P1D ', undefined, null, []])
      expect([bad, isAdvance(bad)]).toEqual([bad, false]);
    expect(advanced(Date.parse('2026-01-31T09:00:00Z'), 'P1M')).toBe(Date.parse('2026-02-28T09:00:00Z'));
    expect(advanced(5, 2)).toBe(2_005);
    expect(momentOf('nonsense')).toBeNaN();
  });
});
