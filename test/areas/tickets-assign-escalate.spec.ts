import type { Answer, Fields } from '../support/api';
import { useApp } from '../support/app';
import { make, makeTicket, makeUser } from '../support/cast';
import { eventsOf, type LoggedEvent } from '../support/event-log';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await makeWorkspace(server);
});

const eventsSince = async (id: number): Promise<LoggedEvent[]> =>
  (await eventsOf(server, workspace, 'ticket', id)).slice(1);
const typesSince = async (id: number): Promise<string[]> => (await eventsSince(id)).map(({ type }) => type);
const assign = (id: number, body: unknown, headers?: Record<string, string>): Promise<Answer> =>
  workspace.api.post(`/tickets/${id}/assign`, body, headers);
const escalate = (id: number, body?: unknown, headers?: Record<string, string>): Promise<Answer> =>
  workspace.api.post(`/tickets/${id}/escalate`, body, headers);

describe('assigning', () => {
  it('gives the ticket to a user, leaves its status, and says who had it before', async () => {
    const [ticket, user, next] = [
      await makeTicket(workspace.api),
      await makeUser(workspace.api),
      await makeUser(workspace.api),
    ];
    const answer = (await assign(ticket.id, { user_id: user.id })).expect(200);
    expect(answer.data).toMatchObject({ assigned_to: user.id, status: 'open' });
    expect(answer.meta).not.toHaveProperty('reassigned_from');
    (await assign(ticket.id, { user_id: next.id })).expect(200);
    expect(await typesSince(ticket.id)).toEqual([
      'ticket.updated',
      'ticket.assigned',
      'ticket.updated',
      'ticket.assigned',
    ]);
    expect((await eventsSince(ticket.id)).at(-1)?.changes).toEqual({ assigned_to: { from: user.id, to: next.id } });
  });

  it('to the same user does nothing', async () => {
    const user = await makeUser(workspace.api);
    const ticket = await makeTicket(workspace.api, { assigned_to: user.id });
    const answer = (await assign(ticket.id, { user_id: user.id })).expect(200);
    expect([answer.data, await typesSince(ticket.id)]).toEqual([ticket, []]);
  });

  it('to nobody takes it away', async () => {
    const user = await makeUser(workspace.api);
    const ticket = await makeTicket(workspace.api, { assigned_to: user.id });
    expect((await assign(ticket.id, { user_id: null })).expect(200).data.assigned_to).toBeNull();
    expect(await typesSince(ticket.id)).toEqual(['ticket.updated', 'ticket.unassigned']);
  });

  it.each([
    ['an unknown user', 8_999_999_999_999, 'not_found'],
    ['text', 'x', 'type'],
    ['zero', 0, 'min'],
    ['a fraction', 1.5, 'type'],
  ])('to %s is refused', async (_name, user_id, code) => {
    const { id } = await makeTicket(workspace.api);
    const answer = await assign(id, { user_id });
    expect([answer.status, answer.codes]).toEqual([422, { user_id: code }]);
  });

  it('names the missing user', async () => {
    const { id } = await makeTicket(workspace.api);
    expect((await assign(id, {})).expect(422).error.missing).toEqual(['user_id']);
    expect((await assign(id, undefined)).expect(422).error.missing).toEqual(['user_id']);
  });

  it.each(['invited', 'suspended', 'deactivated'])('to a user who is %s is refused', async (status) => {
    const user = await makeUser(workspace.api, status === 'invited' ? { status } : {});
    if (status !== 'invited') (await workspace.api.patch(`/users/${user.id}`, { status })).expect(200);
    const { id } = await makeTicket(workspace.api);
    expect((await assign(id, { user_id: user.id })).expect(422).codes).toEqual({ user_id: 'inactive' });
    const patched = await workspace.api.patch(`/tickets/${id}`, { assigned_to: user.id });
    expect([patched.status, patched.codes]).toEqual([422, { assigned_to: 'inactive' }]);
    const created = await workspace.api.post('/tickets', { subject: 'x', assigned_to: user.id });
    expect([created.status, created.codes]).toEqual([422, { assigned_to: 'inactive' }]);
  });

  it('heeds If-Match', async () => {
    const [ticket, user] = [await makeTicket(workspace.api), await makeUser(workspace.api)];
    expect((await assign(ticket.id, { user_id: user.id }, { 'if-match': '"7"' })).status).toBe(412);
    expect((await assign(ticket.id, { user_id: user.id }, { 'if-match': '"1"' })).status).toBe(200);
  });
});

