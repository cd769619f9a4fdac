import { useApp } from '../support/app';
import { make, makeTicket } from '../support/cast';
import { makePerson } from '../support/people';
import { makeWorkspace } from '../support/workspace';

const server = useApp();
const TEXT = 'The label printer on the third floor jams whenever the paper tray is filled to the upper mark again.';

it('a duplicate is named by its code: who sees the one ticket need not see the other', async () => {
  const { api, ...workspace } = await makeWorkspace(server);
  const team = await make(api, '/teams');
  const narrow = await makePerson(server, { api, ...workspace }, { ticket_scope: 'teams', team_ids: [team.id] });
  const words = { description: `${TEXT} ${TEXT}` };
  const hidden = [];
  for (const secret of ['zanzibar', 'madagascar'])
    hidden.push(await makeTicket(api, { ...words, subject: `Label printer of ${secret}` }));
  const seen = await makeTicket(api, { ...words, subject: 'Label printer', team_id: team.id });
  const asked = { ticket_id: seen.id, tasks: ['duplicate'] };
  const [predicted] = (await api.post('/ai-engine/predict', asked)).expect(200).data.predictions as [
    { label: string; alternatives: { label: string }[] },
  ];
  const codes = [predicted.label, ...predicted.alternatives.map(({ label }) => label)];
  expect(codes.sort()).toEqual(hidden.map(({ code }) => code).sort());
  const path = `/ai-engine/predictions?ticket_id=${seen.id}&task=duplicate`;
  expect((await narrow.api.get(path)).expect(200).rows).toHaveLength(1);
  for (const told of [path, `/tickets/${seen.id}/history`, '/events?limit=100'])
    expect((await narrow.api.get(told)).text).not.toMatch(/zanzibar|madagascar/);
});
