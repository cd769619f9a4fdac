import { TICKET_STATUSES, type TicketStatus } from '../../src/areas/tickets/ticket-values';
import type { Answer, Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket, makeUser } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await makeWorkspace(server);
});

const typesOf = async (id: number): Promise<string[]> =>
  (await eventsOf(server, workspace, 'ticket', id)).map(({ type }) => type);

async function change(id: number, body: Record<string, unknown>): Promise<Fields> {
  return (await workspace.api.patch(`/tickets/${id}`, body)).expect(200).data;
}

const done = (status: string): boolean => status === 'resolved' || status === 'closed';

describe('the matrix of statuses', () => {
  const refused = new Set(['resolved>on_hold', 'closed>on_hold', 'closed>resolved']);
  const cells = TICKET_STATUSES.flatMap((from) => TICKET_STATUSES.map((to) => [from, to] as const));

  it.each(cells)('%s to %s', async (from, to) => {
    const before = await makeTicket(workspace.api, { status: from });
    const answer = await workspace.api.patch(`/tickets/${before.id}`, { status: to });
    // What is created as done has met its promises at once.
    const types = (await typesOf(before.id)).slice(done(from) ? 2 : 1);
    if (refused.has(`${from}>${to}`)) {
      expect([answer.status, answer.error.type, types]).toEqual([422, 'validation_error', []]);
      expect(answer.error.details?.[0]).toMatchObject({ field: 'status', code: 'invalid_transition', from, to });
      expect(answer.error.details?.[0]?.allowed).not.toContain(to);
      return;
    }
    expect([answer.status, answer.data.status]).toEqual([200, to]);
    if (from === to) {
      expect([types, answer.data]).toEqual([[], before]);
      return;
    }
    const reopened = done(from) && !done(to);
    const named = to === 'closed' ? ['ticket.closed'] : to === 'resolved' ? ['ticket.resolved'] : [];
    expect(types).toEqual([
      'ticket.updated',
      'ticket.status_changed',
      ...named,
      ...(reopened ? ['ticket.reopened'] : []),
      ...(to === 'on_hold' ? ['ticket.sla_paused'] : []),
      ...(reopened || (from === 'on_hold' && !done(to)) ? ['ticket.sla_resumed'] : []),
      ...(done(to) && !done(from) ? ['ticket.sla_met'] : []),
    ]);
    expect(answer.data).toMatchObject({
      resolved_at: done(to) ? (expect.any(String) as string) : null,
      closed_at: to === 'closed' ? (expect.any(String) as string) : null,
      reopened_count: reopened ? 1 : 0,
      sla_status: to === 'on_hold' ? 'paused' : done(to) ? 'met' : 'on_track',
    });
  });
});

describe('a change of status', () => {
  it('is one logical change: its events share a sequence and say from and to', async () => {
    const { id } = await makeTicket(workspace.api);
    await change(id, { status: 'resolved' });
    const events = (await eventsOf(server, workspace, 'ticket', id)).slice(1);
    expect(new Set(events.map((event) => event.sequence_id)).size).toBe(1);
    expect(events.map(({ position }) => position)).toEqual([1, 2, 3, 4]);
    for (const event of events) {
      expect(event.changes?.status).toEqual({ from: 'open', to: 'resolved' });
      expect(event.data.status).toBe('resolved');
    }
  });

  it('keeps the first moment of resolution, and the owner, through a reopening', async () => {
    const owner = (await workspace.api.post('/users', { name: 'Owner', email: 'owner@agents.example' })).data.id;
    const { id } = await makeTicket(workspace.api, { assigned_to: owner });
    const first = await change(id, { status: 'resolved' });
    expect(first.first_resolved_at).toBe(first.resolved_at);
    const reopened = await change(id, { status: 'in_progress' });
    expect(reopened).toMatchObject({ assigned_to: owner, resolved_at: null, first_resolved_at: first.resolved_at });
    const second = await change(id, { status: 'closed' });
    expect(second.first_resolved_at).toBe(first.resolved_at);
    expect(Date.parse(second.resolved_at as string)).toBeGreaterThan(Date.parse(first.resolved_at as string));
    expect(second).toMatchObject({ reopened_count: 1, closed_at: second.resolved_at });
  });

  it('at creation stamps what the status implies', async () => {
    const closed = await makeTicket(workspace.api, { status: 'closed' });
    for (const name of ['resolved_at', 'first_resolved_at', 'closed_at']) expect(closed[name]).toBe(closed.created_at);
    const resolved = await makeTicket(workspace.api, { status: 'resolved' });
    expect(resolved).toMatchObject({ resolved_at: resolved.created_at, closed_at: null, sla_status: 'met' });
    expect(await makeTicket(workspace.api, { status: 'on_hold' })).toMatchObject({
      sla_status: 'paused',
      sla_due_at: null,
    });
  });
});

