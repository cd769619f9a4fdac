import type { Answer } from '../support/api';
import { useApp } from '../support/app';
import { make, makeTicket, makeUser } from '../support/cast';
import { makePerson } from '../support/people';
import { until } from '../support/until';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let home: TestWorkspace;
beforeAll(async () => {
  home = await makeWorkspace(server);
});

describe('a role', () => {
  it('bounds a token within its scopes; both refusals say which it was', async () => {
    const agent = await makePerson(server, home, { role: 'agent' });
    const reader = await makePerson(server, home, { role: 'admin' }, ['read']);
    const refused = (await agent.api.post('/webhooks', {})).expect(403).error;
    expect(refused).toMatchObject({
      type: 'insufficient_scope',
      details: [{ field: 'role', code: 'permission', permission: 'webhooks.create' }],
    });
    expect((await reader.api.post('/tickets', { subject: 'x' })).expect(403).error.details).toMatchObject([
      { code: 'scope', scope: 'write' },
    ]);
    (await agent.api.get('/no-such-path')).expect(404);
  });

  it('of the workspace takes the place of the built-in one, also while tokens are in use', async () => {
    const role = await make(home.api, '/roles', { permissions: ['tickets.read', 'stats.read'] });
    const person = await makePerson(server, home, { role: 'supervisor', role_id: role.id });
    (await person.api.get('/tickets')).expect(200);
    expect((await person.api.get('/companies')).expect(403).error.message).toContain(role.name as string);
    const { user, permissions } = (await person.api.get('/me')).data as { user?: object; permissions?: string[] };
    expect(user).toMatchObject({
      ...{ id: person.id, role: 'supervisor', custom_role: { id: role.id, name: role.name } },
      ...{ ticket_scope: 'all', team_ids: [], is_on_behalf: false },
    });
    const everybodys = ['custom-fields.read', 'me.read', 'search.read', 'users.self'];
    expect(permissions?.sort()).toEqual([...everybodys, 'stats.read', 'tickets.read'].sort());
    (await home.api.patch(`/roles/${role.id}`, { permissions: ['companies.read'] })).expect(200);
    await until('the role is known', async () => (await person.api.get('/companies')).status === 200);
    (await person.api.get('/tickets')).expect(403);
    expect((await home.api.delete(`/roles/${role.id}`)).expect(422).codes).toEqual({ id: 'in_use' });
    (await home.api.patch(`/users/${person.id}`, { role_id: null })).expect(200);
    await until('the built-in role holds', async () => (await person.api.get('/tickets')).status === 200);
    (await home.api.delete(`/roles/${role.id}`)).expect(200);
  });

  it('is not for owners and admins, and must be there', async () => {
    const role = await make(home.api, '/roles', {});
    const body = { name: 'X', email: 'x@example.com' };
    expect((await home.api.post('/users', { ...body, role: 'admin', role_id: role.id })).expect(422).codes).toEqual({
      role_id: 'conflict',
    });
    (await home.api.post('/users', { ...body, role_id: 999_999_999 })).expect(422);
  });

  it('is listed with what it may', async () => {
    const pages = [1, 2].map((page) => home.api.get(`/roles/permissions?per_page=100&page=${page}`));
    const rows = (await Promise.all(pages)).flatMap((page) => page.expect(200).rows);
    const byName = new Map(rows.map((row) => [row.name, row]));
    expect(byName.get('tickets.reply')).toMatchObject({
      roles: ['owner', 'admin', 'supervisor', 'agent'],
      is_everyones: false,
    });
    expect(byName.get('users.owners')?.roles).toEqual(['owner']);
    expect(byName.get('me.read')?.is_everyones).toBe(true);
  });
});