describe('a user out of office', () => {
  const past = '2020-01-01T00:00:00.000Z';
  const away = (replacement: number, window: object = { from: past }): Promise<Fields> =>
    makeUser(workspace.api, { out_of_office: { ...window, replacement_user_id: replacement } });

  it('is replaced, wherever a ticket is given to them', async () => {
    const standIn = await makeUser(workspace.api);
    const absent = await away(standIn.id);
    const ticket = await makeTicket(workspace.api);
    const answer = (await assign(ticket.id, { user_id: absent.id })).expect(200);
    expect([answer.data.assigned_to, answer.meta.reassigned_from]).toEqual([standIn.id, absent.id]);
    expect((await makeTicket(workspace.api, { assigned_to: absent.id })).assigned_to).toBe(standIn.id);
    const patched = await makeTicket(workspace.api);
    const { data } = await workspace.api.patch(`/tickets/${patched.id}`, { assigned_to: absent.id });
    expect(data.assigned_to).toBe(standIn.id);
  });

  it('is replaced along a chain, and a circle ends', async () => {
    const last = await makeUser(workspace.api);
    const middle = await away(last.id);
    const first = await away(middle.id);
    expect((await makeTicket(workspace.api, { assigned_to: first.id })).assigned_to).toBe(last.id);
    await workspace.api.patch(`/users/${last.id}`, { out_of_office: { from: past, replacement_user_id: first.id } });
    const { assigned_to } = await makeTicket(workspace.api, { assigned_to: first.id });
    expect([first.id, middle.id, last.id]).toContain(assigned_to);
  });

  it('is not replaced before and after the absence', async () => {
    const standIn = await makeUser(workspace.api);
    for (const window of [{ from: '2036-01-01T00:00:00.000Z' }, { from: past, to: '2021-01-01T00:00:00.000Z' }]) {
      const user = await away(standIn.id, window);
      expect((await makeTicket(workspace.api, { assigned_to: user.id })).assigned_to).toBe(user.id);
    }
  });

  it('keeps the ticket when the replacement has left', async () => {
    const standIn = await makeUser(workspace.api);
    const absent = await away(standIn.id);
    (await workspace.api.delete(`/users/${standIn.id}`)).expect(200);
    expect((await makeTicket(workspace.api, { assigned_to: absent.id })).assigned_to).toBe(absent.id);
  });
});

