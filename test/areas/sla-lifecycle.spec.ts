import type { Api, Fields } from '../support/api';
import { useApp } from '../support/app';
import { make, makeTicket } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { useSql } from '../support/sql';
import { detailOf, pass, targets } from '../support/sla';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
let workspace: TestWorkspace;
let api: Api;
beforeEach(async () => {
  workspace = await makeWorkspace(server);
  ({ api } = workspace);
});

const MINUTE_MS = 60_000;

const ticketOf = async (id: number): Promise<Fields> => (await api.get(`/tickets/${id}`)).expect(200).data;
const comment = async (id: number, body: object = {}): Promise<Fields> =>
  (await api.post(`/tickets/${id}/comments`, { body: 'Hello', ...body })).expect(201).data;
const reply = (id: number): Promise<Fields> => comment(id, { author_type: 'requester' });
const set = async (id: number, body: object): Promise<Fields> =>
  (await api.patch(`/tickets/${id}`, body)).expect(200).data;

const clockOf = async (id: number, metric: string): Promise<Fields & { pauses: Fields[] }> => {
  const found = (await detailOf(api, id)).clocks.findLast((clock) => clock.metric === metric);
  if (!found) throw new Error(`There is no ${metric} clock.`);
  return found;
};
const typesOf = async (id: number): Promise<string[]> =>
  (await eventsOf(server, workspace, 'ticket', id)).map(({ type }) => type).filter((type) => type.includes('sla_'));

describe('a pause', () => {
  it('moves the resolution by its length, counts apart, and tells when it begins and ends', async () => {
    const ticket = await makeTicket(api, { priority: 'urgent' });
    const { id } = ticket;
    expect(await set(id, { status: 'on_hold' })).toMatchObject({
      sla_status: 'paused',
      sla_due_at: null,
      first_response_due_at: ticket.first_response_due_at,
      next_sla_due_at: ticket.first_response_due_at,
    });
    await pass(sql, id, 30);
    const held = await clockOf(id, 'resolution');
    expect([held.outcome, held.due_at, held.pauses.length, held.pauses[0]?.to]).toEqual(['paused', null, 1, null]);
    expect(Math.round((held.pauses[0]?.working_seconds as number) / 60)).toBe(30);
    const resumed = await set(id, { status: 'in_progress' });
    const allowed = Date.parse(resumed.sla_due_at as string) - Date.parse(resumed.created_at as string);
    expect(Math.round(allowed / MINUTE_MS)).toBe(240 + 30);
    expect(await typesOf(id)).toEqual(['ticket.sla_paused', 'ticket.sla_resumed']);
    const { history } = await detailOf(api, id);
    expect(history.filter(({ metric }) => metric === 'resolution').map(({ change, cause }) => [change, cause])).toEqual(
      [
        ['started', 'created'],
        ['paused', 'status'],
        ['resumed', 'status'],
      ],
    );
  });

  it('is kept through changes of priority, up and down', async () => {
    const { id } = await makeTicket(api);
    await comment(id);
    await set(id, { status: 'on_hold' });
    await pass(sql, id, 60);
    expect(await set(id, { priority: 'urgent' })).toMatchObject({ sla_status: 'paused', sla_due_at: null });
    await set(id, { priority: 'low' });
    const resumed = await set(id, { status: 'open', priority: 'high' });
    const allowed = Date.parse(resumed.sla_due_at as string) - Date.parse(resumed.created_at as string);
    expect(Math.round(allowed / MINUTE_MS)).toBe(480 + 60);
    expect(await clockOf(id, 'resolution')).toMatchObject({ priority_applied: 'high', target_minutes: 480 });
  });
});