describe('nobody gives or takes rights that they do not have', () => {
  it('an admin neither makes owners nor touches them', async () => {
    const owner = await makePerson(server, home, { role: 'owner' });
    const admin = await makePerson(server, home, { role: 'admin' });
    const body = { name: 'New', email: 'new-owner@example.com' };
    (await admin.api.post('/users', { ...body, role: 'owner' })).expect(403);
    (await admin.api.patch(`/users/${admin.id}`, { role: 'owner' })).expect(403);
    for (const change of [{ role: 'agent' }, { status: 'suspended' }, { email: 'mine@example.com' }])
      (await admin.api.patch(`/users/${owner.id}`, change)).expect(403);
    (await admin.api.delete(`/users/${owner.id}`)).expect(403);
    (await admin.api.patch(`/users/${owner.id}`, { title: 'Founder' })).expect(200);
    const made = (await admin.api.post('/users', { ...body, role: 'admin' })).expect(201).data;
    (await owner.api.patch(`/users/${made.id}`, { role: 'owner' })).expect(200);
  });

  it('a custom role that may change users makes nobody more than itself, by user or by role', async () => {
    const role = await make(home.api, '/roles', {
      permissions: ['users.read', 'users.create', 'users.update', 'roles.read', 'roles.create', 'roles.update'],
    });
    const clerk = await makePerson(server, home, { role_id: role.id });
    const other = await makeUser(home.api, { role_id: role.id });
    const plain = await makeUser(home.api);
    (await clerk.api.patch(`/users/${other.id}`, { role_id: null })).expect(403);
    (await clerk.api.patch(`/users/${plain.id}`, { status: 'suspended' })).expect(403);
    (await clerk.api.patch(`/roles/${role.id}`, { permissions: ['tickets.delete'] })).expect(403);
    (await clerk.api.post('/roles', { name: 'More', permissions: ['tickets.read'] })).expect(403);
    (await clerk.api.post('/roles', { name: 'Less', permissions: ['users.read'] })).expect(201);
    (await clerk.api.patch(`/users/${other.id}`, { status: 'suspended' })).expect(200);
  });

  it('who sees few tickets lets nobody see more', async () => {
    const admin = await makePerson(server, home, { role: 'admin', ticket_scope: 'assigned' });
    for (const ticket_scope of ['all', 'teams'])
      (await admin.api.patch(`/users/${admin.id}`, { ticket_scope })).expect(403);
    const team = await make(home.api, '/teams');
    const lead = await makePerson(server, home, { role: 'admin', ticket_scope: 'teams' });
    (await lead.api.patch(`/users/${lead.id}`, { team_ids: [team.id] })).expect(403);
  });

  it('who sees the tickets of some teams lets nobody see those of others by a role', async () => {
    const [own, other] = [await make(home.api, '/teams'), await make(home.api, '/teams')];
    const lead = await makePerson(server, home, { role: 'admin', ticket_scope: 'teams', team_ids: [own.id] });
    const role = await make(home.api, '/roles', { permissions: ['tickets.read'], ticket_scope: 'assigned' });
    const user = await makeUser(home.api, { role_id: role.id, team_ids: [own.id, other.id] });
    const widened = (): Promise<Answer> => lead.api.patch(`/roles/${role.id}`, { ticket_scope: 'teams' });
    expect((await widened()).expect(403).error.details).toMatchObject([{ field: 'team_ids', code: 'permission' }]);
    (await home.api.patch(`/users/${user.id}`, { team_ids: [own.id] })).expect(200);
    (await widened()).expect(200);
  });

  it('a role stays while a directory gives it', async () => {
    const role = await make(home.api, '/roles', { permissions: ['tickets.read'] });
    const mapped = { role_mappings: [{ group: 'staff', role: 'agent', role_id: role.id }] };
    const body = { type: 'json', name: 'Head office', ...mapped };
    const connection = (await home.api.post('/active-directory/connections', body)).expect(201).data;
    const refused = (await home.api.delete(`/roles/${role.id}`)).expect(422).error.details;
    expect(refused).toMatchObject([{ field: 'id', code: 'in_use', connections: 1 }]);
    (await home.api.patch(`/active-directory/connections/${connection.id}`, { role_mappings: [] })).expect(200);
    (await home.api.delete(`/roles/${role.id}`)).expect(200);
  });

  it('everybody changes their own profile, and what says who they are is left to others', async () => {
    const agent = await makePerson(server, home, { role: 'light_agent' });
    const other = await makeUser(home.api);
    (await agent.api.patch(`/users/${agent.id}`, { availability: 'online', title: 'Helper' })).expect(200);
    for (const change of [{ role: 'admin' }, { ticket_scope: 'all' }, { team_ids: [] }, { status: 'active' }])
      (await agent.api.patch(`/users/${agent.id}`, change)).expect(403);
    (await agent.api.patch(`/users/${other.id}`, { title: 'Mine' })).expect(403);
  });
});

describe('a light agent', () => {
  it('writes internal notes only, and changes its own alone, in batches too', async () => {
    const light = await makePerson(server, home, { role: 'light_agent' });
    const ticket = await makeTicket(home.api);
    const path = `/tickets/${ticket.id}/comments`;
    expect((await light.api.post(path, { body: 'Hello' })).expect(403).error.details).toMatchObject([
      { code: 'permission', permission: 'tickets.reply' },
    ]);
    (await light.api.post(path, { body: 'Hi', author_type: 'requester' })).expect(403);
    const note = (await light.api.post(path, { body: 'Note', is_internal: true })).expect(201).data;
    expect(note).toMatchObject({ author_id: light.id, author_name: light.name, is_internal: true });
    (await light.api.patch(`${path}/${note.id}`, { body: 'Better' })).expect(200);
    const theirs = (await home.api.post(path, { body: 'Theirs', is_internal: true })).expect(201).data;
    const reply = (await home.api.post(path, { body: 'Reply' })).expect(201).data;
    for (const id of [theirs.id, reply.id]) {
      (await light.api.patch(`${path}/${id}`, { body: 'x' })).expect(403);
      (await light.api.delete(`${path}/${id}`)).expect(403);
    }
    (await light.api.delete(`${path}/${note.id}`)).expect(200);
    (await light.api.patch(`/tickets/${ticket.id}`, { priority: 'low' })).expect(403);
    const operations = [
      { op: 'comment', id: ticket.id, data: { body: 'Seen', is_internal: true } },
      { op: 'comment', id: ticket.id, data: { body: 'Public' } },
      { op: 'update', id: ticket.id, data: { priority: 'low' } },
      { op: 'create', data: { subject: 'New' } },
    ];
    const { results } = (await light.api.post('/tickets/batch', { operations })).expect(200).data as unknown as {
      results: { status: number }[];
    };
    expect(results.map(({ status }) => status)).toEqual([201, 403, 403, 403]);
  });
});
