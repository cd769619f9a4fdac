import type { Api, Fields } from '../support/api';
import { useApp } from '../support/app';
import { make, makeTicket } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { useSql } from '../support/sql';
import { targets } from '../support/sla';
import { until } from '../support/until';
import { runJob } from '../support/jobs';
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

async function makePolicy(name: string, body: object = {}): Promise<Fields> {
  return (await api.post('/sla', { name, targets: targets(10, 20), ...body })).expect(201).data;
}

async function standard(): Promise<Fields> {
  const [policy] = (await api.get('/sla?is_default=true')).rows;
  if (!policy) throw new Error('There is no default policy.');
  return policy;
}

const ticketOf = async (id: number): Promise<Fields> => (await api.get(`/tickets/${id}`)).expect(200).data;
const minutesAllowed = ({ created_at, sla_due_at }: Fields): number =>
  (Date.parse(sla_due_at as string) - Date.parse(created_at as string)) / MINUTE_MS;

/** Waits until the background has no recomputation left to do in the workspace. */
async function recomputed(): Promise<void> {
  await until('the recomputation is done', async () => {
    const rows = await sql.rows(`SELECT 1 FROM work WHERE workspace_id = $1 AND kind = 'sla_recompute'`, [
      workspace.id,
    ]);
    return rows.length === 0;
  });
}

describe('an edited policy', () => {
  it('is followed by its open tickets, elapsed time kept, and by no others', async () => {
    const policy = await standard();
    const [open, held, done] = [
      await makeTicket(api),
      await makeTicket(api, { status: 'on_hold' }),
      await makeTicket(api, { status: 'resolved' }),
    ];
    const answer = (await api.patch(`/sla/${policy.id}`, { targets: targets(30, 60) })).expect(200);
    expect(answer.meta).toMatchObject({ recalculation_job_id: expect.any(Number) as number });
    await recomputed();
    expect(minutesAllowed(await ticketOf(open.id))).toBe(60);
    expect(await ticketOf(held.id)).toMatchObject({ sla_due_at: null, sla_status: 'paused' });
    expect((await ticketOf(done.id)).sla_due_at).toBe(done.sla_due_at);
    // Nothing of the hour has passed yet, however long the ticket was held.
    const resumed = (await api.patch(`/tickets/${held.id}`, { status: 'open' })).expect(200).data;
    const left = Date.parse(resumed.sla_due_at as string) - Date.parse(resumed.updated_at as string);
    expect(left / MINUTE_MS).toBeCloseTo(60, 0);
    const events = await eventsOf(server, workspace, 'ticket', open.id);
    expect(events.map(({ type }) => type)).toEqual(['ticket.created', 'ticket.updated']);
    expect(events[1]?.changes?.sla_due_at).toEqual({ from: open.sla_due_at, to: (await ticketOf(open.id)).sla_due_at });
    const ofDone = await eventsOf(server, workspace, 'ticket', done.id);
    expect(ofDone.map(({ type }) => type)).toEqual(['ticket.created', 'ticket.sla_met']);
    const { history } = (await api.get(`/tickets/${open.id}/sla`)).data as unknown as { history: Fields[] };
    expect(history.filter(({ change }) => change === 'recomputed')).toMatchObject([
      { metric: 'first_response', cause: 'policy' },
      { metric: 'resolution', cause: 'policy', old_due_at: open.sla_due_at },
    ]);
  });

  it('of which only the name changed starts no recomputation', async () => {
    const { id } = await standard();
    const answer = (await api.patch(`/sla/${id}`, { name: 'Usual', description: 'The usual one' })).expect(200);
    expect(answer.meta).not.toHaveProperty('recalculation_job_id');
  });

  it('breaches what it makes late, at the time of the edit', async () => {
    const policy = await standard();
    const { id } = await makeTicket(api);
    await sql.rows(
      `UPDATE sla_clocks SET started_at = started_at - interval '2 hours', due_at = due_at - interval '2 hours',
         at_risk_at = at_risk_at - interval '2 hours', next_check_at = next_check_at - interval '2 hours' WHERE ticket_id = $1`,
      [id],
    );
    const before = Date.now();
    (await api.patch(`/sla/${policy.id}`, { targets: targets(30, 60) })).expect(200);
    await recomputed();
    const { clocks } = (await api.get(`/tickets/${id}/sla`)).data as unknown as { clocks: Fields[] };
    for (const { outcome, breached_at } of clocks) {
      expect(outcome).toBe('breached');
      expect(Date.parse(breached_at as string)).toBeGreaterThanOrEqual(before);
    }
    const told = (await eventsOf(server, workspace, 'ticket', id)).filter(({ type }) => type === 'ticket.sla_breach');
    expect(told.map(({ related }) => (related?.sla as { clocks: unknown[] }).clocks.length)).toEqual([2]);
  });

  it('swapped from always to business hours counts elapsed time anew', async () => {
    const { id } = await standard();
    const ticket = await makeTicket(api, { priority: 'low' });
    const now = new Date();
    const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
    const day = days[(now.getUTCDay() + 3) % 7] ?? 'mon';
    const schedule = { mode: 'business_hours', timezone: 'UTC', weekly: { [day]: [['00:00', '24:00']] } };
    (await api.patch(`/sla/${id}`, { schedule })).expect(200);
    await recomputed();
    const due = new Date((await ticketOf(ticket.id)).sla_due_at as string);
    // 72 hours of one working day a week: the third one, to its last moment.
    const third = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 3 + 15);
    expect(due.toISOString()).toBe(new Date(third).toISOString());
  });
});

