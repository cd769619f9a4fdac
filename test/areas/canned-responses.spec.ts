import { useApp } from '../support/app';
import { make, makeTicket } from '../support/cast';
import { makePerson, userApi } from '../support/people';
import { makeWorkspace } from '../support/workspace';

const server = useApp();

it('renders for a ticket what its variables stand for, as Markdown shows it and as it is', async () => {
  const workspace = await makeWorkspace(server);
  const { api } = await userApi(server, workspace, { name: 'Ines Ortega' });
  const team = await make(workspace.api, '/teams', { name: 'Front' });
  const ticket = await makeTicket(api, {
    subject: '[free](http://evil.example) *now* <b>',
    requester_email: 'ada_b@people.example',
    team_id: team.id,
    custom_fields: { floor: 3 },
  });
  const body =
    'Hello {{requester.name}}, **{{ticket.subject}}** of {{requester.email}} at {{ticket.custom_fields.floor}} in {{team.name}}/{{company.name}}.\n{{agent.name}}';
  const { id } = (await api.post('/canned-responses', { title: 'Hi', body })).expect(201).data;
  const { data } = (await api.post(`/canned-responses/${id}/render`, { ticket_id: ticket.id })).expect(200);
  expect(data).toEqual({
    id,
    ticket_id: ticket.id,
    body: 'Hello , **\\[free\\](http://evil.example) \\*now\\* \\<b\\>** of ada\\_b@people.example at 3 in Front/.\nInes Ortega',
    text: 'Hello , **[free](http://evil.example) *now* <b>** of ada_b@people.example at 3 in Front/.\nInes Ortega',
  });
});

it('counts what is used, not what is looked at, and neither is a change', async () => {
  const workspace = await makeWorkspace(server);
  const { api } = workspace;
  const { id: ticket_id } = await makeTicket(api);
  const { id } = (await api.post('/canned-responses', { title: 'Hi', body: '{{agent.name}}' })).expect(201).data;
  const before = (await api.get(`/canned-responses/${id}?fields=updated_at`)).data;
  (await api.post(`/canned-responses/${id}/render`, { ticket_id, preview: true })).expect(200);
  const counted = async (): Promise<unknown> => (await api.get(`/canned-responses/${id}`)).data.use_count;
  expect(await counted()).toBe(0);
  // The name of a token is nothing for customers.
  expect((await api.post(`/canned-responses/${id}/render`, { ticket_id })).data.text).toBe('');
  expect(await counted()).toBe(1);
  expect((await api.get(`/canned-responses/${id}?fields=updated_at`)).data).toEqual(before);
  (await api.post(`/canned-responses/${id}/render`, { ticket_id: 8_999_999_999_999 })).expect(422);
  const solo = await userApi(server, workspace, { ticket_scope: 'assigned' });
  (await solo.api.post(`/canned-responses/${id}/render`, { ticket_id })).expect(422);
});

it('is rendered by who may read it, with what changes it left to others', async () => {
  const workspace = await makeWorkspace(server);
  const { id: ticket_id } = await makeTicket(workspace.api);
  const sent = { title: 'Hi', body: 'Hello' };
  const { id } = (await workspace.api.post('/canned-responses', sent)).expect(201).data;
  const role = await make(workspace.api, '/roles', { permissions: ['tickets.read', 'canned-responses.read'] });
  const clerk = await makePerson(server, workspace, { role_id: role.id });
  const rendered = await clerk.api.post(`/canned-responses/${id}/render`, { ticket_id });
  expect(rendered.expect(200).data).toMatchObject({ text: 'Hello' });
  (await clerk.api.patch(`/canned-responses/${id}`, { body: 'Hi' })).expect(403);
  // It counts a use.
  const reader = await makePerson(server, workspace, { role_id: role.id }, ['read']);
  (await reader.api.post(`/canned-responses/${id}/render`, { ticket_id })).expect(403);
});

