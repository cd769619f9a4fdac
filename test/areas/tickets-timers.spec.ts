import { TicketTimers } from '../../src/areas/tickets/ticket-timers';
import { Database } from '../../src/platform/database/database';
import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

const tick = (): Promise<unknown> => {
  const { app } = server;
  return app.get(Database).system(() => app.get(TicketTimers).run());
};
const ticketOf = async (id: number): Promise<Fields> => (await workspace.api.get(`/tickets/${id}`)).data;
const set = (id: number, column: string, ago: string): Promise<unknown> =>
  sql.rows(`UPDATE tickets SET ${column} = now() - $2::interval WHERE id = $1`, [id, ago]);
const configure = (settings: object): Promise<unknown> =>
  sql.rows('UPDATE workspaces SET settings = settings || $2::jsonb WHERE id = $1', [
    workspace.id,
    JSON.stringify(settings),
  ]);

describe('a ticket on hold', () => {
  const hold = (on_hold_until: string | null): Promise<Fields> =>
    makeTicket(workspace.api, { status: 'on_hold', on_hold_reason: 'customer', on_hold_until });

  it('returns to open at its date, and not before', async () => {
    const [due, later, never] = [
      await hold('2036-01-01T00:00:00Z'),
      await hold('2036-01-01T00:00:00Z'),
      await hold(null),
    ];
    await set(due.id, 'on_hold_until', '1 second');
    await tick();
    expect(await ticketOf(due.id)).toMatchObject({
      status: 'open',
      on_hold_reason: null,
      on_hold_until: null,
      sla_status: 'on_track',
    });
    expect((await ticketOf(later.id)).status).toBe('on_hold');
    expect((await ticketOf(never.id)).status).toBe('on_hold');
    const events = (await eventsOf(server, workspace, 'ticket', due.id)).slice(1);
    expect(events.map(({ type }) => type)).toEqual(['ticket.updated', 'ticket.status_changed', 'ticket.sla_resumed']);
    const [entry] = (await workspace.api.get(`/tickets/${due.id}/history`)).rows;
    expect(entry?.actor).toMatchObject({ type: 'system' });
  });

  it('returns once, however many nodes tick at once', async () => {
    const { id } = await hold('2036-01-01T00:00:00Z');
    await set(id, 'on_hold_until', '1 minute');
    await Promise.all([tick(), tick(), tick()]);
    await tick();
    expect((await eventsOf(server, workspace, 'ticket', id)).length).toBe(4);
  });
});

describe('a resolved ticket', () => {
  it('closes although another workspace has a setting that no clock reaches', async () => {
    const { id } = await makeTicket(workspace.api, { status: 'resolved' });
    await set(id, 'resolved_at', '7 days');
    for (const days of [9_999_999, 99_999_999_999]) {
      workspace = await makeWorkspace(server);
      await configure({ auto_close_days: days });
    }
    await tick();
    const [row] = await sql.rows<{ status: string }>('SELECT status FROM tickets WHERE id = $1', [id]);
    expect(row?.status).toBe('closed');
  });

  it('closes after seven days', async () => {
    const [old, fresh] = [
      await makeTicket(workspace.api, { status: 'resolved' }),
      await makeTicket(workspace.api, { status: 'resolved' }),
    ];
    await set(old.id, 'resolved_at', '7 days');
    await set(fresh.id, 'resolved_at', '6 days 23 hours');
    await tick();
    const closed = await ticketOf(old.id);
    expect(closed.status).toBe('closed');
    expect(Date.parse(closed.closed_at as string) - Date.parse(closed.resolved_at as string)).toBeGreaterThanOrEqual(
      7 * 86_400_000,
    );
    expect((await ticketOf(fresh.id)).status).toBe('resolved');
    expect((await eventsOf(server, workspace, 'ticket', old.id)).slice(1).map(({ type }) => type)).toEqual([
      'ticket.sla_met',
      'ticket.updated',
      'ticket.status_changed',
      'ticket.closed',
    ]);
  });

  it.each([
    [2, '3 days', 'closed'],
    [2, '1 day 23 hours', 'resolved'],
    [0, '300 days', 'resolved'],
    [30, '8 days', 'resolved'],
  ])('closes after the days that the workspace sets: %i, after %s it is %s', async (days, ago, status) => {
    await configure({ auto_close_days: days });
    const { id } = await makeTicket(workspace.api, { status: 'resolved' });
    await set(id, 'resolved_at', ago);
    await tick();
    expect((await ticketOf(id)).status).toBe(status);
  });

  it('that someone reopens meanwhile is open in the end', async () => {
    const { id } = await makeTicket(workspace.api, { status: 'resolved' });
    await set(id, 'resolved_at', '8 days');
    await Promise.all([workspace.api.patch(`/tickets/${id}`, { status: 'in_progress' }), tick()]);
    expect((await ticketOf(id)).status).toBe('in_progress');
  });
});

it('one ticket that cannot be changed does not keep the others waiting', async () => {
  const [stuck, other] = [
    await makeTicket(workspace.api, { status: 'on_hold' }),
    await makeTicket(workspace.api, { status: 'on_hold' }),
  ];
  // Stuck before it is due: the timers of another node may look at any moment.
  await sql.rows('UPDATE tickets SET merged_into_id = $2 WHERE id = $1', [stuck.id, other.id]);
  for (const { id } of [stuck, other]) await set(id, 'on_hold_until', '1 hour');
  await expect(tick()).rejects.toThrow('1 tickets could not be changed.');
  expect((await ticketOf(other.id)).status).toBe('open');
});
