import { UnassignedTickets } from '../../src/areas/tickets/assigning/unassigned-tickets';
import { Database } from '../../src/platform/database/database';
import type { Api, Fields } from '../support/api';
import { useApp } from '../support/app';
import { make, makeTicket, makeUser } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { drained, timePasses } from '../support/jobs';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
let workspace: TestWorkspace;
let api: Api;
beforeEach(async () => {
  workspace = await makeWorkspace(server);
  ({ api } = workspace);
});

const assigneeOf = async (id: number): Promise<number | null> =>
  (await api.get(`/tickets/${id}`)).expect(200).data.assigned_to as number | null;
const reasonOf = async (id: number): Promise<unknown> => (await api.get(`/tickets/${id}/history`)).rows[0]?.reason;
const absence = (body: object = {}): { out_of_office: object } => ({
  out_of_office: { from: '2020-01-01T00:00:00.000Z', reassign_open_tickets: true, ...body },
});
const leave = async (user: Fields, body: object = {}): Promise<void> => {
  (await api.patch(`/users/${user.id}`, absence(body))).expect(200);
  await drained(server, workspace);
};

describe('what an absent agent left', () => {
  it('goes to the stand-in, open tickets alone, with the cause told', async () => {
    const [absent, standIn] = [await makeUser(api), await makeUser(api)];
    const [open, done] = [
      await makeTicket(api, { assigned_to: absent.id }),
      await makeTicket(api, { assigned_to: absent.id, status: 'closed' }),
    ];
    await leave(absent, { replacement_user_id: standIn.id });
    expect([await assigneeOf(open.id), await assigneeOf(done.id)]).toEqual([standIn.id, absent.id]);
    expect(await reasonOf(open.id)).toEqual({ way: 'absence', left_by: absent.id, stand_in_for: absent.id });
    const events = (await eventsOf(server, workspace, 'ticket', open.id)).slice(1);
    expect(events.map(({ type }) => type)).toEqual(['ticket.updated', 'ticket.assigned']);
  });

  it('goes by the rule of the team, else to who has least to do there; what nobody can take stays', async () => {
    const team = await make(api, '/teams', { assignment: { method: 'round_robin' } });
    const member = { team_ids: [team.id] };
    const [absent, one, two] = [await makeUser(api, member), await makeUser(api, member), await makeUser(api, member)];
    const mine = { assigned_to: absent.id, team_id: team.id };
    const tickets = [await makeTicket(api, mine), await makeTicket(api, mine), await makeTicket(api, mine)];
    const special = await makeTicket(api, { ...mine, required_skills: ['vpn'] });
    await leave(absent);
    const now = await Promise.all(tickets.map(({ id }) => assigneeOf(id)));
    expect(now).toEqual([one.id, two.id, one.id]);
    expect(await assigneeOf(special.id)).toBe(absent.id);
    expect(await reasonOf(tickets[0]?.id ?? 0)).toEqual({
      way: 'absence',
      left_by: absent.id,
      strategy: 'round_robin',
      candidates: 2,
      presence: 'offline',
    });
  });

  it('moves once for one absence, whatever else is changed of it; again for another', async () => {
    const [absent, standIn] = [await makeUser(api), await makeUser(api)];
    const { id } = await makeTicket(api, { assigned_to: absent.id });
    await leave(absent, { replacement_user_id: standIn.id });
    const back = async (): Promise<void> => {
      (await api.patch(`/users/${absent.id}`, { out_of_office: null })).expect(200);
      (await api.post(`/tickets/${id}/assign`, { user_id: absent.id })).expect(200);
    };
    await back();
    await leave(absent, { replacement_user_id: standIn.id, to: '2999-01-01T00:00:00.000Z' });
    expect(await assigneeOf(id)).toBe(absent.id);
    await back();
    await leave(absent, { replacement_user_id: standIn.id, from: '2020-02-01T00:00:00.000Z' });
    expect(await assigneeOf(id)).toBe(standIn.id);
  });

  it('waits for the absence to begin, and stays when it was called off, is over, or was not to move', async () => {
    const standIn = await makeUser(api);
    const later = { from: '2036-01-01T00:00:00.000Z', replacement_user_id: standIn.id };
    const [off, over, still] = [await makeUser(api), await makeUser(api), await makeUser(api)];
    const tickets: Fields[] = [];
    for (const user of [off, over, still]) tickets.push(await makeTicket(api, { assigned_to: user.id }));
    await leave(off, later);
    expect(await assigneeOf(tickets[0]?.id ?? 0)).toBe(off.id);
    (await api.patch(`/users/${off.id}`, { out_of_office: null })).expect(200);
    await timePasses(server, workspace, 'ticket_handover');
    await leave(over, { replacement_user_id: standIn.id, to: '2020-01-02T00:00:00.000Z' });
    await leave(still, { replacement_user_id: standIn.id, reassign_open_tickets: false });
    for (const [index, user] of [off, over, still].entries())
      expect(await assigneeOf(tickets[index]?.id ?? 0)).toBe(user.id);
    expect(await sql.rows('SELECT FROM ticket_handovers WHERE workspace_id = $1', [workspace.id])).toEqual([]);
  });

  it('goes on where it was interrupted', async () => {
    const [absent, standIn] = [await makeUser(api), await makeUser(api)];
    const [before, after] = [
      await makeTicket(api, { assigned_to: absent.id }),
      await makeTicket(api, { assigned_to: absent.id }),
    ];
    const from = '2036-01-01T00:00:00.000Z';
    await leave(absent, { from, replacement_user_id: standIn.id });
    // As a process left it that died after the first ticket.
    await sql.rows('UPDATE ticket_handovers SET last_ticket_id = $2 WHERE workspace_id = $1', [
      workspace.id,
      before.id,
    ]);
    await sql.rows(
      `UPDATE users SET out_of_office = out_of_office || '{"from": "2020-01-01T00:00:00.000Z"}' WHERE id = $1`,
      [absent.id],
    );
    await sql.rows(`UPDATE ticket_handovers SET began_at = '2020-01-01T00:00:00Z' WHERE workspace_id = $1`, [
      workspace.id,
    ]);
    await timePasses(server, workspace, 'ticket_handover');
    await drained(server, workspace);
    expect([await assigneeOf(before.id), await assigneeOf(after.id)]).toEqual([absent.id, standIn.id]);
  });
});

