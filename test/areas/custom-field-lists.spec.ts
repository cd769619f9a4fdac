import { useApp } from '../support/app';
import { make, makeTicket } from '../support/cast';
import type { Api, Fields } from '../support/api';
import { useSql } from '../support/sql';
import { CSV, recordsOf } from '../support/tables';
import { makeWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

const OPTIONS = ['a', 'b', 'c'].map((value) => ({ value, label: value.toUpperCase() }));
const FIELDS = [
  { key: 'floor', type: 'number' },
  { key: 'code', type: 'text' },
  { key: 'due', type: 'date' },
  { key: 'vip', type: 'boolean' },
  { key: 'site', type: 'select', options: OPTIONS },
  { key: 'parts', type: 'multi_select', options: OPTIONS },
  { key: 'buddy', type: 'reference', target: 'companies' },
];
/** What the tickets of a test have, oldest first. */
const VALUES: Record<string, unknown>[] = [
  {},
  { floor: 3, code: 'x', due: '2026-01-01', vip: true, site: 'a', parts: ['a', 'b'] },
  { floor: -1.5, code: 'X', due: '2026-03-01', vip: false, site: 'b', parts: ['b'] },
  { floor: 12, code: 'floor=3', due: '2025-12-31', site: 'c' },
  { floor: 3, code: 'none', other: 3 },
  { code: '', parts: [] },
];

async function defined(api: Api, object = 'ticket'): Promise<void> {
  for (const field of FIELDS)
    (await api.post('/custom-fields', { object, label: `The ${field.key}`, ...field })).expect(201);
}

/** A workspace with those tickets, some of which are older than the definitions. */
async function shelf(): Promise<{ api: Api; ids: number[]; company: number }> {
  const { api } = await makeWorkspace(server);
  const other = await makeWorkspace(server);
  const company = (await make(api, '/companies')).id;
  const ids: number[] = [];
  for (const [index, custom_fields] of VALUES.entries()) {
    if (index === 4) await defined(api);
    ids.push((await makeTicket(api, { custom_fields })).id);
    await makeTicket(other.api, { custom_fields });
  }
  ids.push((await makeTicket(api, { custom_fields: { buddy: company } })).id);
  return { api, ids, company };
}

it('lists filter by every type, exactly, within the workspace', async () => {
  const { api, ids, company } = await shelf();
  /** Places of what is found among the tickets. */
  const found = async (filter: string): Promise<number[]> => {
    const { rows, meta } = (await api.get(`/tickets?${filter}&sort=id&fields=id`)).expect(200);
    expect(meta.total).toBe(rows.length);
    return rows.map(({ id }) => ids.indexOf(id));
  };
  const expected: Record<string, number[]> = {
    'custom_fields.floor=3': [1, 4],
    'custom_fields.floor=3,-1.5': [1, 2, 4],
    'custom_fields.floor=3.0': [1, 4],
    'custom_fields.floor=gt:2': [1, 3, 4],
    'custom_fields.floor=lte:3': [1, 2, 4],
    'custom_fields.floor=none': [0, 5, 6],
    'custom_fields.floor=12,none': [0, 3, 5, 6],
    'custom_fields.code=x': [1],
    'custom_fields.code=floor%3D3': [3],
    'custom_fields.due=2026-01-01,2026-03-01': [1, 2],
    'custom_fields.due=gte:2026-01-01': [1, 2],
    'custom_fields.due=lt:2026-01-01': [3],
    'custom_fields.vip=true': [1],
    'custom_fields.vip=false,none': [0, 2, 3, 4, 5, 6],
    'custom_fields.site=a,c': [1, 3],
    'custom_fields.parts=b': [1, 2],
    'custom_fields.parts=a,c': [1],
    [`custom_fields.buddy=${company}`]: [6],
    'custom_fields.floor=3&custom_fields.site=a&status=open': [1],
    'custom_fields.floor=3&priority=urgent': [],
    'custom_fields.site=a&custom_fields.site=b': [1, 2],
  };
  for (const [filter, places] of Object.entries(expected))
    expect([filter, await found(filter)]).toEqual([filter, places]);
  const codes = async (query: string): Promise<unknown> => (await api.get(`/tickets?${query}`)).expect(422).codes;
  expect(await codes('custom_fields.floor=three')).toEqual({ 'custom_fields.floor': 'type' });
  expect(await codes('custom_fields.floor=')).toEqual({ 'custom_fields.floor': 'format' });
  expect(await codes('custom_fields.site=d')).toEqual({ 'custom_fields.site': 'enum' });
  expect(await codes('custom_fields.due=2026-02-30')).toEqual({ 'custom_fields.due': 'format' });
  expect(await codes('custom_fields.code=gt:3&custom_fields.other=3')).toEqual({
    'custom_fields.other': 'unknown_filter',
  });
  expect(await codes('custom_fields=3')).toEqual({ custom_fields: 'unknown_filter' });
  expect((await api.get('/events?custom_fields.floor=3')).expect(422).codes).toEqual({
    'custom_fields.floor': 'unknown_filter',
  });
});

it('the index has a term for each key and each value, with the workspace in it', async () => {
  const [row] = await sql.rows<{ same: boolean; other: boolean }>(
    `SELECT ARRAY(SELECT unnest(custom_field_terms(7, '{"a": [1, "x", null], "b": null}')) ORDER BY 1)
         = ARRAY(SELECT unnest(ARRAY[hashtextextended('a', 7), hashtextextended('a=1', 7), hashtextextended('a=x', 7)]) ORDER BY 1) AS same,
       custom_field_terms(7, '{"a": 1}') && custom_field_terms(8, '{"a": 1}') AS other`,
  );
  expect(row).toEqual({ same: true, other: false });
});

it('lists are sorted by a field, nothing last, page after page', async () => {
  const { api, ids } = await shelf();
  const order = async (sort: string): Promise<number[]> => {
    const places: number[] = [];
    let path: string | null = `/tickets?sort=${sort}&fields=id&per_page=2`;
    while (path !== null) {
      const { rows, body } = (await api.get(path)).expect(200);
      places.push(...rows.map(({ id }) => ids.indexOf(id)));
      path = body.links?.next ?? null;
    }
    return places;
  };
  expect(await order('custom_fields.floor')).toEqual([2, 1, 4, 3, 0, 5, 6]);
  expect(await order('-custom_fields.floor')).toEqual([3, 4, 1, 2, 6, 5, 0]);
  expect(await order('custom_fields.due,id')).toEqual([3, 1, 2, 0, 4, 5, 6]);
  expect(await order('-custom_fields.site,custom_fields.floor')).toEqual([3, 2, 1, 4, 0, 5, 6]);
  expect((await api.get('/tickets?sort=custom_fields.zzz')).expect(422).codes).toEqual({ sort: 'unknown_sort' });
});

it('searches find their texts, as they change, where tickets are seen', async () => {
  const { api } = await makeWorkspace(server);
  const other = await makeWorkspace(server);
  const values = { serial: 'Zx-4711', parts: ['Fuser', 'Überzug'], due: '2031-05-05', floor: 12, vip: true };
  const ticket = await makeTicket(api, { subject: 'Printer', description: 'broken', custom_fields: values });
  await makeTicket(other.api, { subject: 'Elsewhere', custom_fields: values });
  const found = async (q: string): Promise<number[]> =>
    (await api.get(`/tickets?q=${encodeURIComponent(q)}&fields=id`)).expect(200).rows.map(({ id }) => id);
  for (const q of ['4711', 'zx-4711 fuser', 'überz printer']) expect([q, await found(q)]).toEqual([q, [ticket.id]]);
  for (const q of ['2031', 'true', 'serial']) expect([q, await found(q)]).toEqual([q, []]);
  const patch = (body: object) => api.patch(`/tickets/${ticket.id}`, body);
  (await patch({ custom_fields: { ...values, parts: ['Roller'], floor: 13 } })).expect(200);
  expect([await found('fuser'), await found('roller'), await found('broken')]).toEqual([[], [ticket.id], [ticket.id]]);
  (await patch({ custom_fields: {} })).expect(200);
  expect([await found('roller'), await found('printer broken')]).toEqual([[], [ticket.id]]);
  const long = {
    a: `first ${'x '.repeat(1_990)}`,
    ...Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`b${n}`, 'y '.repeat(2_000)])),
  };
  (await patch({ description: `${'zz '.repeat(20_000)} end`, custom_fields: long })).expect(200);
  expect([await found('end'), await found('first')]).toEqual([[ticket.id], [ticket.id]]);
});