describe('a deleted policy', () => {
  it('leaves its tickets to the next that applies, its company to none', async () => {
    const policy = await makePolicy('Gold');
    const company = await make(api, '/companies', { sla_policy_id: policy.id });
    const { id } = await makeTicket(api, { company_id: company.id });
    expect(minutesAllowed(await ticketOf(id))).toBe(20);
    expect((await api.get(`/sla/${policy.id}`)).data.ticket_count).toBe(1);
    const answer = (await api.delete(`/sla/${policy.id}?reassign_to=none`)).expect(200);
    expect(answer.meta).toHaveProperty('recalculation_job_id');
    await recomputed();
    const { policy: now, clocks } = (await api.get(`/tickets/${id}/sla`)).data as unknown as {
      policy: Fields;
      clocks: Fields[];
    };
    expect(now).toMatchObject({ name: 'Standard', matched_by: 'default' });
    expect(clocks.map(({ metric, instance, outcome }) => [metric, instance, outcome])).toEqual([
      ['first_response', 1, 'active'],
      ['resolution', 1, 'active'],
    ]);
    expect(minutesAllowed(await ticketOf(id))).toBe(1_440);
    expect((await api.get(`/companies/${company.id}`)).data.sla_policy_id).toBeNull();
    const [event] = (await eventsOf(server, workspace, 'company', company.id)).slice(-1);
    expect([event?.type, event?.changes?.sla_policy_id]).toEqual(['company.updated', { from: policy.id, to: null }]);
  });
});

it('compliance is that of the last 30 days', async () => {
  const policy = await standard();
  const answered = await makeTicket(api);
  (await api.post(`/tickets/${answered.id}/comments`, { body: 'Hello' })).expect(201);
  const late = await makeTicket(api);
  await sql.rows(
    `UPDATE sla_clocks SET due_at = now() - interval '1 minute', at_risk_at = now() - interval '2 minutes', at_risk_notified = true,
       next_check_at = now() - interval '1 minute' WHERE ticket_id = $1 AND metric = 'first_response'`,
    [late.id],
  );
  await runJob(server, 'sla-sweep');
  await until('the breach counts', async () => (await api.get(`/sla/${policy.id}`)).data.compliance_30d === 50);
  await sql.rows(`UPDATE sla_clocks SET decided_at = now() - interval '31 days' WHERE ticket_id = $1`, [late.id]);
  expect((await api.get(`/sla/${policy.id}`)).data.compliance_30d).toBe(100);
});