describe('what a leaving user left', () => {
  it('goes by the rule of its team with reassign_to=team', async () => {
    const team = await make(api, '/teams');
    const heir = await makeUser(api, { team_ids: [team.id] });
    const leaver = await makeUser(api, { team_ids: [team.id] });
    const { id } = await makeTicket(api, { assigned_to: leaver.id, team_id: team.id });
    (await api.delete(`/users/${leaver.id}?reassign_to=team`)).expect(200);
    await drained(server, workspace);
    expect(await assigneeOf(id)).toBe(heir.id);
    expect(await reasonOf(id)).toMatchObject({ way: 'leaving', left_by: leaver.id, strategy: 'least_loaded' });
  });

  it('goes where a later request says when nobody was free for it', async () => {
    const team = await make(api, '/teams');
    const member = { team_ids: [team.id] };
    const leaver = await makeUser(api, member);
    const mine = { assigned_to: leaver.id, team_id: team.id };
    const [one, special] = [await makeTicket(api, mine), await makeTicket(api, { ...mine, required_skills: ['vpn'] })];
    const gone = async (to: number | 'team'): Promise<unknown[]> => {
      const answer = (await api.delete(`/users/${leaver.id}?reassign_to=${to}`)).expect(200);
      expect(answer.data.status).toBe('deactivated');
      await drained(server, workspace);
      return [await assigneeOf(one.id), await assigneeOf(special.id)];
    };
    expect(await gone('team')).toEqual([leaver.id, leaver.id]);
    const heir = await makeUser(api, member);
    expect(await gone('team')).toEqual([heir.id, leaver.id]);
    expect(await gone(heir.id)).toEqual([heir.id, heir.id]);
    expect(await reasonOf(special.id)).toEqual({ way: 'leaving', left_by: leaver.id });
    const etag = (await api.get(`/users/${leaver.id}`)).header('etag');
    expect(await gone(heir.id)).toEqual([heir.id, heir.id]);
    expect((await api.get(`/users/${leaver.id}`)).header('etag')).toBe(etag);
  });

  it('is told as such when it goes to somebody', async () => {
    const [leaver, heir] = [await makeUser(api), await makeUser(api)];
    const { id } = await makeTicket(api, { assigned_to: leaver.id });
    (await api.delete(`/users/${leaver.id}?reassign_to=${heir.id}`)).expect(200);
    expect(await reasonOf(id)).toEqual({ way: 'leaving', left_by: leaver.id });
  });
});

