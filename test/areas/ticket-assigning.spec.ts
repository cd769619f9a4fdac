import type { Answer, Api, Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeRule, settledTicket } from '../support/automations';
import { runBatch } from '../support/batch';
import { make, makeTicket, makeUser } from '../support/cast';
import { ADA, apiChannel, handedIn } from '../support/channels';
import { insist } from '../support/insist';
import { drained } from '../support/jobs';
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

/** A team that gives its tickets away in turns, unless the assignment says otherwise. */
const sharingTeam = (assignment: object = {}): Promise<Fields> =>
  make(api, '/teams', { assignment: { method: 'round_robin', ...assignment } });

const member = (team: Fields, body: Record<string, unknown> = {}): Promise<Fields> =>
  makeUser(api, { team_ids: [team.id], ...body });

/** Why the ticket came to its present assignee, as its history says. */
async function reasonOf(id: number): Promise<unknown> {
  const { rows } = (await api.get(`/tickets/${id}/history`)).expect(200);
  return rows.find(({ reason }) => reason !== null)?.reason ?? null;
}

async function sharesOf(): Promise<Record<string, number>> {
  const rows = await sql.rows<{ who: number; n: number }>(
    `SELECT coalesce(assigned_to, 0) AS who, count(*) AS n FROM tickets WHERE workspace_id = $1 GROUP BY 1`,
    [workspace.id],
  );
  return Object.fromEntries(rows.map(({ who, n }) => [who, n]));
}

const byTurn = { way: 'team', strategy: 'round_robin', candidates: 1, presence: 'offline' };

