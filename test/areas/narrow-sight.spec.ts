import type { Api } from '../support/api';
import { useApp } from '../support/app';
import { make, makeTicket, makeUser } from '../support/cast';
import { makePerson, type Person } from '../support/people';
import { until } from '../support/until';
import { uploaded } from '../support/uploads';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let home: TestWorkspace;
let admin: Person;
let own: number;
beforeAll(async () => {
  home = await makeWorkspace(server);
  const team = await make(home.api, '/teams');
  own = team.id;
  admin = await makePerson(server, home, { role: 'admin', ticket_scope: 'teams', team_ids: [own] });
});

describe('who sees the tickets of some teams alone, whatever else they may', () => {
  it('lets nobody into teams whose tickets they do not see', async () => {
    const other = await make(home.api, '/teams');
    const user = await makeUser(home.api, { role: 'agent', ticket_scope: 'teams' });
    const refusals = [
      await admin.api.patch(`/users/${user.id}`, { team_ids: [own, other.id] }),
      await admin.api.put(`/teams/${other.id}/members/${user.id}`),
      await admin.api.post('/users', { name: 'New', email: 'new@x.test', ticket_scope: 'teams', team_ids: [other.id] }),
    ];
    for (const refused of refusals)
      expect(refused.expect(403).error.details).toMatchObject([{ field: 'team_ids', code: 'permission' }]);
    (await admin.api.patch(`/users/${user.id}`, { team_ids: [own] })).expect(200);
    const far = await makeUser(home.api, { role: 'agent', ticket_scope: 'assigned', team_ids: [other.id] });
    (await admin.api.patch(`/users/${far.id}`, { title: 'Lead' })).expect(200);
    (await admin.api.patch(`/users/${far.id}`, { ticket_scope: 'teams' })).expect(403);
  });

  it('does not have what somebody else works on given to a person of their choice', async () => {
    const busy = await makeUser(home.api, { role: 'agent' });
    await makeTicket(home.api, { assigned_to: busy.id });
    const away = { from: '2026-01-01T00:00:00.000Z', replacement_user_id: admin.id, reassign_open_tickets: true };
    const refusals = [
      await admin.api.delete(`/users/${busy.id}?reassign_to=${admin.id}`),
      await admin.api.patch(`/users/${busy.id}`, { out_of_office: away }),
      await admin.api.post('/users', { name: 'New', email: 'away@x.test', out_of_office: away }),
    ];
    for (const refused of refusals)
      expect(refused.expect(403).error.details).toMatchObject([{ field: 'ticket_scope', code: 'permission' }]);
    // Their own, what is stored already, and what others decide.
    const other = { ...away, replacement_user_id: busy.id };
    (await admin.api.patch(`/users/${admin.id}`, { out_of_office: other })).expect(200);
    (await home.api.patch(`/users/${busy.id}`, { out_of_office: { ...away, from: '2036-01-01T00:00:00Z' } })).expect(
      200,
    );
    const { out_of_office } = (await admin.api.get(`/users/${busy.id}`)).data;
    (await admin.api.patch(`/users/${busy.id}`, { out_of_office, title: 'Lead' })).expect(200);
    (await admin.api.delete(`/users/${busy.id}?reassign_to=none`)).expect(200);
  });

  it('has no export of a contact, for it holds tickets of others', async () => {
    const contact = await make(home.api, '/contacts');
    (await home.api.get(`/contacts/${contact.id}/export`)).expect(200);
    const refused = (await admin.api.get(`/contacts/${contact.id}/export`)).expect(403);
    expect(refused.error.details).toMatchObject([{ field: 'ticket_scope', code: 'permission' }]);
  });

  it('sees of deliveries those of what they see, and sets up nothing that is told of everything', async () => {
    const asked = { url: 'http://127.0.0.1:9/', events: ['ticket.created'] };
    const webhook = (await home.api.post('/webhooks', asked)).expect(201).data;
    const path = `/webhooks/${String(webhook.id)}`;
    const hidden = await makeTicket(home.api);
    const seen = await makeTicket(home.api, { team_id: own });
    await until('both are told of', async () => (await home.api.get(`${path}/deliveries`)).meta.total === 2);
    const [delivery, ...others] = (await admin.api.get(`${path}/deliveries`)).expect(200).rows;
    expect([delivery?.request_body, others]).toEqual([expect.stringContaining(seen.code as string), []]);
    const all = (await home.api.get(`${path}/deliveries`)).rows;
    const ofHidden = all.find(({ request_body: body }) => String(body).includes(hidden.code as string));
    (await admin.api.get(`${path}/deliveries/${String(ofHidden?.id)}`)).expect(404);
    (await admin.api.post('/webhooks', { url: 'https://x.example/', events: ['ticket.created'] })).expect(403);
    (await admin.api.patch(path, { url: 'https://x.example/' })).expect(403);
    (await admin.api.post(`${path}/replay`, { since: '2020-01-01T00:00:00Z' })).expect(403);
  });

  it('makes no rules about all tickets, and does not say where what is said about them leaves to', async () => {
    const call = { type: 'webhook', url: 'https://elsewhere.example/' };
    const rule = { name: 'All', trigger: { event: 'ticket.created' }, actions: [call] };
    const hour = { first_response_minutes: 60, resolution_minutes: 60 };
    const policy = { name: 'All', is_active: false, targets: { urgent: hour, high: hour, medium: hour, low: hour } };
    const { id: automation } = await make(home.api, '/automations', rule);
    const { id: kept } = await make(home.api, '/sla', policy);
    const { id: channel } = await make(home.api, '/teams/channels', {
      type: 'api',
      config: { secret: 's'.repeat(24) },
    });
    const refusals = [
      await admin.api.post('/automations', rule),
      await admin.api.patch(`/automations/${automation}`, { actions: [call] }),
      await admin.api.post('/sla', policy),
      await admin.api.patch(`/sla/${kept}`, { name: 'Mine' }),
      await admin.api.patch(`/teams/channels/${channel}`, { config: { url: 'https://elsewhere.example/' } }),
      await admin.api.patch('/ai-engine/settings', { tone: 'formal' }),
    ];
    for (const refused of refusals)
      expect(refused.expect(403).error.details).toMatchObject([{ field: 'ticket_scope', code: 'permission' }]);
    const { config } = (await home.api.get(`/teams/channels/${channel}`)).data;
    (await admin.api.patch(`/teams/channels/${channel}`, { topic: 'Orders', config })).expect(200);
    const scoped = await makePerson(server, home, { role: 'admin' });
    (await scoped.api.patch(`/automations/${automation}`, { actions: [call] })).expect(200);
    (await scoped.api.patch(`/sla/${kept}`, { name: 'Mine' })).expect(200);
  });

  it('lets no macro that others apply write to addresses of their own', async () => {
    const call = { type: 'webhook', url: 'https://elsewhere.example/' };
    const mail = { type: 'send_email', to: ['me@elsewhere.example'], subject: 'Hi', body: 'Hello' };
    const answer = { type: 'send_email', to: 'requester', subject: 'Hi', body: 'Hello' };
    const ticket = { type: 'create_ticket', subject: '{{ticket.subject}}', requester_email: 'me@elsewhere.example' };
    const type = await make(home.api, '/meetings/types', { host_ids: [admin.id], duration_minutes: 30 });
    const meeting = { type: 'create_meeting', type_id: type.id, attendee_email: 'me@elsewhere.example' };
    const notice = { type: 'notify', user_ids: [admin.id], message: '{{ticket.subject}}' };
    const mine = await make(admin.api, '/macros', { actions: [call], sharing: 'private' });
    const known = await make(home.api, '/macros', { actions: [call, mail] });
    const refusals = [
      await admin.api.post('/macros', { name: 'Call', actions: [call] }),
      await admin.api.post('/macros', { name: 'Mail', actions: [mail], sharing: 'teams', team_ids: [own] }),
      await admin.api.post('/macros', { name: 'Ticket', actions: [ticket] }),
      await admin.api.post('/macros', { name: 'Meeting', actions: [meeting] }),
      await admin.api.post('/macros', { name: 'Notice', actions: [notice] }),
      await admin.api.patch(`/macros/${mine.id}`, { sharing: 'everyone' }),
      await admin.api.patch(`/macros/${known.id}`, { actions: [{ ...call, url: 'https://mine.example/' }, mail] }),
    ];
    for (const refused of refusals)
      expect(refused.expect(403).error.details).toMatchObject([{ field: 'ticket_scope', code: 'permission' }]);
    (await admin.api.patch(`/macros/${known.id}`, { name: 'Known', actions: [answer, mail] })).expect(200);
    const copy = { ...ticket, requester_email: '{{requester.email}}' };
    (await admin.api.post('/macros', { name: 'Answer', actions: [answer, copy] })).expect(201);
    const whole = await makePerson(server, home, { role: 'agent' });
    (await whole.api.post('/macros', { name: 'Whole', actions: [call] })).expect(201);
  });

  it('is not told whether there is what they do not see', async () => {
    const hidden = await makeTicket(home.api);
    const seen = await makeTicket(home.api, { team_id: own });
    for (const body of [{ parent_id: hidden.id }, { parent_id: 8_999_999_999_999 }]) {
      const { error } = (await admin.api.patch(`/tickets/${seen.id}`, body)).expect(422);
      expect(error.message).toBe('"parent_id" names a record that does not exist.');
    }
  });
});