describe('escalating', () => {
  it('raises level and priority, leaves a record, and is one event', async () => {
    const ticket = await makeTicket(workspace.api, { priority: 'low', tags: 'vip' });
    const { data } = (await escalate(ticket.id, { reason: 'Board is asking' })).expect(200);
    expect(data).toMatchObject({
      status: 'open',
      priority: 'medium',
      escalation_level: 1,
      last_escalation_reason: 'Board is asking',
      tags: 'vip,escalated',
      comment_count: 1,
    });
    expect(data.escalations).toMatchObject([
      {
        level: 1,
        from_priority: 'low',
        to_priority: 'medium',
        from_user: null,
        to_user: null,
        reason: 'Board is asking',
        at: data.escalated_at,
      },
    ]);
    const [comment] = (await workspace.api.get(`/tickets/${ticket.id}/comments`)).rows;
    expect(comment).toMatchObject({ is_internal: true, author_type: 'system' });
    const events = await eventsSince(ticket.id);
    expect(events.map(({ type }) => type)).toEqual(['ticket.escalated']);
    expect(events[0]?.changes).toMatchObject({
      priority: { from: 'low', to: 'medium' },
      escalation_level: { from: 0, to: 1 },
    });
  });

  it('needs no body and takes no unknown member', async () => {
    const { id } = await makeTicket(workspace.api);
    expect((await escalate(id)).status).toBe(200);
    expect((await escalate(id, {})).status).toBe(200);
    expect((await escalate(id, { because: 'x' })).expect(422).codes).toEqual({ because: 'unknown_field' });
    expect((await escalate(id, { reason: 'x'.repeat(1_001) })).expect(422).codes).toEqual({ reason: 'max' });
  });

  it('keeps elapsed time: the new due moments count from the creation', async () => {
    const ticket = await makeTicket(workspace.api, { priority: 'high' });
    const { data } = await escalate(ticket.id);
    expect(Date.parse(data.sla_due_at as string) - Date.parse(ticket.created_at as string)).toBe(240 * 60_000);
  });

  it('brings a ticket back from hold and refuses one that is done', async () => {
    const held = await makeTicket(workspace.api, { status: 'on_hold', on_hold_reason: 'customer' });
    expect((await escalate(held.id)).expect(200).data).toMatchObject({ status: 'open', on_hold_reason: null });
    for (const status of ['resolved', 'closed']) {
      const { id } = await makeTicket(workspace.api, { status });
      expect((await escalate(id)).expect(422).codes).toEqual({ status: 'invalid_transition' });
      expect(await typesSince(id)).toEqual(['ticket.sla_met']);
    }
  });

  it('ends at level 3 and urgent, where it still notifies', async () => {
    const { id } = await makeTicket(workspace.api, { priority: 'low' });
    const seen: unknown[] = [];
    for (let round = 0; round < 5; round++) {
      const { data } = (await escalate(id)).expect(200);
      seen.push([data.escalation_level, data.priority, (data.escalations as unknown[]).length]);
    }
    expect(seen).toEqual([
      [1, 'medium', 1],
      [2, 'high', 2],
      [3, 'urgent', 3],
      [3, 'urgent', 4],
      [3, 'urgent', 5],
    ]);
    expect(await typesSince(id)).toEqual(Array(5).fill('ticket.escalated'));
  });

  it('takes an explicit priority that is not lower', async () => {
    const { id } = await makeTicket(workspace.api, { priority: 'medium' });
    expect((await escalate(id, { priority: 'low' })).expect(422).codes).toEqual({ priority: 'min' });
    expect((await escalate(id, { priority: 'medium' })).expect(200).data.priority).toBe('medium');
    expect((await escalate(id, { priority: 'urgent' })).expect(200).data.priority).toBe('urgent');
  });

  it('goes to the one asked for, else the category, the team lead, the manager, else stays', async () => {
    const users: Fields[] = [];
    for (let index = 0; index < 5; index++) users.push(await makeUser(workspace.api));
    const [asked, ofCategory, lead, manager] = users as [Fields, Fields, Fields, Fields];
    const agent = await makeUser(workspace.api, { manager_id: manager.id });
    const category = await make(workspace.api, '/categories', { escalate_to_user_id: ofCategory.id });
    const team = await make(workspace.api, '/teams', { lead_user_id: lead.id });
    const line = { category_id: category.id, team_id: team.id, assigned_to: agent.id };
    const goesTo = async (body: Record<string, unknown>, request: object = {}): Promise<unknown> => {
      const { id } = await makeTicket(workspace.api, body);
      const { data } = (await escalate(id, request)).expect(200);
      expect((data.escalations as Fields[])[0]).toMatchObject({
        from_user: body.assigned_to ?? null,
        to_user: data.assigned_to,
      });
      return data.assigned_to;
    };
    expect(await goesTo(line, { to_user_id: asked.id })).toBe(asked.id);
    expect(await goesTo(line)).toBe(ofCategory.id);
    expect(await goesTo({ ...line, category_id: null })).toBe(lead.id);
    expect(await goesTo({ assigned_to: agent.id })).toBe(manager.id);
    expect(await goesTo({ assigned_to: manager.id })).toBe(manager.id);
    expect(await goesTo({})).toBeNull();
  });

  it('records the one who stands in for an absent target', async () => {
    const standIn = await makeUser(workspace.api);
    const absent = await makeUser(workspace.api, {
      out_of_office: { from: '2020-01-01T00:00:00.000Z', replacement_user_id: standIn.id },
    });
    const category = await make(workspace.api, '/categories', { escalate_to_user_id: absent.id });
    const { id } = await makeTicket(workspace.api, { category_id: category.id });
    const { data } = (await escalate(id)).expect(200);
    expect([data.assigned_to, (data.escalations as Fields[])[0]?.to_user]).toEqual([standIn.id, standIn.id]);
  });

  it('to a team leaves the ticket to its members', async () => {
    const [user, team] = [await makeUser(workspace.api), await make(workspace.api, '/teams')];
    const { id } = await makeTicket(workspace.api, { assigned_to: user.id });
    const { data } = (await escalate(id, { to_team_id: team.id })).expect(200);
    expect(data).toMatchObject({ team_id: team.id, assigned_to: null });
    expect((data.escalations as unknown[])[0]).toMatchObject({ to_team: team.id, to_user: null });
    const both = (await escalate(id, { to_team_id: team.id, to_user_id: user.id })).expect(200).data;
    expect(both).toMatchObject({ team_id: team.id, assigned_to: user.id });
  });

  it('refuses targets that do not exist or are inactive', async () => {
    const { id } = await makeTicket(workspace.api);
    const gone = await makeUser(workspace.api);
    (await workspace.api.delete(`/users/${gone.id}`)).expect(200);
    expect((await escalate(id, { to_user_id: 8_999_999_999_999 })).expect(422).codes).toEqual({
      to_user_id: 'not_found',
    });
    expect((await escalate(id, { to_team_id: 8_999_999_999_999 })).expect(422).codes).toEqual({
      to_team_id: 'not_found',
    });
    expect((await escalate(id, { to_user_id: gone.id })).expect(422).codes).toEqual({ to_user_id: 'inactive' });
    expect((await workspace.api.get(`/tickets/${id}`)).data.escalation_level).toBe(0);
  });

  it('heeds If-Match, and happens once per idempotency key', async () => {
    const { id } = await makeTicket(workspace.api, { priority: 'low' });
    expect((await escalate(id, {}, { 'if-match': '"9"' })).status).toBe(412);
    const key = { 'idempotency-key': `escalate-${id}`, 'if-match': '"1"' };
    const [first, again] = [await escalate(id, {}, key), await escalate(id, {}, key)];
    expect([first.status, again.text]).toEqual([200, first.text]);
    expect((await workspace.api.get(`/tickets/${id}`)).data.escalation_level).toBe(1);
  });
});