describe('a ticket that is resolved, reopened and resolved', () => {
  it('goes on with the same resolution clock, the time as resolved apart', async () => {
    const ticket = await makeTicket(api, { priority: 'urgent' });
    const { id } = ticket;
    const first = await set(id, { status: 'resolved' });
    expect(first).toMatchObject({ sla_status: 'met', sla_due_at: ticket.sla_due_at });
    await pass(sql, id, 120);
    const reopened = await set(id, { status: 'open' });
    expect(reopened).toMatchObject({ sla_status: 'on_track', first_resolved_at: first.first_resolved_at });
    const clock = await clockOf(id, 'resolution');
    expect([clock.instance, clock.outcome, clock.pauses.map(({ kind }) => kind)]).toEqual([1, 'active', ['resolved']]);
    const allowed = Date.parse(reopened.sla_due_at as string) - Date.parse(reopened.created_at as string);
    expect(Math.round(allowed / MINUTE_MS)).toBe(240 + 120);
    expect((await set(id, { status: 'closed' })).sla_status).toBe('met');
    expect(await typesOf(id)).toEqual(['ticket.sla_met', 'ticket.sla_resumed', 'ticket.sla_met']);
  });

  it('by a comment of the requester, who then waits for the next response', async () => {
    const [policy] = (await api.get('/sla')).rows;
    (await api.patch(`/sla/${policy?.id}`, { targets: targets(60, 240, 30) })).expect(200);
    const { id } = await makeTicket(api, { status: 'resolved' });
    await reply(id);
    expect((await detailOf(api, id)).clocks.map(({ metric, outcome }) => [metric, outcome])).toEqual([
      ['first_response', 'met'],
      ['resolution', 'active'],
      ['next_response', 'active'],
    ]);
  });
});

describe('nothing more is promised', () => {
  it('to a merged ticket', async () => {
    const [from, into] = [await makeTicket(api), await makeTicket(api)];
    (await api.post(`/tickets/${from.id}/merge`, { into_id: into.id })).expect(200);
    expect((await detailOf(api, from.id)).clocks.map(({ outcome }) => outcome)).toEqual(['cancelled', 'cancelled']);
    expect(await ticketOf(from.id)).toMatchObject({ sla_status: 'none', sla_due_at: null, next_sla_due_at: null });
    expect(await typesOf(from.id)).toEqual([]);
    expect((await detailOf(api, into.id)).sla_status).toBe('on_track');
  });

  it('to a merged ticket, until the other is gone and it is opened again', async () => {
    const [from, into] = [await makeTicket(api, { priority: 'urgent' }), await makeTicket(api)];
    (await api.post(`/tickets/${from.id}/merge`, { into_id: into.id })).expect(200);
    (await api.delete(`/tickets/${into.id}`)).expect(200);
    expect(await ticketOf(from.id)).toMatchObject({ status: 'closed', merged_into_id: null, sla_status: 'none' });
    await reply(from.id);
    const reopened = await ticketOf(from.id);
    expect(reopened).toMatchObject({ status: 'open', sla_status: 'on_track' });
    const { clocks } = await detailOf(api, from.id);
    expect(clocks.map(({ metric, instance, outcome }) => [metric, instance, outcome])).toEqual([
      ['first_response', 1, 'cancelled'],
      ['resolution', 1, 'cancelled'],
      ['first_response', 2, 'active'],
      ['resolution', 2, 'active'],
    ]);
    const allowed = Date.parse(reopened.sla_due_at as string) - Date.parse(clocks[3]?.started_at as string);
    expect([allowed / MINUTE_MS, clocks[3]?.started_at]).toEqual([240, reopened.updated_at]);
    await comment(from.id);
    expect((await set(from.id, { status: 'resolved' })).sla_status).toBe('met');
  });

  it('to a deleted one, whose clocks go with it', async () => {
    const { id } = await makeTicket(api);
    (await api.delete(`/tickets/${id}`)).expect(200);
    for (const table of ['sla_clocks', 'sla_history', 'sla_escalations']) {
      expect(await sql.rows(`SELECT 1 FROM ${table} WHERE ticket_id = $1`, [id])).toEqual([]);
    }
  });
});

