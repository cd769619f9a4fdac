import type { Api, Fields } from '../support/api';
import { useApp } from '../support/app';
import { make, makeUser } from '../support/cast';
import { pushed } from '../support/directory';
import { eventsOf } from '../support/event-log';
import { drained } from '../support/jobs';
import { makePerson } from '../support/people';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

// With workers: runs are done as they are anywhere.
const server = useApp();
const sql = useSql();

const staff = (...members: string[]): object => ({ object_guid: 'staff', name: 'Staff', members });
const MAPPED = { role_mappings: [{ group: 'staff', role: 'agent' }] };

/** A workspace with a directory that is sent to it. */
async function connected(values: object = MAPPED): Promise<{ workspace: TestWorkspace; api: Api; connection: Fields }> {
  const workspace = await makeWorkspace(server);
  const body = { type: 'json', name: 'Head office', ...values };
  const connection = (await workspace.api.post('/active-directory/connections', body)).expect(201).data;
  return { workspace, api: workspace.api, connection };
}

/** Begins a run, and waits for its end. */
async function ran(workspace: TestWorkspace, path: string, body: object): Promise<Fields> {
  const { id } = (await workspace.api.post(`/active-directory/${path}`, body)).expect(200).data;
  await drained(server, workspace);
  return (await workspace.api.get(`/active-directory/sync/runs/${id}`)).expect(200).data;
}
const push = (workspace: TestWorkspace, body: object): Promise<Fields> => ran(workspace, 'import', body);

const usersOf = async (api: Api): Promise<Fields[]> =>
  (await api.get('/users?sort=email&fields=id,email,name,role,status,team_ids,source,manager_id,directory_user_id'))
    .rows;
const peopleOf = async (api: Api): Promise<Fields[]> =>
  (await api.get('/active-directory/users?sort=display_name')).rows;

