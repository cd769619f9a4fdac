import type { Api, Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket, makeUser } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { detailOf } from '../support/sla';
import { useSql } from '../support/sql';
import { until } from '../support/until';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
let workspace: TestWorkspace;
let api: Api;
beforeAll(async () => {
  workspace = await makeWorkspace(server);
  ({ api } = workspace);
});

/** The moments of the events that the last change of a ticket wrote. */
async function lastEventTimes(id: number): Promise<string[]> {
  const rows = await sql.rows<{ at: string }>(
    `SELECT DISTINCT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at FROM events
     WHERE workspace_id = $1 AND object = 'ticket' AND object_id = $2
       AND sequence_id = (SELECT sequence_id FROM events WHERE workspace_id = $1 AND object = 'ticket' AND object_id = $2 ORDER BY id DESC LIMIT 1)`,
    [workspace.id, id],
  );
  return rows.map(({ at }) => at);
}

describe('one change has one time', () => {
  it.each([
    ['resolving', { status: 'resolved' }, ['resolved_at', 'first_resolved_at']],
    ['closing', { status: 'closed' }, ['resolved_at', 'closed_at']],
  ])('%s', async (_name, change, fields) => {
    const { id } = await makeTicket(api);
    const ticket = (await api.patch(`/tickets/${id}`, change)).expect(200).data;
    expect(fields.map((name) => ticket[name])).toEqual(fields.map(() => ticket.updated_at));
    expect(await lastEventTimes(id)).toEqual([ticket.updated_at]);
    const { clocks } = await detailOf(api, id);
    expect(clocks.map(({ fulfilled_at }) => fulfilled_at)).toEqual(clocks.map(() => ticket.updated_at));
  });

  it('replying', async () => {
    const { id } = await makeTicket(api);
    for (let n = 0; n < 5; n++) {
      const comment = (await api.post(`/tickets/${id}/comments`, { body: 'x' })).expect(201).data;
      const ticket = (await api.get(`/tickets/${id}`)).data;
      expect([ticket.last_agent_comment_at, ticket.updated_at]).toEqual([comment.created_at, comment.created_at]);
      if (n === 0) expect(ticket.first_response_at).toBe(comment.created_at);
      expect(await lastEventTimes(id)).toEqual([comment.created_at]);
      if (n > 0) continue;
      const clock = (await detailOf(api, id)).clocks.find(({ metric }) => metric === 'first_response');
      expect(clock?.fulfilled_at).toBe(comment.created_at);
    }
  });

  it('escalating and rating', async () => {
    const { id } = await makeTicket(api);
    const raised = (await api.post(`/tickets/${id}/escalate`)).expect(200).data;
    const [entry] = raised.escalations as Fields[];
    expect([raised.escalated_at, entry?.at, ...(await lastEventTimes(id))]).toEqual(Array(3).fill(raised.updated_at));
    (await api.patch(`/tickets/${id}`, { status: 'resolved' })).expect(200);
    const rated = (await api.post(`/tickets/${id}/rate`, { score: 5 })).expect(200).data;
    expect([rated.csat_at, ...(await lastEventTimes(id))]).toEqual(Array(2).fill(rated.updated_at));
  });

  it('creating, and being another', async () => {
    const ticket = await makeTicket(api, { status: 'resolved' });
    expect([ticket.resolved_at, ticket.updated_at, ...(await lastEventTimes(ticket.id))]).toEqual(
      Array(3).fill(ticket.created_at),
    );
    const user = await makeUser(api, { availability: 'online' });
    expect(user.availability_changed_at).toBe(user.created_at);
    const changed = (await api.patch(`/users/${user.id}`, { availability: 'away' })).expect(200).data;
    expect(changed.availability_changed_at).toBe(changed.updated_at);
  });
});

it('a call is its own first response: clock and ticket agree', async () => {
  const ticket = await makeTicket(api, { channel: 'phone' });
  const { clocks } = await detailOf(api, ticket.id);
  const clock = clocks.find(({ metric }) => metric === 'first_response');
  expect([ticket.first_response_at, clock?.fulfilled_at, clock?.outcome]).toEqual([
    ticket.created_at,
    ticket.created_at,
    'met',
  ]);
  const comment = (await api.post(`/tickets/${ticket.id}/comments`, { body: 'x' })).expect(201).data;
  expect(comment.is_first_response).toBe(false);
  expect((await api.get(`/tickets/${ticket.id}`)).data.first_response_at).toBe(ticket.created_at);
});

it.each(['at_risk', 'breach'])('clocks that are due at once are told in one event: %s', async (what) => {
  const { id } = await makeTicket(api);
  const past = `now() - interval '1 minute'`;
  const due = what === 'breach' ? `, due_at = ${past}, at_risk_notified = true` : '';
  await sql.rows(`UPDATE sla_clocks SET at_risk_at = ${past}, next_check_at = ${past}${due} WHERE ticket_id = $1`, [
    id,
  ]);
  const type = `ticket.sla_${what}`;
  const told = async (): Promise<Awaited<ReturnType<typeof eventsOf>>> =>
    (await eventsOf(server, workspace, 'ticket', id)).filter((event) => event.type === type);
  await until('time is told', async () => (await told()).length > 0);
  const events = await told();
  expect(events).toHaveLength(1);
  const { clocks } = events[0]?.related?.sla as { clocks: { metric: string }[] };
  expect(clocks.map(({ metric }) => metric).sort()).toEqual(['first_response', 'resolution']);
});
