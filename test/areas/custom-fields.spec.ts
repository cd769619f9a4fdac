import { useApp } from '../support/app';
import { makeRule, runsOf, settledTicket } from '../support/automations';
import { make, makeTicket, makeUser } from '../support/cast';
import { Api, type Fields } from '../support/api';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();

const SITES = [
  { value: 'south', label: 'South wing' },
  { value: 'north', label: 'North wing' },
];

async function define(api: Api, key: string, body: Record<string, unknown>): Promise<Fields> {
  const definition = { object: 'ticket', key, label: key.toUpperCase(), type: 'text', ...body };
  return (await api.post('/custom-fields', definition)).expect(201).data;
}

/** A workspace whose tickets have a required floor, and a site that is south unless said otherwise. */
async function furnished(): Promise<TestWorkspace> {
  const workspace = await makeWorkspace(server);
  await define(workspace.api, 'floor', { type: 'number', is_required: true });
  await define(workspace.api, 'site', { type: 'select', options: SITES, default_value: 'South wing' });
  return workspace;
}

describe('values of custom fields', () => {
  it('are checked and settled on every way in, and told all at once', async () => {
    const { api } = await furnished();
    const send = (custom_fields: unknown, path = '/tickets') => api.post(path, { subject: 'x', custom_fields });
    expect((await send({ floor: '3', more: [1] })).expect(201).data.custom_fields).toEqual({
      floor: 3,
      site: 'south',
      more: [1],
    });
    const wrong = (await send({ floor: 'third', site: 'west' })).expect(422);
    expect(wrong.codes).toEqual({ 'custom_fields.floor': 'type', 'custom_fields.site': 'enum' });
    const bare = (await api.post('/tickets', { subject: 'x' })).expect(422);
    expect([bare.error.missing, bare.codes]).toEqual([['custom_fields.floor'], { 'custom_fields.floor': 'required' }]);
    const ticket = await makeTicket(api, { custom_fields: { floor: 3 } });
    const patch = (custom_fields: unknown) => api.patch(`/tickets/${ticket.id}`, { custom_fields });
    expect((await patch({ floor: 4.5, site: 'NORTH WING' })).expect(200).data.custom_fields).toEqual({
      floor: 4.5,
      site: 'north',
    });
    expect((await patch({ site: 'north' })).expect(422).codes).toEqual({ 'custom_fields.floor': 'required' });
    const operations = [
      { op: 'create', data: { subject: 'x', custom_fields: { floor: 'x' } } },
      { op: 'update', id: ticket.id, data: { custom_fields: { floor: '7', site: 'south' } } },
    ];
    const results = (await api.post('/tickets/batch', { operations })).expect(200).data.results as Fields[];
    expect(results.map(({ status }) => status)).toEqual([422, 200]);
    expect((await api.get(`/tickets/${ticket.id}`)).data.custom_fields).toEqual({ floor: 7, site: 'south' });
  });

  it('that records had before stay, and bind who changes them', async () => {
    const { api } = await makeWorkspace(server);
    const ticket = await makeTicket(api, { custom_fields: { floor: 'third', b: 1 } });
    await define(api, 'floor', { type: 'number', is_required: true });
    const patch = (body: object) => api.patch(`/tickets/${ticket.id}`, body);
    (await patch({ priority: 'high' })).expect(200);
    expect((await patch({ custom_fields: { floor: 'third', b: 2 } })).expect(200).data.custom_fields).toEqual({
      floor: 'third',
      b: 2,
    });
    expect((await patch({ custom_fields: { floor: 'fourth' } })).expect(422).codes).toEqual({
      'custom_fields.floor': 'type',
    });
    expect((await patch({ custom_fields: { b: 2 } })).expect(422).codes).toEqual({ 'custom_fields.floor': 'required' });
  });

  it('go from one record to another as they are, whatever was defined since', async () => {
    const { api } = await makeWorkspace(server);
    const custom_fields = { floor: 'third' };
    const ticket = await makeTicket(api, { custom_fields });
    (await api.patch(`/tickets/${ticket.id}`, { status: 'closed' })).expect(200);
    const [from, into] = [await make(api, '/contacts', { custom_fields }), await make(api, '/contacts')];
    const item = { name: 'x', unit_price: 1 };
    const quote = { title: 'x', currency: 'EUR', recipient_email: 'ada@people.example', items: [item], custom_fields };
    const { id } = (await api.post('/quotes', quote)).expect(201).data;
    (await api.post(`/quotes/${id}/status`, { status: 'sent' })).expect(200);
    for (const object of ['ticket', 'contact', 'quote']) {
      await define(api, 'floor', { object, type: 'number', is_required: true });
      await define(api, 'site', { object, is_required: true });
    }
    for (const [path, body, status] of [
      [`/tickets/${ticket.id}/follow-up`, {}, 201],
      [`/contacts/${from.id}/merge`, { into_id: into.id }, 200],
      [`/quotes/${id}/revise`, {}, 201],
    ] as const)
      expect((await api.post(path, body)).expect(status).data.custom_fields).toEqual(custom_fields);
  });

  it('are asked for of who writes a record, not of what comes with another', async () => {
    const { api } = await makeWorkspace(server);
    await define(api, 'region', { object: 'contact', is_required: true, default_value: null });
    await define(api, 'tier', { object: 'contact', type: 'number', default_value: 2 });
    expect((await api.post('/contacts', { email: 'a@people.example' })).expect(422).codes).toEqual({
      'custom_fields.region': 'required',
    });
    const ticket = await makeTicket(api, { requester_email: 'ada@people.example' });
    const contact = (await api.get(`/contacts/${String(ticket.contact_id)}`)).data;
    expect(contact.custom_fields).toEqual({ tier: 2 });
  });

  it('may name records, which must be there', async () => {
    const { api } = await makeWorkspace(server);
    const foreign = await makeWorkspace(server);
    const [user, other] = [await makeUser(api), await makeUser(foreign.api)];
    await define(api, 'buddy', { type: 'reference', target: 'users' });
    const ticket = await makeTicket(api, { custom_fields: { buddy: String(user.id) } });
    expect(ticket.custom_fields).toEqual({ buddy: user.id });
    for (const id of [other.id, 999_999])
      expect((await api.post('/tickets', { subject: 'x', custom_fields: { buddy: id } })).expect(422).codes).toEqual({
        'custom_fields.buddy': 'not_found',
      });
    (await api.delete(`/users/${user.id}`)).expect(200);
    (await api.patch(`/tickets/${ticket.id}`, { custom_fields: { buddy: user.id, b: 1 } })).expect(200);
  });

  it('come from automations, too', async () => {
    const workspace = await furnished();
    const { api } = workspace;
    await define(api, 'due', { type: 'date' });
    const rule = (actions: object[], conditions: object = {}) =>
      api.post('/automations', { name: 'Rule', trigger: 'ticket.created', conditions, actions });
    const set = (field: string, value: unknown) => ({ type: 'set_field', field: `custom_fields.${field}`, value });
    const refused = await rule([set('site', 'west'), set('floor', null), set('due', 'soon')], {
      all: [{ field: 'custom_fields.site', operator: 'eq', value: 'west' }],
    });
    expect(refused.expect(422).codes).toEqual({
      'conditions.all[0].value': 'enum',
      'actions[0].value': 'enum',
      'actions[1].value': 'required',
      'actions[2].value': 'format',
    });
    const { id } = await makeRule(workspace, {
      conditions: { all: [{ field: 'custom_fields.floor', operator: 'gt', value: 2 }] },
      actions: [set('site', 'north'), set('due', '+2d'), set('floor', '{{ticket.subject}}')],
    });
    const lucky = await makeTicket(api, { subject: '12', custom_fields: { floor: 3 } });
    const settled = await settledTicket(server, workspace, lucky.id);
    expect(settled.custom_fields).toEqual({
      floor: 12,
      site: 'north',
      due: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
    });
    const unlucky = await makeTicket(api, { subject: 'Twelve', custom_fields: { floor: 3 } });
    await settledTicket(server, workspace, unlucky.id);
    const [run] = await runsOf(workspace, 'tickets', unlucky.id);
    expect([run?.automation_id, run?.status]).toEqual([id, 'partial']);
  });
});