describe('a ticket on hold', () => {
  it('has a reason and a date of return, which go when it leaves', async () => {
    const { id } = await makeTicket(workspace.api);
    const held = { on_hold_reason: 'third_party', on_hold_until: '2036-01-01T08:00:00.000Z' };
    expect(await change(id, { status: 'on_hold', ...held })).toMatchObject(held);
    expect(await change(id, { on_hold_reason: 'customer' })).toMatchObject({ ...held, on_hold_reason: 'customer' });
    expect(await change(id, { status: 'in_progress' })).toMatchObject({ on_hold_reason: null, on_hold_until: null });
  });

  it.each(['on_hold_reason', 'on_hold_until'])('alone has %s', async (name) => {
    const value = name === 'on_hold_reason' ? 'customer' : '2036-01-01T08:00:00.000Z';
    const created = await workspace.api.post('/tickets', { subject: 'x', [name]: value });
    expect([created.status, created.codes]).toEqual([422, { [name]: 'invalid' }]);
    const { id } = await makeTicket(workspace.api);
    const patched = await workspace.api.patch(`/tickets/${id}`, { [name]: value });
    expect([patched.status, patched.codes]).toEqual([422, { [name]: 'invalid' }]);
    const leaving = await makeTicket(workspace.api, { status: 'on_hold' });
    const left = await workspace.api.patch(`/tickets/${leaving.id}`, { status: 'open', [name]: value });
    expect([left.status, left.codes]).toEqual([422, { [name]: 'invalid' }]);
  });

  it('may be sent back whole with another status', async () => {
    const until = new Date(Date.now() + 3_600_000).toISOString();
    for (const status of ['in_progress', 'resolved']) {
      const held = { status: 'on_hold', on_hold_reason: 'customer', on_hold_until: until };
      const before = await makeTicket(workspace.api, held);
      const after = await change(before.id, { ...before, status });
      expect(after).toMatchObject({ status, on_hold_reason: null, on_hold_until: null });
      const again = await workspace.api.patch(`/tickets/${before.id}`, { on_hold_reason: 'customer' });
      expect([again.status, again.codes]).toEqual([422, { on_hold_reason: 'invalid' }]);
    }
    const { id } = await makeTicket(workspace.api, { status: 'on_hold', on_hold_until: until });
    const written = until.replace('Z', '+00:00');
    expect(await change(id, { status: 'open', on_hold_until: written })).toMatchObject({ on_hold_until: null });
  });

  it('resumes its clock later by the time it was held', async () => {
    const before = await makeTicket(workspace.api, { priority: 'urgent' });
    await change(before.id, { status: 'on_hold' });
    const held = new Date(Date.now() - 3_600_000).toISOString();
    await sql.rows(
      `UPDATE sla_clocks SET pauses = jsonb_set(pauses, '{0,from}', to_jsonb($2::text)) WHERE ticket_id = $1 AND outcome = 'paused'`,
      [before.id, held],
    );
    const after = await change(before.id, { status: 'open' });
    const moved = Date.parse(after.sla_due_at as string) - Date.parse(before.sla_due_at as string);
    expect(Math.round(moved / 60_000)).toBe(60);
    expect(after).toMatchObject({ first_response_due_at: before.first_response_due_at, sla_status: 'on_track' });
  });
});