it('searches of everything else find them, too, and only the editors of articles', async () => {
  const { api } = await makeWorkspace(server);
  const other = await makeWorkspace(server);
  const name = 'Depot';
  const weekly = { mon: [['09:00', '17:00']] };
  const kinds: Record<string, object> = {
    '/assets': { name, type: 'laptop' },
    '/canned-responses': { title: name, body: 'x', sharing: 'everyone' },
    '/categories': { name },
    '/companies': { name },
    '/contacts': { name, email: 'depot@people.example' },
    '/crm/deals': { title: name },
    '/crm/leads': { name, email: 'depot@leads.example' },
    '/crm/pipelines': { name },
    '/kb/articles': { title: name, body: 'Written **down**.', status: 'published' },
    '/kb/categories': { name },
    '/macros': { name, actions: [{ type: 'add_tags', tags: 'x' }], sharing: 'everyone' },
    '/meetings/types': { name, duration_minutes: 30 },
    '/quotes': { title: name, currency: 'EUR', recipient_email: 'depot@people.example' },
    '/roles': { name, permissions: ['tickets.read'] },
    '/schedules': { name, weekly },
    '/teams': { name },
    '/teams/channels': { name, type: 'internal' },
    '/users': { name, email: 'depot@agents.example' },
    '/views': { name, resource: 'tickets', sharing: 'everyone' },
  };
  const custom_fields = { code: 'Zx-4711', parts: ['Quagga'], due: '2031-05-05', floor: 12 };
  for (const [path, body] of Object.entries(kinds)) {
    const { id } = (await api.post(path, { ...body, custom_fields })).expect(201).data;
    (await other.api.post(path, { ...body, custom_fields })).expect(201);
    const found = async (q: string): Promise<unknown> => [
      path,
      q,
      (await api.get(`${path}?q=${encodeURIComponent(q)}&fields=id`)).expect(200).rows.map((row) => row.id),
    ];
    for (const q of ['zx-4711', 'quagg depot', '"4711" depot']) expect(await found(q)).toEqual([path, q, [id]]);
    for (const q of ['2031', 'quagga zebra']) expect(await found(q)).toEqual([path, q, []]);
    (await api.patch(`${path}/${id}`, { custom_fields: { code: 'Okapi' } })).expect(200);
    expect(await found('okapi')).toEqual([path, 'okapi', [id]]);
    expect(await found('quagga')).toEqual([path, 'quagga', []]);
  }
  const groups = (await api.get('/search?q=okapi')).expect(200).data;
  expect(groups).toMatchObject({ companies: [{ title: name }], users: [{ title: name }], kb_articles: [] });
});