describe('definitions', () => {
  it('go together, or are refused with everything that is wrong', async () => {
    const { api } = await makeWorkspace(server);
    const refused = async (body: object): Promise<unknown> =>
      (await api.post('/custom-fields', { object: 'ticket', key: 'k', label: 'K', ...body })).expect(422).codes;
    expect(await refused({ type: 'select' })).toEqual({ options: 'required' });
    expect(await refused({ type: 'number', options: SITES, pattern: 'x', target: 'users' })).toEqual({
      options: 'invalid',
      target: 'invalid',
      pattern: 'invalid',
    });
    expect(await refused({ type: 'reference' })).toEqual({ target: 'required' });
    expect(await refused({ type: 'reference', target: 'users', default_value: 1 })).toEqual({
      default_value: 'invalid',
    });
    expect(await refused({ type: 'select', options: SITES, default_value: 'west' })).toEqual({ default_value: 'enum' });
    expect(await refused({ type: 'text', pattern: '(a+' })).toEqual({ pattern: 'format' });
    await define(api, 'k', {});
    expect(await refused({ type: 'text' })).toEqual({ key: 'duplicate' });
    await define(api, 'k', { object: 'company' });
  });

  it('keep what they are: object, key and type are fixed, options that records have stay', async () => {
    const { api } = await furnished();
    const [site] = (await api.get('/custom-fields?key=site')).rows;
    const path = `/custom-fields/${site?.id}`;
    for (const fixed of [{ object: 'company' }, { key: 'other' }, { type: 'text' }, { target: 'users' }])
      expect((await api.patch(path, fixed)).expect(422).codes).toEqual({ [Object.keys(fixed)[0] ?? '']: 'immutable' });
    const ticket = await makeTicket(api, { custom_fields: { floor: 1, site: 'north' } });
    const options = [SITES[0]];
    const conflict = (await api.patch(path, { options })).expect(409);
    expect([conflict.error.type, conflict.codes]).toEqual(['conflict', { options: 'in_use' }]);
    (await api.patch(path, { options: [SITES[0], { ...SITES[1], label: 'Annex', is_active: false }] })).expect(200);
    const patch = (custom_fields: object) => api.patch(`/tickets/${ticket.id}`, { custom_fields });
    (await patch({ floor: 2, site: 'north' })).expect(200);
    expect((await api.get('/tickets?custom_fields.site=north&fields=id')).rows).toEqual([{ id: ticket.id }]);
    (await patch({ floor: 2, site: 'south' })).expect(200);
    expect((await patch({ floor: 2, site: 'north' })).expect(422).codes).toEqual({ 'custom_fields.site': 'enum' });
    (await api.patch(path, { options })).expect(200);
    expect((await api.patch(path, { options: [] })).expect(422).codes).toMatchObject({ options: 'required' });
  });

  it('that go, or are laid by, leave the values to themselves', async () => {
    const { api } = await furnished();
    const ticket = await makeTicket(api, { custom_fields: { floor: 1 } });
    const [site, floor] = (await api.get('/custom-fields?sort=-key')).rows;
    (await api.patch(`/custom-fields/${site?.id}`, { is_active: false })).expect(200);
    (await api.delete(`/custom-fields/${floor?.id}`)).expect(200);
    const custom_fields = { floor: 'ground', site: 'anywhere' };
    expect((await api.get(`/tickets/${ticket.id}`)).data.custom_fields).toEqual({ floor: 1, site: 'south' });
    expect((await makeTicket(api, { custom_fields })).custom_fields).toEqual(custom_fields);
    expect((await makeTicket(api)).custom_fields).toEqual({});
    expect((await api.get('/tickets?custom_fields.site=south')).expect(422).codes).toEqual({
      'custom_fields.site': 'unknown_filter',
    });
  });

  it('of another workspace mean nothing here', async () => {
    const [home, foreign] = [await makeWorkspace(server), await furnished()];
    expect((await makeTicket(home.api, { custom_fields: { floor: 'x' } })).custom_fields).toEqual({ floor: 'x' });
    expect((await home.api.get('/custom-fields')).rows).toEqual([]);
    expect((await foreign.api.get('/custom-fields?fields=key&sort=key')).rows).toEqual([
      { key: 'floor' },
      { key: 'site' },
    ]);
  });
});

it('the document of a workspace shows its fields, that of everybody does not', async () => {
  const { api } = await furnished();
  const [own, general] = [await api.get('/openapi.json'), await new Api(api.url, null).get('/openapi.json')];
  const schemas = (text: string) =>
    (
      JSON.parse(text) as {
        components: { schemas: Record<string, { properties: Record<string, Fields>; enum?: string[] }> };
      }
    ).components.schemas;
  expect(schemas(own.text).CreateTicket?.properties.custom_fields).toMatchObject({
    properties: { floor: { title: 'FLOOR', type: 'number' }, site: { enum: ['south', 'north'] } },
    additionalProperties: true,
  });
  expect(own.text).toContain('"custom_fields.site"');
  expect(schemas(own.text).TicketField?.enum).toContain('custom_fields.site');
  expect(general.text).not.toContain('"custom_fields.site"');
  const again = await api.get('/openapi.json', { 'if-none-match': own.header('etag') ?? '' });
  expect(again.status).toBe(304);
});