describe('a team with a method gives away at once what comes without an assignee', () => {
  it('by creation, by its category, by a change, by an escalation, by a rule', async () => {
    const team = await sharingTeam();
    const only = await member(team);
    const category = await make(api, '/categories', { default_team_id: team.id });
    await makeRule(workspace, {
      conditions: { all: [{ field: 'subject', operator: 'eq', value: 'To the team' }] },
      actions: [{ type: 'set_field', field: 'team_id', value: team.id }],
    });
    const [byName, byCategory] = [
      await makeTicket(api, { team_id: team.id }),
      await makeTicket(api, { category_id: category.id }),
    ];
    const [changed, raised] = [await makeTicket(api), await makeTicket(api)];
    (await api.patch(`/tickets/${changed.id}`, { team_id: team.id })).expect(200);
    (await api.post(`/tickets/${raised.id}/escalate`, { to_team_id: team.id })).expect(200);
    const ruled = await settledTicket(server, workspace, (await makeTicket(api, { subject: 'To the team' })).id);
    for (const { id } of [byName, byCategory, changed, raised, ruled]) {
      expect((await api.get(`/tickets/${id}`)).data.assigned_to).toBe(only.id);
      expect(await reasonOf(id)).toEqual(byTurn);
    }
    expect((await api.get(`/tickets/${changed.id}/history`)).rows[0]?.events).toEqual([
      'ticket.updated',
      'ticket.assigned',
    ]);
  });

  it('by a batch, a macro, a bulk job and a message of a channel, never to who is away', async () => {
    const team = await sharingTeam();
    const only = await member(team);
    const out_of_office = { from: '2020-01-01T00:00:00Z', to: '2090-01-01T00:00:00Z' };
    await member(team, { out_of_office });
    const actions = [{ type: 'set_field', field: 'team_id', value: team.id }];
    const [batched, touched, many] = await Promise.all([1, 2, 3].map(() => makeTicket(api)));
    const macro = (await api.post('/macros', { name: 'To them', actions })).expect(201).data;
    (await api.post(`/tickets/${touched?.id ?? 0}/macros/${macro.id}`)).expect(200);
    const { results } = await runBatch(api, [
      { op: 'update', id: batched?.id ?? 0, data: { team_id: team.id } },
      { op: 'create', data: { subject: 'In a batch', team_id: team.id } },
    ]);
    const created = results[1]?.data;
    (await api.post('/tickets/bulk', { ids: [many?.id], actions })).expect(202);
    const channel = await apiChannel(api, null, { team_id: team.id });
    const { ticket } = await handedIn(api, channel, { from: ADA, body: 'Hello', external_message_id: 'm1' });
    await drained(server, workspace);
    for (const one of [batched, touched, many, created, ticket]) {
      const id = one?.id ?? 0;
      expect((await api.get(`/tickets/${id}`)).expect(200).data.assigned_to).toBe(only.id);
      expect(await reasonOf(id)).toEqual({ ...byTurn, candidates: 2, passed_over: { out_of_office: 1 } });
    }
  });

  it('by a hand-over of the AI engine, of a conversation about nothing yet or about a ticket', async () => {
    const team = await sharingTeam();
    const only = await member(team);
    (await api.patch('/ai-engine/settings', { handover_team_id: team.id })).expect(200);
    const message = 'Let me talk to a human';
    const begun = (await api.post('/ai-engine/conversations', { message })).expect(201).data;
    const { id: about } = await makeTicket(api);
    const led = (await api.post('/ai-engine/conversations', { message, ticket_id: about })).expect(201).data;
    expect([led.ticket_id, led.handover_to_team_id]).toEqual([about, team.id]);
    for (const id of [Number(begun.ticket_id), about]) {
      expect((await api.get(`/tickets/${id}`)).data).toMatchObject({ team_id: team.id, assigned_to: only.id });
      expect(await reasonOf(id)).toEqual(byTurn);
    }
    const { id: had } = await makeTicket(api, { assigned_to: (await makeUser(api)).id });
    (await api.post('/ai-engine/conversations', { message, ticket_id: had })).expect(201);
    expect((await api.get(`/tickets/${had}`)).data.assigned_to).not.toBe(only.id);
  });

  it('and nothing else: what has an assignee, is done, is taken away; nor does one that is not active, or by hand', async () => {
    const team = await sharingTeam();
    const only = await member(team);
    const other = await makeUser(api);
    const had = await makeTicket(api, { team_id: team.id, assigned_to: other.id });
    expect(await reasonOf(had.id)).toEqual({ way: 'person' });
    const moved = await makeTicket(api, { assigned_to: other.id });
    expect((await api.patch(`/tickets/${moved.id}`, { team_id: team.id })).expect(200).data.assigned_to).toBe(other.id);
    expect((await makeTicket(api, { team_id: team.id, status: 'closed' })).assigned_to).toBeNull();
    const mine = await makeTicket(api, { team_id: team.id });
    expect(mine.assigned_to).toBe(only.id);
    const taken = (await api.post(`/tickets/${mine.id}/assign`, { user_id: null })).expect(200);
    expect(taken.data.assigned_to).toBeNull();
    for (const assignment of [{ method: 'manual' }, { method: 'round_robin' }]) {
      const is_active = assignment.method === 'manual';
      (await api.patch(`/teams/${team.id}`, { assignment, is_active })).expect(200);
      expect((await makeTicket(api, { team_id: team.id })).assigned_to).toBeNull();
    }
  });

  it('shares 20 that come at once fairly, with nobody over a limit, alone and in batches', async () => {
    const team = await sharingTeam({ max_open_per_agent: 9 });
    const [small, one, two] = [await member(team, { max_open_tickets: 2 }), await member(team), await member(team)];
    const single = (): Promise<unknown> => insist(() => api.post('/tickets', { subject: 'x', team_id: team.id }));
    const operations = Array.from({ length: 5 }, () => ({ op: 'create', data: { subject: 'x', team_id: team.id } }));
    const batch = (): Promise<unknown> => insist(() => api.post('/tickets/batch', { operations }));
    await Promise.all([...Array.from({ length: 10 }, single), batch(), batch()]);
    expect(await sharesOf()).toEqual({ [small.id]: 2, [one.id]: 9, [two.id]: 9 });
    // Everybody has what they take: the next is nobody's.
    expect((await makeTicket(api, { team_id: team.id })).assigned_to).toBeNull();
  });

  it('by who has least to do, and who is online first', async () => {
    const team = await sharingTeam({ method: 'least_loaded' });
    const [busy, free] = [await member(team), await member(team)];
    for (let n = 0; n < 2; n++) await makeTicket(api, { assigned_to: busy.id });
    expect((await makeTicket(api, { team_id: team.id })).assigned_to).toBe(free.id);
    (await api.patch(`/users/${busy.id}`, { availability: 'online' })).expect(200);
    const { id, assigned_to } = await makeTicket(api, { team_id: team.id });
    expect([assigned_to, await reasonOf(id)]).toEqual([
      busy.id,
      { way: 'team', strategy: 'least_loaded', candidates: 2, presence: 'online' },
    ]);
  });

  it('last to who is outside their hours', async () => {
    const team = await sharingTeam();
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    const weekday = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][new Date(day).getUTCDay()] ?? 'sun';
    const schedule = { mode: 'business_hours', timezone: 'UTC', weekly: { [weekday]: [['10:00', '11:00']] } };
    const outside = await member(team, { availability: 'online', schedule });
    const away = await member(team, { availability: 'away', max_open_tickets: 1 });
    expect((await makeTicket(api, { team_id: team.id })).assigned_to).toBe(away.id);
    const { id, assigned_to } = await makeTicket(api, { team_id: team.id });
    expect([assigned_to, await reasonOf(id)]).toEqual([
      outside.id,
      { ...byTurn, candidates: 2, passed_over: { no_room: 1 }, presence: 'outside_hours' },
    ]);
  });
});