describe('an escalation', () => {
  it('to a higher priority that is already late breaches at once, at the time of the escalation', async () => {
    const { id } = await makeTicket(api, { priority: 'high' });
    await comment(id);
    await pass(sql, id, 300);
    const before = Date.now();
    const { data } = (await api.post(`/tickets/${id}/escalate`)).expect(200);
    expect(data).toMatchObject({ priority: 'urgent', sla_status: 'breached' });
    const clock = await clockOf(id, 'resolution');
    expect(clock).toMatchObject({ outcome: 'breached', target_minutes: 240 });
    expect(Date.parse(clock.breached_at as string)).toBeGreaterThanOrEqual(before);
    const types = (await eventsOf(server, workspace, 'ticket', id)).slice(-2).map(({ type }) => type);
    expect(types).toEqual(['ticket.escalated', 'ticket.sla_breach']);
  });
});

it('a change of company brings its policy, elapsed time kept', async () => {
  const gold = (
    await api.post('/sla', {
      name: 'Gold',
      targets: targets(5, 600),
      is_active: true,
      position: 9,
      starts_on: '2020-01-01',
    })
  ).data;
  const company = await make(api, '/companies', { sla_policy_id: gold.id });
  (
    await api.patch(`/sla/${gold.id}`, {
      conditions: { all: [{ field: 'tags', operator: 'has_any', value: ['gold'] }] },
    })
  ).expect(200);
  const { id } = await makeTicket(api);
  await pass(sql, id, 10);
  const moved = await set(id, { company_id: company.id });
  const allowed = Date.parse(moved.sla_due_at as string) - Date.parse(moved.created_at as string);
  expect([moved.sla_policy_id, allowed / MINUTE_MS, moved.sla_status]).toEqual([gold.id, 600, 'breached']);
  expect((await detailOf(api, id)).policy).toMatchObject({ name: 'Gold', matched_by: 'company' });
});

describe('reads', () => {
  it('tell what time did before any worker noticed', async () => {
    const { id } = await makeTicket(api, { priority: 'urgent' });
    // First, so that no sweep finds anything to do in between.
    await sql.rows(`UPDATE sla_clocks SET next_check_at = NULL WHERE ticket_id = $1`, [id]);
    await pass(sql, id, 50);
    expect(await ticketOf(id)).toMatchObject({ sla_status: 'at_risk' });
    await pass(sql, id, 20);
    expect(await ticketOf(id)).toMatchObject({ sla_status: 'breached' });
    expect(await detailOf(api, id)).toMatchObject({ sla_status: 'breached' });
    expect(await sql.rows(`SELECT sla_status FROM tickets WHERE id = $1`, [id])).toEqual([{ sla_status: 'on_track' }]);
    expect(await typesOf(id)).toEqual([]);
  });

  it('sort by the next due moment of any kind, nulls last', async () => {
    const [low, urgent, done] = [
      await makeTicket(api, { priority: 'low' }),
      await makeTicket(api, { priority: 'urgent' }),
      await makeTicket(api, { status: 'closed' }),
    ];
    const sorted = async (sort: string): Promise<number[]> =>
      (await api.get(`/tickets?sort=${sort}`)).rows.map(({ id }) => id);
    expect(await sorted('next_sla_due_at')).toEqual([urgent.id, low.id, done.id]);
    expect(await sorted('-next_sla_due_at')).toEqual([low.id, urgent.id, done.id]);
  });
});

describe('simulation', () => {
  it('answers what the policy would make of a story, and stores nothing', async () => {
    const [policy] = (await api.get('/sla')).rows;
    const story = {
      created_at: '2026-10-20T08:00:00.000Z',
      priority: 'urgent',
      timeline: [
        { at: '2026-10-20T08:30:00.000Z', comment: { author: 'agent' } },
        { at: '2026-10-20T09:00:00.000Z', status: 'on_hold' },
        { at: '2026-10-20T11:00:00.000Z', status: 'open' },
      ],
    };
    const { data } = (await api.post(`/sla/${policy?.id}/simulate`, story)).expect(200);
    expect(data).toMatchObject({
      sla_due_at: '2026-10-20T14:00:00.000Z',
      first_response_due_at: '2026-10-20T09:00:00.000Z',
    });
    expect((await api.get('/tickets')).rows).toEqual([]);
    expect((await api.post(`/sla/${Number(policy?.id) + 1_000_000}/simulate`, story)).status).toBe(404);
    expect((await api.post(`/sla/${policy?.id}/simulate`, {})).status).toBe(422);
  });
});