describe('what people decide', () => {
  it('links, parts and ignores, and a conflict waits for it', async () => {
    const { workspace, api } = await connected();
    await push(workspace, { users: [pushed('a')], groups: [staff('a', 'b')] });
    const twin = await push(workspace, { users: [pushed('b', { email: 'a@acme.example' })] });
    expect(twin).toMatchObject({ status: 'completed', counts: { warnings: 1 } });
    const [a, b] = await peopleOf(api);
    expect(b).toMatchObject({ link_status: 'conflict', user_id: null, last_error: { code: 'taken' } });
    const other = await makeUser(api, { email: 'other@acme.example', role: 'supervisor' });
    expect(
      (await api.post(`/active-directory/users/${b?.id}/link`, { user_id: a?.user_id })).expect(422).codes,
    ).toEqual({ user_id: 'in_use' });
    const linked = (await api.post(`/active-directory/users/${b?.id}/link`, { user_id: other.id })).expect(200).data;
    expect(linked).toMatchObject({ link_status: 'linked', user_id: other.id });
    (await api.post(`/active-directory/users/${a?.id}/ignore`, {})).expect(200);
    const [own] = await usersOf(api);
    expect(own).toMatchObject({ source: 'local', directory_user_id: null });
    await push(workspace, { users: [pushed('a', { display_name: 'Renamed' }), pushed('b', { title: 'Lead' })] });
    const users = await usersOf(api);
    expect(users.map(({ name, role }) => [name, role])).toEqual([
      ['Person a', 'agent'],
      ['Person b', 'supervisor'],
    ]);
    expect((await peopleOf(api)).map(({ link_status }) => link_status)).toEqual(['linked', 'ignored']);
  });

  it('approves and stops only runs in a state for that', async () => {
    const { workspace, api } = await connected();
    const done = await push(workspace, { users: [pushed('a')], groups: [staff('a')] });
    const act = (action: string): ReturnType<Api['post']> =>
      api.post(`/active-directory/sync/runs/${done.id}/${action}`, {});
    for (const action of ['approve', 'cancel']) {
      const [problem] = (await act(action)).expect(422).error.details ?? [];
      expect(problem).toMatchObject({ field: 'status', code: 'invalid_transition', from: 'completed' });
    }
    await sql.rows(`UPDATE directory_runs SET status = 'cancelled' WHERE id = $1`, [done.id]);
    expect((await act('cancel')).expect(200).data.status).toBe('cancelled');
  });

  it('tells, by the names of the product reference too, whom a run linked and who lost access by it', async () => {
    const { workspace, api } = await connected();
    const known = await makeUser(api, { email: 'a@acme.example' });
    await push(workspace, { users: [pushed('a')], groups: [staff('a')] });
    await push(workspace, { users: [pushed('a', { enabled: false })] });
    expect((await usersOf(api))[0]).toMatchObject({ id: known.id, status: 'deactivated' });
    const [person] = await peopleOf(api);
    const told = await eventsOf(server, workspace, 'directory_user', person?.id ?? 0);
    expect(told.map(({ type }) => type)).toEqual(['directory_user.linked', 'directory_user.disabled']);
    const url = 'https://hooks.example.com/directory';
    (await api.post('/webhooks', { url, events: ['directory.user_linked', 'directory.user_disabled'] })).expect(201);
  });

  it('makes a user of somebody at once, whose role is given here', async () => {
    const { workspace, api } = await connected();
    const users = [
      pushed('a', { title: 'Lead', phone: '+49 30 1', manager: 'b' }),
      ...[pushed('b'), pushed('off', { enabled: false }), pushed('nobody', { email: null })],
      pushed('twin', { email: 'B@acme.example' }),
    ];
    await push(workspace, { users, groups: [staff('b')] });
    const people = await peopleOf(api);
    const idOf = (guid: string): unknown => people.find(({ object_guid }) => object_guid === guid)?.id;
    const provision = (guid: string, body: object = { role: 'supervisor' }): ReturnType<Api['post']> =>
      api.post(`/active-directory/users/${String(idOf(guid))}/provision`, body);
    expect((await provision('a', { role: 'owner' })).expect(422).codes).toEqual({ role: 'enum' });
    expect((await provision('off')).expect(422).codes).toEqual({ id: 'disabled' });
    expect((await provision('nobody')).expect(422).codes).toEqual({ id: 'no_email' });
    expect((await provision('twin')).expect(422).codes).toEqual({ email: 'duplicate' });
    (await provision('b')).expect(409);
    const role = await make(api, '/roles', { permissions: ['active-directory.update', 'users.create'] });
    const limited = await makePerson(server, workspace, { role_id: role.id });
    (await limited.api.post(`/active-directory/users/${String(idOf('a'))}/provision`, { role: 'admin' })).expect(403);
    const made = (await provision('a')).expect(200).data;
    expect(made).toMatchObject({ link_status: 'linked', sync_status: 'pending' });
    const user = `/users/${String(made.user_id)}`;
    const before = (await api.get(user)).data;
    expect(before).toMatchObject({ email: 'a@acme.example', role: 'supervisor', title: 'Lead', source: 'ad' });
    // The next run has what the directory says besides, and nobody to make.
    const next = await ran(workspace, 'sync', {});
    expect([next.status, next.counts]).toEqual(['completed', { scanned: 0, updated: 2 }]);
    const [b] = (await api.get('/users?email=b@acme.example')).rows;
    expect((await api.get(user)).data).toMatchObject({ role: 'supervisor', manager_id: b?.id });
    const idle = await ran(workspace, 'sync', {});
    expect((await api.get(`/active-directory/sync/runs/${idle.id}/changes`)).rows).toEqual([]);
    expect((await push(workspace, { users: [pushed('a', { title: 'Head', manager: 'b' })] })).counts).toMatchObject({
      updated: 1,
    });
    expect((await api.get(user)).data).toMatchObject({ role: 'supervisor', title: 'Head' });
    const [group] = (await api.get('/active-directory/groups')).rows;
    expect(group).toMatchObject({ scope: null, type: null });
    const inner = { object_guid: 'inner', name: 'Inner', members: ['a'], scope: 'universal', type: 'distribution' };
    await push(workspace, { groups: [staff('b', 'inner'), inner] });
    const members = async (nested: string): Promise<unknown> =>
      (await api.get(`/active-directory/groups/${group?.id}/members?nested=${nested}`)).expect(200).meta.total;
    expect([await members('true'), await members('false')]).toEqual([2, 1]);
    (await api.get(`/active-directory/groups/${group?.id}/members?nested=maybe`)).expect(422);
    const refused = async (filter: string): Promise<unknown> =>
      (await api.get(`/active-directory/groups/${group?.id}/members?${filter}`)).expect(422).codes;
    expect(await refused('nested_group_id=abc')).toEqual({ nested_group_id: 'type' });
    expect(await refused(`nested_group_id=${Number(group?.id) + 1}`)).toEqual({ nested_group_id: 'conflict' });
    expect(await refused('group_id=abc')).toEqual({ group_id: 'type' });
    expect(await refused('group_id=0&nested=false')).toEqual({ group_id: 'min' });
    (await api.get(`/active-directory/groups/${group?.id}/members?nested_group_id=${group?.id}`)).expect(200);
    const [kept] = (await api.get('/active-directory/groups?type=distribution&scope=universal')).rows;
    expect(kept).toMatchObject({ name: 'Inner' });
  });

  it('maps groups, which counts from the next comparison on, and gives no rights that the caller lacks', async () => {
    const { workspace, api } = await connected({});
    await push(workspace, { users: [pushed('a')], groups: [staff('a')] });
    expect(await usersOf(api)).toEqual([]);
    const [group] = (await api.get('/active-directory/groups')).rows;
    const role = await make(api, '/roles', {
      permissions: ['active-directory.read', 'active-directory.update', 'active-directory.create'],
    });
    const limited = await makePerson(server, workspace, { role_id: role.id });
    (await limited.api.patch(`/active-directory/groups/${group?.id}`, { mapped_role: 'agent' })).expect(403);
    const body = { type: 'json', name: 'Another', role_mappings: [{ group: 'x', role: 'light_agent' }] };
    (await limited.api.post('/active-directory/connections', body)).expect(403);
    const [own, far] = [await make(api, '/teams'), await make(api, '/teams')];
    const narrow = await makePerson(server, workspace, { role: 'admin', ticket_scope: 'teams', team_ids: [own.id] });
    const path = `/active-directory/groups/${group?.id}`;
    const refused = await narrow.api.patch(path, { mapped_team_ids: [own.id, far.id] });
    expect(refused.expect(403).error.details).toMatchObject([{ field: 'mapped_team_ids', code: 'permission' }]);
    (await narrow.api.patch(path, { mapped_team_ids: [own.id] })).expect(200);
    (await api.patch(path, { mapped_role: 'light_agent', mapped_team_ids: [far.id] })).expect(200);
    (await narrow.api.patch(path, { mapped_team_ids: [far.id, own.id] })).expect(200);
    (await api.patch(path, { mapped_team_ids: [] })).expect(200);
    expect(await ran(workspace, 'sync', { mode: 'full' })).toMatchObject({ mode: 'delta', counts: { created: 1 } });
    expect((await api.get('/users?email=a@acme.example')).rows[0]).toMatchObject({ role: 'light_agent' });
  });

  it('ends a connection, and leaves its users as they are', async () => {
    const { workspace, api, connection } = await connected();
    await push(workspace, { users: [pushed('a')], groups: [staff('a')] });
    (await api.delete(`/active-directory/connections/${connection.id}`)).expect(200);
    expect(await usersOf(api)).toEqual([
      expect.objectContaining({ status: 'active', source: 'local', directory_user_id: null }),
    ]);
    expect((await api.get('/active-directory/sync/runs')).meta.total).toBe(0);
    expect(await sql.rows('SELECT FROM directory_members WHERE workspace_id = $1', [workspace.id])).toEqual([]);
    (await api.post('/active-directory/import', {})).expect(422);
  });
});

