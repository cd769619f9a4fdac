import type { Api, Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeRule, runsOf, settledTicket } from '../support/automations';
import { runBatch } from '../support/batch';
import { make, makeTicket, makeUser } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { insist } from '../support/insist';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let workspace: TestWorkspace;
let api: Api;
beforeEach(async () => {
  workspace = await makeWorkspace(server);
  ({ api } = workspace);
});

const away = (replacement: Fields | null): Record<string, unknown> => ({
  out_of_office: { from: '2020-01-01T00:00:00.000Z', ...(replacement ? { replacement_user_id: replacement.id } : {}) },
});

/** Somebody who is out of office, and who stands in. */
async function absence(): Promise<{ absent: Fields; standIn: Fields }> {
  const standIn = await makeUser(api);
  return { absent: await makeUser(api, away(standIn)), standIn };
}

describe('an absent assignee is replaced, and the answer says so', () => {
  it('by POST, which tells the history too', async () => {
    const { absent, standIn } = await absence();
    const made = (await api.post('/tickets', { subject: 'x', assigned_to: absent.id })).expect(201);
    expect([made.data.assigned_to, made.meta.reassigned_from]).toEqual([standIn.id, absent.id]);
    const [event] = await eventsOf(server, workspace, 'ticket', made.data.id);
    const assignment = { way: 'person', stand_in_for: absent.id };
    expect(event?.related).toEqual({ reassigned_from: absent.id, assignment });
    const sparse = await api.post('/tickets?fields=id&expand=assignee', { subject: 'x', assigned_to: absent.id });
    expect(sparse.expect(201).meta.reassigned_from).toBe(absent.id);
  });

  it('by PATCH and by /assign, alike', async () => {
    const { absent, standIn } = await absence();
    for (const give of [
      (id: number) => api.patch(`/tickets/${id}`, { assigned_to: absent.id }),
      (id: number) => api.post(`/tickets/${id}/assign`, { user_id: absent.id }),
    ]) {
      const { id } = await makeTicket(api);
      const answer = (await give(id)).expect(200);
      expect([answer.data.assigned_to, answer.meta.reassigned_from]).toEqual([standIn.id, absent.id]);
      const events = (await eventsOf(server, workspace, 'ticket', id)).slice(1);
      expect(events.map(({ type }) => type)).toEqual(['ticket.updated', 'ticket.assigned']);
      const assignment = { way: 'person', stand_in_for: absent.id };
      expect(events[1]?.related).toEqual({ reassigned_from: absent.id, assignment });
      // Who stands in has it already: nothing changes, and it is said again.
      const again = (await give(id)).expect(200);
      expect([again.header('etag'), again.meta.reassigned_from]).toEqual([answer.header('etag'), absent.id]);
    }
  });

  it('by each operation of a batch', async () => {
    const { absent, standIn } = await absence();
    const { id } = await makeTicket(api);
    const { results } = await runBatch(api, [
      { op: 'create', data: { subject: 'x', assigned_to: absent.id } },
      { op: 'assign', id, data: { user_id: absent.id } },
    ]);
    expect(results.map((result) => [result.data?.assigned_to, (result as unknown as { meta: unknown }).meta])).toEqual([
      [standIn.id, { reassigned_from: absent.id }],
      [standIn.id, { reassigned_from: absent.id }],
    ]);
  });

  it("by a category's default, by an escalation, by an automation", async () => {
    const { absent, standIn } = await absence();
    const category = await make(api, '/categories', { default_assignee_id: absent.id, escalate_to_user_id: absent.id });
    const made = (await api.post('/tickets', { subject: 'x', category_id: category.id })).expect(201);
    expect([made.data.assigned_to, made.meta.reassigned_from]).toEqual([standIn.id, absent.id]);
    (await api.post(`/tickets/${made.data.id}/assign`, { user_id: null })).expect(200);
    const raised = (await api.post(`/tickets/${made.data.id}/escalate`)).expect(200);
    expect([raised.data.assigned_to, raised.meta.reassigned_from]).toEqual([standIn.id, absent.id]);
    const types = (await eventsOf(server, workspace, 'ticket', made.data.id)).slice(-1);
    expect(types.map(({ type }) => type)).toEqual(['ticket.escalated']);
    await makeRule(workspace, { actions: [{ type: 'assign', user_id: absent.id }] });
    const { id } = await makeTicket(api);
    expect((await settledTicket(server, workspace, id)).assigned_to).toBe(standIn.id);
  });

  it('when a leaving user hands over; never by the one who leaves', async () => {
    const { absent, standIn } = await absence();
    const leaving = await makeUser(api);
    const { id } = await makeTicket(api, { assigned_to: leaving.id });
    const gone = (await api.delete(`/users/${leaving.id}?reassign_to=${absent.id}`)).expect(200);
    expect(gone.meta.reassigned_from).toBe(absent.id);
    expect((await api.get(`/tickets/${id}`)).data.assigned_to).toBe(standIn.id);
    const other = await makeUser(api);
    const back = await makeUser(api, away(other));
    const mine = await makeTicket(api, { assigned_to: other.id });
    (await api.delete(`/users/${other.id}?reassign_to=${back.id}`)).expect(200);
    expect((await api.get(`/tickets/${mine.id}`)).data.assigned_to).toBe(back.id);
  });
});

