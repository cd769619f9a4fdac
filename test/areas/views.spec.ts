import { useApp } from '../support/app';
import { make, makeTicket } from '../support/cast';
import { useSql } from '../support/sql';
import { userApi } from '../support/people';
import { makeWorkspace } from '../support/workspace';
import type { Api, Fields } from '../support/api';

const server = useApp();
const sql = useSql();

const save = async (api: Api, body: Record<string, unknown>): Promise<Fields> =>
  (await api.post('/views', { name: 'View', ...body })).expect(201).data;

it('shows the list that was saved: its filters, order and columns, and what is asked for besides', async () => {
  const { api } = await makeWorkspace(server);
  const company = await make(api, '/companies', { name: 'Acme' });
  const low = await makeTicket(api, { priority: 'low', company_id: company.id, tags: 'a' });
  const high = await makeTicket(api, { priority: 'high', company_id: company.id });
  await makeTicket(api, { priority: 'urgent', company_id: company.id });
  await makeTicket(api, { priority: 'high' });
  const view = await save(api, {
    filters: { priority: ['low', 'high'], company_id: company.id },
    sort: '-priority',
    columns: ['id', 'priority', 'company'],
  });
  expect(view.filters).toEqual({ priority: 'low,high', company_id: String(company.id) });
  const list = (await api.get(`/tickets?view=${view.id}`)).expect(200);
  expect(list.rows.map(({ company: embedded, ...row }) => [row, (embedded as Fields).name])).toEqual([
    [{ id: high.id, priority: 'high' }, 'Acme'],
    [{ id: low.id, priority: 'low' }, 'Acme'],
  ]);
  const ids = async (query: string): Promise<unknown> =>
    (await api.get(`/tickets?view=${view.id}&${query}`)).expect(200).rows;
  expect(await ids('fields=id&sort=priority')).toEqual([{ id: low.id }, { id: high.id }]);
  expect(await ids('fields=id&tags=a')).toEqual([{ id: low.id }]);
  expect(await ids('fields=id&priority=high')).toEqual([{ id: high.id }]);
  const first = (await api.get(`/tickets?view=${view.id}&per_page=1&fields=id`)).expect(200);
  expect(first.meta.total).toBe(2);
  expect((await api.get(first.body.links?.next ?? '')).rows).toEqual([{ id: low.id }]);
});

it('means by "me" whoever looks, and says so to nobody', async () => {
  const workspace = await makeWorkspace(server);
  const { api } = workspace;
  const [one, two] = [await userApi(server, workspace), await userApi(server, workspace)];
  const ticket = await makeTicket(api, { assigned_to: one.user.id });
  const view = await save(api, { filters: { assigned_to: 'me' } });
  expect((await one.api.get(`/tickets?view=${view.id}&fields=id`)).rows).toEqual([{ id: ticket.id }]);
  expect((await two.api.get(`/tickets?view=${view.id}`)).rows).toEqual([]);
  expect((await api.get(`/tickets?view=${view.id}`)).expect(422).codes).toEqual({ assigned_to: 'not_found' });
  expect((await one.api.get(`/views/counts?ids=${view.id}`)).data).toEqual({
    counts: [{ id: view.id, count: 1, problem: null }],
  });
  expect((await api.get('/views/counts')).data.counts).toEqual([
    { id: view.id, count: null, problem: expect.stringContaining('me') as string },
  ]);
});

it('says what is wrong with a view, and everything at once', async () => {
  const { api } = await makeWorkspace(server);
  const answer = await api.post('/views', {
    name: 'x',
    filters: { zzz: '1', status: 'lost', page: '2' },
    sort: 'nothing',
    columns: ['id', 'zzz'],
  });
  expect(answer.expect(422).codes).toEqual({
    'filters.zzz': 'unknown_filter',
    'filters.status': 'enum',
    'filters.page': 'unknown_filter',
    sort: 'unknown_sort',
    columns: 'unknown_field',
  });
  const { error } = (await api.post('/views', { name: 'x', columns: ['zzz'] })).expect(422);
  expect(error.message).toBe('"fields" names "zzz", which does not exist.');
});

