import type { Answer, Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeUser } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { insist } from '../support/insist';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let home: TestWorkspace;
let eve: number;
let max: number;
let ada: number;
beforeAll(async () => {
  home = await makeWorkspace(server);
  [eve, max] = [
    (await makeUser(home.api, { email: 'eve@x.example' })).id,
    (await makeUser(home.api, { email: 'max@x.example' })).id,
  ];
  ada = (await home.api.post('/contacts', { email: 'ada@x.example' })).expect(201).data.id;
});

const make = async (fields: object = {}): Promise<Fields> =>
  (await home.api.post('/assets', { name: 'Laptop', ...fields })).expect(201).data;
const patch = (id: number, fields: object): Promise<Answer> => home.api.patch(`/assets/${id}`, fields);
const act = (id: number, action: string, body: object = {}): Promise<Answer> =>
  home.api.post(`/assets/${id}/${action}`, body);
const refused = async (answer: Promise<Answer>): Promise<unknown> => (await answer).expect(422).codes;
const typesOf = async (id: number): Promise<string[]> =>
  (await eventsOf(server, home, 'asset', id)).map(({ type }) => type);
const historyOf = async (id: number): Promise<Fields[]> =>
  (await home.api.get(`/assets/${id}/history`)).expect(200).rows;

describe('the tag of an asset', () => {
  it('is numbered, and passes over those given by hand', async () => {
    const place = await makeWorkspace(server);
    const create = async (fields: object): Promise<unknown> =>
      (await place.api.post('/assets', { name: 'x', ...fields })).expect(201).data.asset_tag;
    expect([
      await create({}),
      await create({ asset_tag: 'ast-000002' }),
      await create({ asset_tag: 'AST-000003' }),
    ]).toEqual(['AST-000001', 'ast-000002', 'AST-000003']);
    expect(await create({})).toBe('AST-000004');
  });

  it('is unique whatever its case, like the serial number, until the asset is deleted', async () => {
    const first = await make({ asset_tag: 'Desk-1', serial_number: 'Ser-1' });
    expect(await refused(home.api.post('/assets', { name: 'x', asset_tag: 'DESK-1' }))).toEqual({
      asset_tag: 'duplicate',
    });
    expect(await refused(home.api.post('/assets', { name: 'x', serial_number: 'sER-1' }))).toEqual({
      serial_number: 'duplicate',
    });
    for (const query of ['asset_tag=desk-1', 'serial_number=SER-1', 'q=desk-1', 'asset_tag=none,DESK-1'])
      expect((await home.api.get(`/assets?${query}`)).rows.map(({ id }) => id)).toEqual([first.id]);
    (await home.api.delete(`/assets/${first.id}`)).expect(200);
    await make({ asset_tag: 'desk-1', serial_number: 'ser-1' });
  });
});

describe('fields of an asset', () => {
  it('has the currency of the workspace, and a cost in whole minor units of its own', async () => {
    expect(await make()).toMatchObject({ currency: 'EUR', purchase_cost: null, status: 'in_stock', ticket_count: 0 });
    const { id } = await make({ purchase_cost: 12.34, currency: 'EUR' });
    expect(await refused(patch(id, { currency: 'JPY' }))).toEqual({ purchase_cost: 'format' });
    expect(await refused(patch(id, { purchase_cost: 0.001 }))).toEqual({ purchase_cost: 'format' });
    expect((await patch(id, { currency: 'KWD', purchase_cost: 0.001 })).expect(200).data.purchase_cost).toBe(0.001);
  });

  it('keeps addresses in their one form', async () => {
    const asset = await make({ ip_address: '2001:DB8:0:0::1', mac_address: 'AABB.CCDD.EEFF' });
    expect(asset).toMatchObject({ ip_address: '2001:db8::1', mac_address: 'aa:bb:cc:dd:ee:ff' });
    const before = await typesOf(asset.id);
    (await patch(asset.id, { mac_address: 'aa-bb-cc-dd-ee-ff' })).expect(200);
    expect(await typesOf(asset.id)).toEqual(before);
  });
});