describe('what is opened again', () => {
  const done = async (body: object): Promise<number> => (await makeTicket(api, { ...body, status: 'resolved' })).id;
  const replied = async (id: number): Promise<void> => {
    (await api.post(`/tickets/${id}/comments`, { body: 'It is broken again.', author_type: 'requester' })).expect(201);
  };

  it('does not wait for who has left, was suspended, or is away and wants nothing left behind', async () => {
    const team = await make(api, '/teams', { assignment: { method: 'round_robin' } });
    const member = { team_ids: [team.id] };
    const [gone, suspended, away, heir] = [
      await makeUser(api, member),
      await makeUser(api, member),
      await makeUser(api, member),
      await makeUser(api, member),
    ];
    const of = ({ id }: Fields): Promise<number> => done({ assigned_to: id, team_id: team.id });
    const [byReply, byHand, byStatus] = [await of(gone), await of(suspended), await of(away)];
    (await api.delete(`/users/${gone.id}`)).expect(200);
    (await api.patch(`/users/${suspended.id}`, { status: 'suspended' })).expect(200);
    await leave(away);
    await replied(byReply);
    (await api.post(`/tickets/${byHand}/reopen`)).expect(200);
    (await api.patch(`/tickets/${byStatus}`, { status: 'in_progress' })).expect(200);
    for (const id of [byReply, byHand, byStatus]) expect(await assigneeOf(id)).toBe(heir.id);
    const why = { strategy: 'round_robin', presence: 'offline' };
    const { rows } = (await api.get(`/tickets/${byReply}/history`)).expect(200);
    const [reason] = rows.flatMap((row) => (row.reason === null ? [] : [row.reason]));
    const passed_over = { not_active: 1, out_of_office: 1 };
    expect(reason).toEqual({ ...why, way: 'leaving', left_by: gone.id, candidates: 3, passed_over });
    const others = { candidates: 2, passed_over: { not_active: 1 } };
    expect(await reasonOf(byStatus)).toEqual({ ...why, way: 'absence', left_by: away.id, ...others });
  });

  it('is nobody’s when nobody can take it from who has left; it stays with who is there, away for a while, or named', async () => {
    const [gone, away, here] = [await makeUser(api), await makeUser(api), await makeUser(api)];
    const [left, waiting, own, named] = [
      await done({ assigned_to: gone.id, required_skills: ['vpn'] }),
      await done({ assigned_to: away.id, required_skills: ['vpn'] }),
      await done({ assigned_to: here.id }),
      await done({ assigned_to: gone.id }),
    ];
    (await api.delete(`/users/${gone.id}`)).expect(200);
    await leave(away);
    for (const id of [left, waiting, own]) await replied(id);
    (await api.patch(`/tickets/${named}`, { status: 'open', assigned_to: here.id })).expect(200);
    expect(await Promise.all([left, waiting, own, named].map(assigneeOf))).toEqual([null, away.id, here.id, here.id]);
    const events = (await eventsOf(server, workspace, 'ticket', left)).flatMap(({ type }) => type);
    expect(events).toContain('ticket.unassigned');
  });
});

describe('what is nobody’s for longer than its team allows', () => {
  const tick = (): Promise<unknown> => server.app.get(Database).system(() => server.app.get(UnassignedTickets).run());
  const waited = (id: number): Promise<unknown> =>
    sql.rows(`UPDATE tickets SET unassigned_since = now() - interval '31 minutes' WHERE id = $1`, [id]);

  it('goes to the member who has least to do, once, and no earlier', async () => {
    const assignment = { method: 'manual', unassigned_after_minutes: 30 };
    const team = await make(api, '/teams', { assignment });
    const member = await makeUser(api, { team_ids: [team.id] });
    const [due, fresh, done] = [
      await makeTicket(api, { team_id: team.id }),
      await makeTicket(api, { team_id: team.id }),
      await makeTicket(api, { team_id: team.id, status: 'resolved' }),
    ];
    for (const { id } of [due, done]) await waited(id);
    await Promise.all([tick(), tick()]);
    expect([await assigneeOf(due.id), await assigneeOf(fresh.id), await assigneeOf(done.id)]).toEqual([
      member.id,
      null,
      null,
    ]);
    expect(await reasonOf(due.id)).toMatchObject({ way: 'unassigned', strategy: 'least_loaded', candidates: 1 });
    expect((await eventsOf(server, workspace, 'ticket', due.id)).map(({ type }) => type)).toEqual([
      'ticket.created',
      'ticket.updated',
      'ticket.assigned',
    ]);
    // Taken from somebody it waits anew.
    (await api.post(`/tickets/${due.id}/assign`, { user_id: null })).expect(200);
    await tick();
    expect(await assigneeOf(due.id)).toBeNull();
  });

  it('keeps nobody else waiting when nobody can take it: it is looked at again as much later', async () => {
    const team = await make(api, '/teams', { assignment: { method: 'manual', unassigned_after_minutes: 30 } });
    const ticket = await makeTicket(api, { team_id: team.id });
    await waited(ticket.id);
    await tick();
    const member = await makeUser(api, { team_ids: [team.id] });
    await tick();
    const shown = (await api.get(`/tickets/${ticket.id}`)).data;
    expect([shown.assigned_to, shown.updated_at]).toEqual([null, ticket.updated_at]);
    await waited(ticket.id);
    await tick();
    expect(await assigneeOf(ticket.id)).toBe(member.id);
  });
});