it('views, counts, bulk jobs and tables know them', async () => {
  const { api, ids } = await shelf();
  const save = (filters: object, sort: string | null = null) => api.post('/views', { name: 'View', filters, sort });
  const view = (await save({ 'custom_fields.floor': 'gt:2' }, '-custom_fields.floor')).expect(201).data;
  expect((await api.get(`/tickets?view=${view.id}&fields=id`)).rows.map(({ id }) => ids.indexOf(id))).toEqual([
    3, 4, 1,
  ]);
  expect((await api.get(`/views/counts?ids=${view.id}`)).data.counts).toEqual([
    { id: view.id, count: 3, problem: null },
  ]);
  expect((await save({ 'custom_fields.zzz': '1' })).expect(422).codes).toEqual({
    'filters.custom_fields.zzz': 'unknown_filter',
  });
  const job = { filter: { 'custom_fields.site': 'a' }, actions: [{ type: 'add_tags', tags: 'x' }] };
  expect((await api.post('/tickets/bulk', job)).expect(202).data.total).toBe(1);
  const text = (await api.get('/tickets?sort=id&fields=id,custom_fields', { accept: CSV })).expect(200).text;
  const [first, second] = recordsOf(text);
  expect(Object.keys(first ?? {})).toEqual(['id', 'custom_fields', ...FIELDS.map(({ key }) => `custom_fields.${key}`)]);
  expect([second?.['custom_fields.floor'], second?.['custom_fields.parts'], first?.['custom_fields.floor']]).toEqual([
    '3',
    '["a","b"]',
    '',
  ]);
  const definitions = (await api.get('/automations/definitions')).expect(200).data;
  const fields = definitions.fields as Fields[];
  expect(fields.find(({ field, object }) => field === 'custom_fields.site' && object === 'ticket')).toMatchObject({
    type: 'enum',
    values: ['a', 'b', 'c'],
  });
});