describe('who has an asset', () => {
  it('is told by its status, its events and its history', async () => {
    const { id } = await make({ status: 'reserved' });
    expect((await patch(id, { assigned_to: eve })).expect(200).data).toMatchObject({
      status: 'in_use',
      assigned_to: eve,
    });
    (await patch(id, { assigned_to: max })).expect(200);
    expect((await patch(id, { status: 'in_use', assigned_to: null })).expect(200).data.status).toBe('in_stock');
    expect(await typesOf(id)).toEqual([
      'asset.created',
      ...['asset.updated', 'asset.assigned', 'asset.updated', 'asset.assigned', 'asset.updated', 'asset.unassigned'],
    ]);
    const [returned, moved, given, created] = await historyOf(id);
    expect(created).toMatchObject({ action: 'created', from: {}, to: { name: 'Laptop', status: 'reserved' } });
    expect(given).toMatchObject({
      action: 'assigned',
      from: { status: 'reserved', assigned_to: null },
      to: { status: 'in_use', assigned_to: eve },
      actor: { type: 'token' },
    });
    expect(moved).toMatchObject({ from: { assigned_to: eve }, to: { assigned_to: max } });
    expect(returned).toMatchObject({
      action: 'unassigned',
      to: { status: 'in_stock', assigned_to: null },
      asset_id: id,
    });
    expect((await home.api.get(`/assets/${id}/history?action=assigned`)).meta.total).toBe(2);
  });

  it('is a user or a contact, never both, and only somebody who is there', async () => {
    expect(await refused(home.api.post('/assets', { name: 'x', assigned_to: eve, assigned_contact_id: ada }))).toEqual({
      assigned_contact_id: 'conflict',
    });
    const { id, status } = await make({ assigned_contact_id: ada });
    expect([status, await typesOf(id)]).toEqual(['in_use', ['asset.created', 'asset.assigned']]);
    expect(await refused(patch(id, { assigned_to: eve }))).toEqual({ assigned_contact_id: 'conflict' });
    (await patch(id, { assigned_to: eve, assigned_contact_id: null })).expect(200);
    const gone = await makeUser(home.api, { email: 'gone@x.example' });
    (await home.api.delete(`/users/${gone.id}`)).expect(200);
    expect(await refused(patch(id, { assigned_to: gone.id }))).toEqual({ assigned_to: 'inactive' });
  });

  it.each(['retired', 'lost', 'disposed'])('nobody has one that is %s', async (gone) => {
    const { id } = await make({ assigned_to: eve });
    const answer = (await patch(id, { status: gone })).expect(422);
    expect(answer.error.details?.[0]).toMatchObject({
      ...{ field: 'status', code: 'invalid_transition', from: 'in_use', to: gone },
      allowed: ['in_use', 'in_repair'],
    });
    expect((await patch(id, { status: gone, assigned_to: null })).expect(200).data.status).toBe(gone);
    expect((await typesOf(id)).slice(-3)).toEqual(['asset.updated', 'asset.unassigned', 'asset.retired']);
    expect(await refused(patch(id, { assigned_to: eve }))).toEqual({ status: 'invalid_transition' });
    expect(await refused(act(id, 'checkout', { user_id: eve }))).toEqual({ status: 'invalid_transition' });
  });

  it('keeps a contact from being deleted', async () => {
    const { id } = (await home.api.post('/contacts', { email: 'holder@x.example' })).data;
    const asset = await make({ assigned_contact_id: id });
    expect(await refused(home.api.delete(`/contacts/${id}`))).toEqual({ id: 'in_use' });
    (await act(asset.id, 'checkin')).expect(200);
    (await home.api.delete(`/contacts/${id}`)).expect(200);
  });
});