it('that fits its list no longer says so, and fails nothing else', async () => {
  const workspace = await makeWorkspace(server);
  const { api } = workspace;
  await makeTicket(api);
  const [good, bad] = [
    await save(api, { filters: { status: 'open' } }),
    await save(api, { filters: { status: 'open' } }),
  ];
  // As when an extension that brought a filter is gone.
  await sql.rows(`UPDATE views SET filters = '{"gone": "1"}' WHERE workspace_id = $1 AND id = $2`, [
    workspace.id,
    bad.id,
  ]);
  expect((await api.get('/views')).expect(200).rows).toHaveLength(2);
  const broken = (await api.get(`/tickets?view=${bad.id}`)).expect(422);
  expect([broken.codes, broken.error.message]).toEqual([
    { view: 'outdated' },
    expect.stringContaining('filters.gone') as string,
  ]);
  expect((await api.get('/views/counts')).expect(200).data.counts).toEqual([
    { id: good.id, count: 1, problem: null },
    { id: bad.id, count: null, problem: expect.stringContaining('gone') as string },
  ]);
  (await api.patch(`/views/${bad.id}`, { name: 'To be mended' })).expect(200);
  (await api.patch(`/views/${bad.id}`, { sort: '-id' })).expect(422);
  (await api.patch(`/views/${bad.id}`, { filters: {} })).expect(200);
});

it('counts as the lists do, whatever they are found by', async () => {
  const { api } = await makeWorkspace(server);
  await make(api, '/companies', { name: 'Acme' });
  for (const [index, priority] of ['low', 'high', 'high', 'urgent'].entries())
    await makeTicket(api, { priority, subject: index % 2 ? 'Printer jam' : 'Screen', tags: index % 2 ? 'vip' : '' });
  const asked: Record<string, unknown>[] = [
    {},
    { filters: { priority: 'high' } },
    { filters: { tags: 'vip', priority: 'high,urgent' } },
    { filters: { q: 'printer' } },
    { filters: { q: 'printer', priority: 'urgent' } },
    { filters: { assigned_to: 'none', has_parent: false } },
    { resource: 'companies', filters: { q: 'acme' } },
    { resource: 'views' },
  ];
  const views: Fields[] = [];
  for (const body of asked) views.push(await save(api, body));
  const counts = (await api.get('/views/counts')).expect(200).data.counts as { id: number; count: number }[];
  for (const [index, { id, resource }] of views.entries()) {
    const { meta } = (await api.get(`/${String(resource)}?view=${id}&per_page=1`)).expect(200);
    expect([asked[index], counts[index]]).toEqual([asked[index], { id, count: meta.total, problem: null }]);
  }
  expect(counts.map(({ count }) => count)).toEqual([4, 2, 2, 2, 1, 4, 1, 8]);
  expect((await api.get('/views/counts?resource=companies')).data.counts).toHaveLength(1);
});

it('is bounded: no more than 50 are counted, and only lists of that kind are shown', async () => {
  const { api } = await makeWorkspace(server);
  const ids = Array.from({ length: 51 }, (_, index) => index + 1).join(',');
  expect((await api.get(`/views/counts?ids=${ids}`)).expect(422).codes).toEqual({ ids: 'max' });
  const view = await save(api, { resource: 'companies' });
  expect((await api.get(`/tickets?view=${view.id}`)).expect(422).codes).toEqual({ view: 'other_list' });
  for (const [view, code] of [
    ['8999999999999', 'not_found'],
    ['x', 'type'],
    ['', 'type'],
  ] as const)
    expect((await api.get(`/tickets?view=${view}`)).expect(422).codes).toEqual({ view: code });
});

it('of somebody else opens nothing', async () => {
  const workspace = await makeWorkspace(server);
  const { api } = await userApi(server, workspace);
  const view = await save(api, { sharing: 'private' });
  (await api.get(`/tickets?view=${view.id}`)).expect(200);
  const elsewhere = await makeWorkspace(server);
  for (const other of [workspace.api, elsewhere.api]) {
    expect((await other.get(`/tickets?view=${view.id}`)).codes).toEqual({ view: 'not_found' });
    expect((await other.get(`/views/counts?ids=${view.id}`)).data.counts).toEqual([]);
  }
});