it('fields names single ones: of lists, records, answers to writes, what is similar, tables and views', async () => {
  const { api, ids } = await shelf();
  const [id, fields] = [ids[1] ?? 0, 'fields=subject,custom_fields.site,custom_fields.due,custom_fields.code'];
  const shown = { subject: expect.any(String) as string, custom_fields: { code: 'x', due: '2026-01-01', site: 'a' } };
  expect((await api.get(`/tickets/${id}?${fields}`)).expect(200).data).toEqual(shown);
  expect((await api.patch(`/tickets/${id}?${fields}`, { priority: 'high' })).expect(200).data).toEqual(shown);
  expect((await api.get(`/tickets?ids=${id},${ids[0]}&sort=id&${fields}`)).expect(200).rows).toEqual([
    { ...shown, custom_fields: {} },
    shown,
  ]);
  const squeak = { subject: 'Okapi fuser squeaks', custom_fields: { site: 'a', floor: 1 } };
  const [asked] = [await makeTicket(api, squeak), await makeTicket(api, squeak)];
  const likes = (await api.get(`/tickets/${asked.id}/similar?fields=custom_fields.site`)).expect(200).rows;
  expect(likes).toEqual([{ custom_fields: { site: 'a' }, similarity: expect.any(Number) as number }]);
  const both = (await api.get(`/tickets/${id}?fields=custom_fields,custom_fields.site`)).expect(200).data;
  expect(both).toEqual({ custom_fields: VALUES[1] });
  const columns = ['id', 'custom_fields.floor', 'custom_fields.parts'];
  const view = (await api.post('/views', { name: 'Floors', columns })).expect(201).data;
  expect((await api.get(`/tickets?view=${view.id}&ids=${id}`)).expect(200).rows).toEqual([
    { id, custom_fields: { floor: 3, parts: ['a', 'b'] } },
  ]);
  const table = (await api.get(`/tickets?view=${view.id}&ids=${id}`, { accept: CSV })).expect(200);
  expect(recordsOf(table.text)).toEqual([
    { id: String(id), 'custom_fields.floor': '3', 'custom_fields.parts': '["a","b"]' },
  ]);
  const unknown = (await api.get('/tickets?fields=custom_fields.zzz')).expect(422);
  expect(unknown.codes).toEqual({ fields: 'unknown_field' });
  expect(unknown.error.details?.[0]?.allowed).toContain('custom_fields.floor');
  expect((await api.get('/companies?fields=custom_fields.floor')).expect(422).codes).toEqual({
    fields: 'unknown_field',
  });
  const other = (await makeWorkspace(server)).api;
  expect((await other.get('/tickets?fields=custom_fields.floor')).expect(422).codes).toEqual({
    fields: 'unknown_field',
  });
});

it.each(['companies', 'teams'])('%s have them, too, with an index or without', async (name) => {
  const { api } = await makeWorkspace(server);
  await defined(api, name === 'companies' ? 'company' : 'team');
  const one = await make(api, `/${name}`, { custom_fields: { floor: 3, parts: 'a,b', buddy: null } });
  await make(api, `/${name}`, { custom_fields: { floor: 4 } });
  await make(api, `/${name}`);
  expect(one.custom_fields).toEqual({ floor: 3, parts: ['a', 'b'] });
  for (const filter of ['floor=3', 'floor=lt:4', 'parts=b', 'floor=3,7'])
    expect((await api.get(`/${name}?custom_fields.${filter}&fields=id`)).rows).toEqual([{ id: one.id }]);
  expect((await api.get(`/${name}?custom_fields.floor=none`)).meta.total).toBe(1);
  expect((await api.get(`/${name}?sort=custom_fields.floor&fields=id`)).rows[0]).toEqual({ id: one.id });
});