describe('reopening', () => {
  const reopen = (id: number) => workspace.api.post(`/tickets/${id}/reopen`);

  it.each(['resolved', 'closed'])('brings back a ticket that is %s', async (status) => {
    const { id } = await makeTicket(workspace.api, { status });
    expect((await reopen(id)).expect(200).data).toMatchObject({ status: 'open', reopened_count: 1, closed_at: null });
    expect(await typesOf(id)).toEqual([
      'ticket.created',
      'ticket.sla_met',
      'ticket.updated',
      'ticket.status_changed',
      'ticket.reopened',
      'ticket.sla_resumed',
    ]);
  });

  it.each<TicketStatus>(['open', 'in_progress', 'on_hold'])('is refused for one that is %s', async (status) => {
    const { id } = await makeTicket(workspace.api, { status });
    const answer = await reopen(id);
    expect([answer.status, answer.codes]).toEqual([422, { status: 'invalid_transition' }]);
  });

  it('is refused after the window that the workspace sets, and only then', async () => {
    const other = await makeWorkspace(server);
    await sql.rows(`UPDATE workspaces SET settings = settings || '{"reopen_window_days": 3}' WHERE id = $1`, [
      other.id,
    ]);
    const { id } = await makeTicket(other.api, { status: 'closed' });
    const closedAgo = (days: number) =>
      sql.rows(`UPDATE tickets SET closed_at = now() - make_interval(days => $2, secs => -60) WHERE id = $1`, [
        id,
        days,
      ]);
    await closedAgo(4);
    const late = await other.api.patch(`/tickets/${id}`, { status: 'open' });
    expect([late.status, late.codes]).toEqual([422, { status: 'invalid_transition' }]);
    expect((await other.api.post(`/tickets/${id}/reopen`)).status).toBe(422);
    await closedAgo(3);
    expect((await other.api.patch(`/tickets/${id}`, { status: 'open' })).status).toBe(200);
  });

  it('excludes the time spent resolved from the clock', async () => {
    const before = await makeTicket(workspace.api);
    await change(before.id, { status: 'resolved' });
    await sql.rows(
      `UPDATE sla_clocks SET fulfilled_at = fulfilled_at - interval '2 hours' WHERE ticket_id = $1 AND metric = 'resolution'`,
      [before.id],
    );
    const after = await change(before.id, { status: 'open' });
    const moved = Date.parse(after.sla_due_at as string) - Date.parse(before.sla_due_at as string);
    expect(Math.round(moved / 60_000)).toBe(120);
  });
});

describe('a workspace that starts work on assignment', () => {
  it('moves an open ticket to in_progress when it is given to someone, unless the request says otherwise', async () => {
    const { api, id: workspaceId } = await makeWorkspace(server);
    await sql.rows(`UPDATE workspaces SET settings = settings || '{"auto_start_on_assign": true}' WHERE id = $1`, [
      workspaceId,
    ]);
    const user_id = (await makeUser(api)).id;
    const statusAfter = async (status: string, send: (path: string) => Promise<Answer>): Promise<unknown> => {
      const { id } = await makeTicket(api, { status });
      return (await send(`/tickets/${id}`)).expect(200).data.status;
    };
    expect(await statusAfter('open', (path) => api.post(`${path}/assign`, { user_id }))).toBe('in_progress');
    expect(await statusAfter('open', (path) => api.patch(path, { assigned_to: user_id }))).toBe('in_progress');
    expect(await statusAfter('on_hold', (path) => api.post(`${path}/assign`, { user_id }))).toBe('on_hold');
    const closing = { assigned_to: user_id, status: 'resolved' };
    expect(await statusAfter('open', (path) => api.patch(path, closing))).toBe('resolved');
  });
});