describe('skills', () => {
  it('of ticket and category are needed both, by whoever is found', async () => {
    const team = await sharingTeam();
    const lead = await makeUser(api, { skills: ['VPN'] });
    await member(team, { skills: ['vpn'] });
    const both = await member(team, { skills: ['vpn', 'billing'] });
    const category = await make(api, '/categories', {
      required_skills: ['Billing'],
      default_assignee_id: lead.id,
      default_team_id: team.id,
    });
    const ticket = await makeTicket(api, { category_id: category.id, required_skills: ['VPN'] });
    expect([ticket.assigned_to, ticket.required_skills]).toEqual([both.id, ['vpn']]);
    expect(await reasonOf(ticket.id)).toEqual({ ...byTurn, candidates: 2, passed_over: { lacks_skills: 1 } });
    expect((await api.get('/tickets?required_skill=VPN,zzz&q=ticket')).expect(200).meta.total).toBe(1);
  });

  it('are needed by a stand-in, and by the assignee of a category; who is named may lack them, and the history says so', async () => {
    const unskilled = await makeUser(api);
    const absent = await makeUser(api, {
      out_of_office: { from: '2020-01-01T00:00:00.000Z', replacement_user_id: unskilled.id },
    });
    const needs = { required_skills: ['vpn', 'billing'] };
    const named = await makeTicket(api, { ...needs, assigned_to: absent.id });
    expect(named.assigned_to).toBe(absent.id);
    expect(await reasonOf(named.id)).toEqual({ way: 'person', lacks_skills: ['vpn', 'billing'] });
    const category = await make(api, '/categories', { default_assignee_id: absent.id });
    expect((await makeTicket(api, { ...needs, category_id: category.id })).assigned_to).toBeNull();
    const { id, assigned_to } = await makeTicket(api, { category_id: category.id });
    expect([assigned_to, await reasonOf(id)]).toEqual([unskilled.id, { way: 'category', stand_in_for: absent.id }]);
  });
});

describe('/assign with a strategy', () => {
  it('finds somebody of the team that is named, and gives it the ticket; else of its own, else of all', async () => {
    const team = await make(api, '/teams');
    const one = await member(team);
    const two = await member(team);
    const { id } = await makeTicket(api);
    const first = (await api.post(`/tickets/${id}/assign`, { strategy: 'round_robin', team_id: team.id })).expect(200);
    expect([first.data.assigned_to, first.data.team_id]).toEqual([one.id, team.id]);
    const next = (await api.post(`/tickets/${id}/assign`, { strategy: 'round_robin' })).expect(200);
    expect(next.data.assigned_to).toBe(two.id);
    expect(await reasonOf(id)).toEqual({
      way: 'strategy',
      strategy: 'round_robin',
      candidates: 2,
      presence: 'offline',
    });
    const { id: nobodys } = await makeTicket(api);
    const least = (await api.post(`/tickets/${nobodys}/assign`, { strategy: 'least_loaded' })).expect(200);
    expect(least.data.assigned_to).toBe(one.id);
    const [result] = (await runBatch(api, [{ op: 'assign', id: nobodys, data: { strategy: 'last_agent' } }])).results;
    expect(result?.status).toBe(422);
  });

  it('says why nobody is found, and what is wrong with the request', async () => {
    const team = await make(api, '/teams');
    await member(team, { out_of_office: { from: '2020-01-01T00:00:00.000Z' } });
    await member(team, { status: 'suspended' });
    const { id } = await makeTicket(api);
    const refused = async (body: object): Promise<Answer> =>
      (await api.post(`/tickets/${id}/assign`, body)).expect(422);
    expect((await refused({ strategy: 'round_robin', team_id: team.id })).error).toMatchObject({
      message: `No member of team ${team.id} can be given the ticket (1 out_of_office, 1 not_active).`,
      details: [{ field: 'strategy', code: 'no_candidate', candidates: 2 }],
    });
    for (const [body, codes] of [
      [{ strategy: 'round_robin', team_id: 999_999 }, { team_id: 'not_found' }],
      [{ strategy: 'random' }, { strategy: 'enum' }],
      [{ strategy: 'last_agent', user_id: 1 }, { user_id: 'invalid' }],
      [{ team_id: team.id }, { user_id: 'required' }],
    ] as const)
      expect((await refused(body)).codes).toEqual(codes);
  });

  it('by a rule is told as the rule’s choice', async () => {
    const team = await make(api, '/teams');
    const only = await member(team);
    await makeRule(workspace, { actions: [{ type: 'assign', strategy: 'least_loaded', team_id: team.id }] });
    const { id } = await makeTicket(api);
    expect((await settledTicket(server, workspace, id)).assigned_to).toBe(only.id);
    expect(await reasonOf(id)).toMatchObject({ way: 'automation', strategy: 'least_loaded', candidates: 1 });
  });
});