it('names the variables there are when one is unknown', async () => {
  const { api } = await makeWorkspace(server);
  const answer = (await api.post('/canned-responses', { title: 'x', body: 'Hi {{requester.age}}' })).expect(422);
  expect(answer.codes).toEqual({ body: 'unknown_variable' });
  expect(answer.error.details?.[0]?.allowed).toEqual(
    expect.arrayContaining(['ticket.code', 'ticket.custom_fields.<key>', 'requester.name', 'agent.name', 'team.name']),
  );
});

describe('what is shared', () => {
  it('is seen by whom it is shared with: lists, reads, changes and searches alike', async () => {
    const workspace = await makeWorkspace(server);
    const team = await make(workspace.api, '/teams');
    const owner = await userApi(server, workspace);
    const mate = await userApi(server, workspace, { team_ids: [team.id] });
    const other = await userApi(server, workspace);
    const admin = await userApi(server, workspace, { role: 'admin' });
    const text = { body: 'zebra' };
    const [mine, ours, all] = await Promise.all([
      owner.api.post('/canned-responses', { title: 'mine', sharing: 'private', ...text }),
      owner.api.post('/canned-responses', { title: 'ours', sharing: 'teams', team_ids: [team.id], ...text }),
      owner.api.post('/canned-responses', { title: 'all', ...text }),
    ]);
    expect(mine.expect(201).data.owner_id).toBe(owner.user.id);
    for (const [{ api }, titles] of [
      [owner, ['all', 'mine', 'ours']],
      [mate, ['all', 'ours']],
      [other, ['all']],
      [admin, ['all', 'ours']],
      [workspace, ['all', 'ours']],
    ] as const) {
      for (const query of ['', '?q=zebra']) {
        const list = (await api.get(`/canned-responses${query}`)).expect(200);
        expect([list.rows.map(({ title }) => title), list.meta.total]).toEqual([titles, titles.length]);
      }
      for (const answer of [mine, ours, all]) {
        const { id, title } = answer.data;
        const status = titles.some((each) => each === title) ? 200 : 404;
        expect([title, (await api.get(`/canned-responses/${id}`)).status]).toEqual([title, status]);
        expect((await api.patch(`/canned-responses/${id}`, { folder: 'x' })).status).toBe(status);
      }
    }
    (await mate.api.delete(`/canned-responses/${mine.data.id}`)).expect(404);
    // Nobody takes from the others what is theirs.
    expect((await mate.api.patch(`/canned-responses/${all.data.id}`, { sharing: 'private' })).codes).toEqual({
      sharing: 'not_owner',
    });
    (await owner.api.patch(`/canned-responses/${all.data.id}`, { sharing: 'private' })).expect(200);
    (await mate.api.get(`/canned-responses/${all.data.id}`)).expect(404);
  });

  it('is nobody’s own with a token of nobody, and for no team without one', async () => {
    const { api } = await makeWorkspace(server);
    const make = { title: 'x', body: 'y' };
    expect((await api.post('/canned-responses', { ...make, sharing: 'private' })).codes).toEqual({
      sharing: 'no_user',
    });
    expect((await api.post('/canned-responses', { ...make, sharing: 'teams' })).codes).toEqual({
      team_ids: 'required',
    });
    expect((await api.post('/canned-responses', make)).data.owner_id).toBeNull();
  });

  it('has shortcuts that are unique among the shared ones, and for each owner', async () => {
    const workspace = await makeWorkspace(server);
    const [one, two] = [await userApi(server, workspace), await userApi(server, workspace)];
    const thanks = (sharing: string): object => ({ title: 'x', body: 'y', shortcut: '/thanks', sharing });
    (await one.api.post('/canned-responses', thanks('everyone'))).expect(201);
    expect((await two.api.post('/canned-responses', thanks('everyone'))).codes).toEqual({ shortcut: 'duplicate' });
    for (const { api } of [one, two]) {
      (await api.post('/canned-responses', thanks('private'))).expect(201);
      expect((await api.post('/canned-responses', thanks('private'))).codes).toEqual({ shortcut: 'duplicate' });
    }
  });
});