it('a file that no record has named is there for who sent it alone', async () => {
  const agent = await makePerson(server, home, { role: 'agent' });
  const other = await makePerson(server, home, { role: 'light_agent' });
  const file = await uploaded(agent.api, 'private list', 'list.txt');
  const path = `/attachments/${String(file.id)}`;
  for (const each of [agent.api, home.api]) (await each.get(path)).expect(200);
  for (const each of [path, `${path}/content`]) (await other.api.get(each)).expect(404);
  const ticket = await makeTicket(home.api);
  const body = { body: 'See there', is_internal: true, attachment_ids: [file.id] };
  const refused = (await other.api.post(`/tickets/${ticket.id}/comments`, body)).expect(422);
  expect(refused.codes).toEqual({ attachment_ids: 'not_found' });
  (await agent.api.post(`/tickets/${ticket.id}/comments`, body)).expect(201);
  (await other.api.get(`${path}/content`)).expect(200);
});

it('what policies and users are called is told to nobody who may not read them', async () => {
  const role = await make(home.api, '/roles', { permissions: ['tickets.read', 'teams.read'] });
  const reader = await makePerson(server, home, { role_id: role.id });
  const { id } = await makeTicket(home.api);
  const team = await make(home.api, '/teams');
  const member = await makeUser(home.api, { team_ids: [team.id], max_open_tickets: 5 });
  const path = `/teams/${team.id}/metrics`;
  const told = [
    [home.api, 'Standard', { name: member.name, availability: 'offline', limit: 5 }],
    [reader.api, null, { name: null, availability: null, limit: null }],
  ] as const;
  for (const [api, name, user] of told) {
    const policy = { id: expect.any(Number) as unknown, name, version: 1 };
    expect((await api.get(`/tickets/${id}/sla`)).expect(200).data).toMatchObject({ policy });
    expect((await api.get(`/tickets/${id}?expand=sla`)).expect(200).data.sla).toMatchObject({ policy });
    expect((await api.get(path)).expect(200).data.members).toMatchObject([{ user_id: member.id, ...user }]);
  }
});