describe('checking out and in', () => {
  it('lends an asset and takes it back', async () => {
    const { id } = await make();
    const due = '2036-01-01T08:00:00.000Z';
    const lent = (await act(id, 'checkout', { contact_id: ada, expected_return_at: due, note: 'With bag' })).expect(
      200,
    );
    expect(lent.data).toMatchObject({
      status: 'in_use',
      assigned_contact_id: ada,
      usage_type: 'loaner',
      expected_return_at: due,
    });
    const back = (await act(id, 'checkin', { status: 'in_repair', note: 'Broken lid' })).expect(200);
    expect(back.data).toMatchObject({ status: 'in_repair', assigned_contact_id: null, expected_return_at: null });
    const [last, first] = await historyOf(id);
    expect([first?.note, first?.action, last?.note, last?.action]).toEqual([
      'With bag',
      'assigned',
      'Broken lid',
      'unassigned',
    ]);
    expect(await refused(act(id, 'checkin'))).toEqual({ id: 'not_checked_out' });
    expect(await refused(act(id, 'checkout', { user_id: eve }))).toEqual({ status: 'invalid_transition' });
  });

  it.each([
    [{}, { user_id: 'required' }],
    [{ user_id: 999_999 }, { user_id: 'not_found' }],
    [{ contact_id: 999_999 }, { contact_id: 'not_found' }],
    [{ user_id: 1, contact_id: 1 }, { contact_id: 'conflict' }],
    [{ user_id: null }, { user_id: 'type' }],
    [{ user_id: 1, expected_return_at: '2001-01-01T00:00:00Z' }, { expected_return_at: 'min' }],
  ])('refuses %j', async (body, codes) => {
    const { id } = await make();
    expect(await refused(act(id, 'checkout', body))).toEqual(codes);
  });

  it('knows no asset that does not exist', async () => {
    for (const body of [{}, { user_id: eve }, { user_id: 999_999 }]) (await act(999_999, 'checkout', body)).expect(404);
    for (const action of ['checkin', 'audit']) (await act(999_999, action)).expect(404);
  });

  it('gives it to one of many who want it at once', async () => {
    const { id } = await make();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        insist(() => act(id, 'checkout', index % 2 ? { user_id: eve } : { contact_id: ada })),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422, 422]);
    expect(answers.filter(({ status }) => status === 422).map(({ codes }) => codes.id)).toEqual(
      Array(5).fill('checked_out'),
    );
    expect(await typesOf(id)).toEqual(['asset.created', 'asset.updated', 'asset.assigned']);
  });

  it('has a date of return for loaners only', async () => {
    const date = { expected_return_at: '2036-01-01T08:00:00.000Z' };
    expect(await refused(home.api.post('/assets', { name: 'x', ...date }))).toEqual({ expected_return_at: 'invalid' });
    const { id } = await make({ ...date, usage_type: 'loaner', assigned_to: eve });
    expect((await patch(id, { usage_type: 'permanent' })).expect(200).data.expected_return_at).toBeNull();
    expect(await refused(patch(id, date))).toEqual({ expected_return_at: 'invalid' });
  });
});

describe('an audit', () => {
  it('says when and where the asset was seen, and plans the next one', async () => {
    const { id } = await make({ next_audit_at: '2020-01-01', location: 'Berlin' });
    const due = async (): Promise<boolean> => (await home.api.get(`/assets?audit_due=true&ids=${id}`)).meta.total === 1;
    expect(await due()).toBe(true);
    const day = new Date().toISOString().slice(0, 10);
    const seen = (await act(id, 'audit', { location: 'Lisbon', note: 'Fine' })).expect(200).data;
    expect([day, new Date().toISOString().slice(0, 10)]).toContain(seen.last_audit_at);
    const next = new Date(`${String(seen.last_audit_at)}T00:00:00Z`);
    next.setUTCFullYear(next.getUTCFullYear() + 1);
    expect(seen).toMatchObject({ location: 'Lisbon', next_audit_at: next.toISOString().slice(0, 10) });
    expect(await due()).toBe(false);
    const again = (await act(id, 'audit', { next_audit_at: null })).expect(200).data;
    expect([again.next_audit_at, again.location]).toEqual([null, 'Lisbon']);
    (await act(id, 'audit', { next_audit_at: null })).expect(200);
    expect(await typesOf(id)).toEqual(['asset.created', ...Array(3).fill(['asset.updated', 'asset.audited'])].flat());
    const [third, , first] = await historyOf(id);
    expect(first).toMatchObject({
      action: 'audited',
      note: 'Fine',
      from: { location: 'Berlin' },
      to: { location: 'Lisbon' },
    });
    expect(third).toMatchObject({ action: 'audited', note: null, from: {}, to: {} });
    expect(await refused(act(id, 'audit', { next_audit_at: '2020-01-01' }))).toEqual({ next_audit_at: 'min' });
  });
});
