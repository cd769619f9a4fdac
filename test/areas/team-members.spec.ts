import { useApp } from '../support/app';
import { make, makeUser } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { makePerson } from '../support/people';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let home: TestWorkspace;
beforeAll(async () => {
  home = await makeWorkspace(server);
});

const member = (team: { id: number }, user: { id: number }): string => `/teams/${team.id}/members/${user.id}`;

it('puts somebody into a team and takes them out again, once each, as a change of the user', async () => {
  const { api } = home;
  const first = await make(api, '/teams');
  const team = await make(api, '/teams');
  const user = await makeUser(api, { team_ids: [first.id] });
  const joined = (await api.put(member(team, user))).expect(200).data;
  expect(joined).toMatchObject({ id: user.id, team_ids: [first.id, team.id] });
  expect((await api.get(`/users/${user.id}`)).data).toEqual(joined);
  expect((await api.put(member(team, user))).expect(200).data).toEqual(joined);
  const left = (await api.delete(member(first, user))).expect(200).data;
  expect(left).toMatchObject({ team_ids: [team.id] });
  expect((await api.delete(member(first, user))).expect(200).data).toEqual(left);
  const types = (await eventsOf(server, home, 'user', user.id)).map(({ type }) => type);
  expect(types.filter((type) => type === 'user.updated')).toHaveLength(2);
});

it('refuses members that a change of the team names: they come and go elsewhere, and are sent back as they are', async () => {
  const { api } = home;
  const team = await make(api, '/teams');
  const user = await makeUser(api, { team_ids: [team.id] });
  const path = `/teams/${team.id}`;
  const refused = (await api.patch(path, { name: 'Renamed', member_ids: [] })).expect(422);
  expect(refused.codes).toEqual({ member_ids: 'immutable' });
  const seen = (await api.get(path)).expect(200).data;
  expect(seen).toMatchObject({ name: team.name, member_ids: [user.id] });
  const changed = (await api.patch(path, { ...seen, name: 'Renamed' })).expect(200).data;
  expect(changed).toMatchObject({ name: 'Renamed', member_ids: [user.id] });
});

it('loses none of several teams that somebody comes into at once', async () => {
  const { api } = home;
  const teams = await Promise.all(Array.from({ length: 6 }, () => make(api, '/teams')));
  const user = await makeUser(api);
  for (const answer of await Promise.all(teams.map((team) => api.put(member(team, user))))) answer.expect(200);
  const { team_ids: ids } = (await api.get(`/users/${user.id}`)).data;
  expect([...(ids as number[])].sort()).toEqual(teams.map(({ id }) => id).sort());
});

it('knows neither teams nor users that are not there, nor those of others', async () => {
  const other = await makeWorkspace(server);
  const [team, user] = [await make(home.api, '/teams'), await makeUser(home.api)];
  const [theirTeam, theirs] = [await make(other.api, '/teams'), await makeUser(other.api)];
  for (const path of [member(theirTeam, user), member(team, theirs), member({ id: 999_999_999 }, user)]) {
    (await home.api.put(path)).expect(404);
    (await home.api.delete(path)).expect(404);
  }
  (await home.api.put(`/teams/${team.id}/members/nobody`)).expect(404);
  expect((await home.api.get(`/users/${user.id}`)).data.team_ids).toEqual([]);
});

it('takes what changing the user takes: the permission, and the version that If-Match names', async () => {
  const { api } = home;
  const [team, user] = [await make(api, '/teams'), await makeUser(api)];
  const role = await make(api, '/roles', { permissions: ['teams.read', 'teams.update', 'users.read'] });
  const person = await makePerson(server, home, { role: 'supervisor', role_id: role.id });
  const refused = (await person.api.put(member(team, user))).expect(403).error;
  expect(refused.details).toMatchObject([{ code: 'permission', permission: 'users.update' }]);
  (await api.put(member(team, user), {}, { 'if-match': '"999-none"' })).expect(412);
  expect((await api.put(member(team, user), { role: 'owner' })).status).toBe(422);
  expect((await api.get(`/users/${user.id}`)).data.team_ids).toEqual([]);
});

it('ends at as many teams as a user may be in', async () => {
  const { api } = home;
  const teams: number[] = [];
  for (let count = 0; count < 101; count++) teams.push((await make(api, '/teams')).id);
  const [last, ...others] = teams;
  const user = await makeUser(api, { team_ids: others });
  expect((await api.put(member({ id: last ?? 0 }, user))).expect(422).codes).toEqual({ team_ids: 'max' });
});