describe('max_open_tickets', () => {
  const full = { details: [{ code: 'max_open_tickets', open_tickets: 1, max: 1 }] };

  it('is a limit for whoever is named, in every way', async () => {
    const user = await makeUser(api, { max_open_tickets: 1 });
    const held = await makeTicket(api, { assigned_to: user.id });
    const { id } = await makeTicket(api);
    const answers = [
      await api.post('/tickets', { subject: 'x', assigned_to: user.id }),
      await api.patch(`/tickets/${id}`, { assigned_to: user.id }),
      await api.post(`/tickets/${id}/assign`, { user_id: user.id }),
      await api.post(`/tickets/${id}/escalate`, { to_user_id: user.id }),
    ];
    for (const answer of answers) expect(answer.expect(422).error).toMatchObject(full);
    expect(answers.map(({ codes }) => Object.keys(codes)[0])).toEqual([
      'assigned_to',
      'assigned_to',
      'user_id',
      'to_user_id',
    ]);
    const { results } = await runBatch(api, [{ op: 'assign', id, data: { user_id: user.id } }]);
    expect(results[0]?.error).toMatchObject(full);
    const leaving = await makeUser(api);
    await makeTicket(api, { assigned_to: leaving.id });
    expect((await api.delete(`/users/${leaving.id}?reassign_to=${user.id}`)).expect(422).codes).toEqual({
      reassign_to: 'max_open_tickets',
    });
    // What is done does not count, and a change of one's own ticket is no assignment.
    (await api.patch(`/tickets/${held.id}`, { subject: 'y', assigned_to: user.id })).expect(200);
    (await api.post('/tickets', { subject: 'x', assigned_to: user.id, status: 'resolved' })).expect(201);
    (await api.patch(`/tickets/${held.id}`, { status: 'resolved' })).expect(200);
    (await api.post(`/tickets/${id}/assign`, { user_id: user.id })).expect(200);
  });

  it('passes over whoever was not asked for: the standing assignee, the next in line, a stand-in', async () => {
    const user = await makeUser(api, { max_open_tickets: 1 });
    await makeTicket(api, { assigned_to: user.id });
    const lead = await makeUser(api);
    const team = await make(api, '/teams', { lead_user_id: lead.id });
    const category = await make(api, '/categories', { default_assignee_id: user.id, escalate_to_user_id: user.id });
    const ticket = await makeTicket(api, { category_id: category.id, team_id: team.id });
    expect(ticket.assigned_to).toBeNull();
    expect((await api.post(`/tickets/${ticket.id}/escalate`)).expect(200).data.assigned_to).toBe(lead.id);
    const absent = await makeUser(api, away(user));
    expect((await api.post('/tickets', { subject: 'x', assigned_to: absent.id })).expect(201).data.assigned_to).toBe(
      absent.id,
    );
  });

  it('holds under concurrency', async () => {
    const user = await makeUser(api, { max_open_tickets: 3 });
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => insist(() => api.post('/tickets', { subject: 'x', assigned_to: user.id }))),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(9);
  });

  it('fails the action of an automation, which says why', async () => {
    const user = await makeUser(api, { max_open_tickets: 1 });
    await makeTicket(api, { assigned_to: user.id });
    await makeRule(workspace, { actions: [{ type: 'assign', user_id: user.id }] });
    const { id } = await makeTicket(api);
    expect((await settledTicket(server, workspace, id)).assigned_to).toBeNull();
    const [run] = await runsOf(workspace, 'tickets', id);
    expect(run?.actions[0]).toMatchObject({ status: 'failed', error: expect.stringContaining('at most 1') });
  });
});
