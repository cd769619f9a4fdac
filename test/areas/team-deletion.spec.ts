import { ListsNameTeamsThatAreThere1768981000000 } from '../../migrations/1768981000000-lists-name-teams-that-are-there';
import { useApp } from '../support/app';
import { make } from '../support/cast';
import type { Fields } from '../support/api';
import { eventsOf } from '../support/event-log';
import { makePerson } from '../support/people';
import { useSql } from '../support/sql';
import { makeWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

const SHARED: readonly [path: string, singular: string, body: object][] = [
  ['/views', 'view', { name: 'Ours' }],
  ['/macros', 'macro', { name: 'Ours', actions: [{ type: 'add_tags', tags: 'seen' }] }],
  ['/canned-responses', 'canned_response', { name: undefined, title: 'Ours', body: 'Hello' }],
];

it.each(SHARED)(
  'of %s that are shared with a team that is deleted none names it, and nobody sees more',
  async (path, singular, body) => {
    const { api, ...workspace } = await makeWorkspace(server);
    const [gone, left] = [await make(api, '/teams'), await make(api, '/teams')];
    const place = { api, ...workspace };
    const owner = await makePerson(server, place, { role: 'supervisor', team_ids: [gone.id] });
    const agent = await makePerson(server, place, { role: 'agent' });
    const share = (team_ids: number[]): Promise<Fields> =>
      make(owner.api, path, { ...body, sharing: 'teams', team_ids });
    const [both, one] = [await share([gone.id, left.id]), await share([gone.id])];
    (await api.delete(`/teams/${gone.id}`)).expect(200);
    const read = async (id: number): Promise<Fields> => (await owner.api.get(`${path}/${id}`)).expect(200).data;
    expect(await read(both.id)).toMatchObject({ sharing: 'teams', team_ids: [left.id] });
    expect(await read(one.id)).toMatchObject({ sharing: 'teams', team_ids: [] });
    (await agent.api.get(`${path}/${one.id}`)).expect(404);
    for (const { id } of [both, one]) {
      const [, told] = await eventsOf(server, place, singular, id);
      expect(told).toMatchObject({ type: `${singular}.updated`, changes: { team_ids: expect.anything() as unknown } });
    }
    // The rest of it may be changed; whom it is shared with is said in whole.
    (await owner.api.patch(`${path}/${one.id}`, { external_id: 'ours' })).expect(200);
    expect((await owner.api.patch(`${path}/${one.id}`, { sharing: 'teams' })).expect(422).codes).toEqual({
      team_ids: 'required',
    });
    (await owner.api.patch(`${path}/${one.id}`, { team_ids: [left.id] })).expect(200);
  },
);

it('lists that named such teams before name those that are there', async () => {
  const { api, id: workspaceId } = await makeWorkspace(server);
  const team = await make(api, '/teams');
  const body = { name: 'Ours', sharing: 'teams', team_ids: [team.id] };
  const view = await make(api, '/views', body);
  await sql.rows('UPDATE views SET team_ids = ARRAY[999999999, $2, 999999998] WHERE id = $1', [view.id, team.id]);
  // Others that use the database meanwhile keep what they have.
  const query = (text: string): Promise<object[]> =>
    sql.rows(text.replace(/WHERE (?=EXISTS \(\s+SELECT FROM unnest)/g, `$&r.workspace_id = ${workspaceId} AND `));
  await new ListsNameTeamsThatAreThere1768981000000().up({ query } as never);
  expect((await api.get(`/views/${view.id}`)).data).toMatchObject({ team_ids: [team.id] });
});