it('is told nothing of tickets and contacts by counts and moments, whose role reads none', async () => {
  const company = await make(home.api, '/companies');
  const contact = await make(home.api, '/contacts', { company_id: company.id });
  const category = await make(home.api, '/categories');
  const team = await make(home.api, '/teams');
  const member = await makeUser(home.api, { team_ids: [team.id] });
  const about = { requester_email: contact.email, company_id: company.id, category_id: category.id };
  const ticket = await makeTicket(home.api, { ...about, team_id: team.id, assigned_to: member.id });
  const own = await makePerson(server, home, { ticket_scope: 'assigned' });
  const permissions = ['companies.read', 'categories.read', 'users.read', 'teams.read'];
  const clerk = await makePerson(server, home, { role_id: (await make(home.api, '/roles', { permissions })).id });
  const greeter = await makePerson(server, home, {
    role_id: (await make(home.api, '/roles', { permissions: ['contacts.read'] })).id,
  });
  for (const [api, n] of [
    [home.api, 1],
    [clerk.api, 0],
  ] as const) {
    const counts = { contact_count: n, open_ticket_count: n };
    expect((await api.get(`/companies/${company.id}`)).expect(200).data).toMatchObject(counts);
    expect((await api.get(`/categories/${category.id}`)).expect(200).data.ticket_count).toBe(n);
    expect((await api.get(`/users/${member.id}`)).expect(200).data.open_ticket_count).toBe(n);
    const { members } = (await api.get(`/teams/${team.id}/metrics`)).expect(200).data;
    expect(members).toMatchObject([{ user_id: member.id, tickets: { open: n } }]);
  }
  const seen = async (api: Api): Promise<unknown> =>
    (await api.get(`/contacts?email=${String(contact.email)}`)).expect(200).rows[0]?.last_seen_at;
  expect([await seen(home.api), await seen(own.api), await seen(greeter.api)]).toEqual([ticket.created_at, null, null]);
});