it('refuses what makes no sense', async () => {
  const { api, connection } = await connected();
  const path = `/active-directory/connections/${connection.id}`;
  expect((await api.patch(path, { status: 'quarantined' })).expect(422).codes).toEqual({ status: 'enum' });
  expect((await api.patch(path, { schedule_minutes: 60 })).expect(422).codes).toEqual({
    schedule_minutes: 'not_allowed',
  });
  const mappings = (mapping: object): object => ({ role_mappings: [{ group: 'x', role: 'agent', ...mapping }] });
  expect((await api.patch(path, mappings({ role: 'owner' }))).expect(422).codes).toEqual({
    'role_mappings[0].role': 'enum',
  });
  expect((await api.patch(path, mappings({ team_ids: [900_000] }))).expect(422).codes).toEqual({
    role_mappings: 'not_found',
  });
  expect((await api.patch(path, mappings({ role_id: 900_000 }))).expect(422).codes).toEqual({
    'role_mappings[0].role_id': 'not_found',
  });
  expect((await api.post('/active-directory/import', { users: [{}] })).expect(422).codes).toMatchObject({
    'users[0].object_guid': 'required',
  });
  (await api.patch(path, { status: 'disabled' })).expect(200);
  expect((await api.post('/active-directory/import', {})).expect(422).codes).toEqual({ connection_id: 'inactive' });
});
