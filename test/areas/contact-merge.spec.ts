import { useApp } from '../support/app';
import { make, makeTicket } from '../support/cast';
import { apiChannel, handedIn } from '../support/channels';
import { eventsOf } from '../support/event-log';
import { makeWorkspace } from '../support/workspace';

const server = useApp();

it('makes one contact of two: what named the one names the other, which takes over what it did not say', async () => {
  const workspace = await makeWorkspace(server);
  const { api } = workspace;
  const one = await make(api, '/contacts', {
    email: 'p@a.example',
    name: 'Paul',
    phone: '+49 30 1234567',
    tags: 'a,b',
    notes: 'one',
  });
  const two = await make(api, '/contacts', {
    email: 'p@b.example',
    name: 'P. Weber',
    tags: 'b,c',
    notes: 'two',
    is_vip: true,
  });
  const ticket = await makeTicket(api, { requester_email: 'p@a.example' });
  const asset = await make(api, '/assets', { assigned_contact_id: one.id });
  const merged = (await api.post(`/contacts/${one.id}/merge`, { into_id: two.id }, { 'idempotency-key': 'm' })).expect(
    200,
  );
  expect(merged.data).toMatchObject({
    ...{ id: two.id, email: 'p@b.example', name: 'P. Weber', phone: '+49 30 1234567' },
    ...{ tags: 'b,c,a', notes: 'two\n\none', is_vip: true },
  });
  (await api.get(`/contacts/${one.id}`)).expect(404);
  const after = (await api.get(`/tickets/${ticket.id}`)).expect(200).data;
  expect(after).toMatchObject({ contact_id: two.id, requester_email: 'p@a.example' });
  expect((await api.get(`/assets/${asset.id}`)).data.assigned_contact_id).toBe(two.id);
  const [handed] = (await api.get(`/assets/${asset.id}/history`)).rows;
  expect(handed).toMatchObject({
    ...{ action: 'assigned', from: { assigned_contact_id: one.id }, to: { assigned_contact_id: two.id } },
    actor: { type: 'token' },
  });
  const events = await eventsOf(server, workspace, 'contact', two.id);
  expect(events.map(({ type }) => type)).toEqual(['contact.created', 'contact.updated', 'contact.merged']);
  expect(events[2]?.related).toEqual({ merged: { id: one.id, email: 'p@a.example', name: 'Paul' } });
  expect((await eventsOf(server, workspace, 'ticket', ticket.id)).at(-1)).toMatchObject({
    type: 'ticket.updated',
    changes: { contact_id: { from: one.id, to: two.id } },
  });
});

it('refuses what is no merge', async () => {
  const { api } = await makeWorkspace(server);
  const foreign = await makeWorkspace(server);
  const [one, two] = [await make(api, '/contacts'), await make(api, '/contacts')];
  const other = await make(foreign.api, '/contacts');
  const codes = async (body: object): Promise<unknown> =>
    (await api.post(`/contacts/${one.id}/merge`, body)).expect(422).codes;
  expect(await codes({})).toEqual({ into_id: 'required' });
  expect(await codes({ into_id: one.id })).toEqual({ into_id: 'invalid' });
  expect(await codes({ into_id: other.id })).toEqual({ into_id: 'not_found' });
  (await api.post(`/contacts/${other.id}/merge`, { into_id: one.id })).expect(404);
  (await api.post(`/contacts/${one.id}/merge`, { into_id: two.id }, { 'if-match': '"9"' })).expect(412);
  (await api.post(`/contacts/${two.id}/erase`)).expect(202);
  expect(await codes({ into_id: two.id })).toEqual({ into_id: 'erased' });
});

it('keeps what the contact that stays says where both say more than a contact holds', async () => {
  const workspace = await makeWorkspace(server);
  const { api } = workspace;
  const fieldsOf = (prefix: string): object =>
    Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${prefix}${at}`, 'x']));
  const one = await make(api, '/contacts', { notes: 'a'.repeat(10_000), custom_fields: fieldsOf('') });
  const two = await make(api, '/contacts', { notes: 'b'.repeat(19_000), custom_fields: fieldsOf('two_') });
  const merged = (await api.post(`/contacts/${one.id}/merge`, { into_id: two.id })).expect(200).data;
  expect(merged.notes).toBe(`${'b'.repeat(19_000)}\n\n${'a'.repeat(998)}`);
  const { custom_fields: fields } = merged as unknown as { custom_fields: Record<string, string> };
  expect(fields).toMatchObject(fieldsOf('two_'));
  expect(Object.keys(fields)).toHaveLength(50);
  (await api.patch(`/contacts/${two.id}`, merged)).expect(200);
});

it('cuts no character of notes in two, and none that there is room for', async () => {
  const workspace = await makeWorkspace(server);
  const { api } = workspace;
  const faces = (count: number): string => '\u{1F600}'.repeat(count);
  const one = await make(api, '/contacts', { notes: faces(6_000) });
  const two = await make(api, '/contacts', { notes: `x${faces(4_999)}` });
  const merged = (await api.post(`/contacts/${one.id}/merge`, { into_id: two.id })).expect(200).data;
  expect(merged.notes).toBe(`x${faces(4_999)}\n\n${faces(6_000)}`);
  const told = (await eventsOf(server, workspace, 'contact', two.id)).at(-1);
  expect(told?.changes).toMatchObject({ notes: { to: merged.notes } });
});

it('tells of no change where the contact that stays says everything already', async () => {
  const workspace = await makeWorkspace(server);
  const { api } = workspace;
  const [one, two] = [await make(api, '/contacts'), await make(api, '/contacts')];
  (await api.post(`/contacts/${one.id}/merge`, { into_id: two.id })).expect(200);
  const [, ...told] = await eventsOf(server, workspace, 'contact', two.id);
  expect(told).toMatchObject([{ type: 'contact.merged', changes: null, related: { merged: { id: one.id } } }]);
});

it('takes opinions of articles along, the newer one where there are two, and counts them', async () => {
  const { api } = await makeWorkspace(server);
  const [one, two] = [await make(api, '/contacts'), await make(api, '/contacts')];
  const article = async (): Promise<string> =>
    `/kb/articles/${(await api.post('/kb/articles', { title: 'Guide', body: 'Text', status: 'published' })).expect(201).data.id}`;
  const [first, second, third] = [await article(), await article(), await article()];
  const give = async (path: string, who: { id: number }, body: object): Promise<void> =>
    void (await api.post(`${path}/feedback`, { contact_id: who.id, ...body })).expect(201);
  await give(first, one, { helpful: true, deflected: true });
  await give(first, two, { helpful: false });
  await give(second, two, { helpful: false });
  await give(second, one, { helpful: true, deflected: true, comment: 'Later' });
  await give(third, one, { helpful: false });
  (await api.post(`/contacts/${one.id}/merge`, { into_id: two.id })).expect(200);
  const standing = async (path: string): Promise<unknown[]> => {
    const { data } = (await api.get(path)).expect(200);
    const { rows } = (await api.get(`${path}/feedback`)).expect(200);
    const said = rows.map(({ contact_id, helpful, comment }) => [contact_id, helpful, comment]);
    return [data.helpful_count, data.not_helpful_count, data.deflection_count, said];
  };
  expect(await standing(first)).toEqual([0, 1, 0, [[two.id, false, null]]]);
  expect(await standing(second)).toEqual([1, 0, 1, [[two.id, true, 'Later']]]);
  expect(await standing(third)).toEqual([0, 1, 0, [[two.id, false, null]]]);
});

it('lets a channel know who goes on writing', async () => {
  const { api } = await makeWorkspace(server);
  const channel = await apiChannel(api, null);
  const from = { handle: 'u-1', name: 'Kim' };
  const said = await handedIn(api, channel, { external_message_id: 'h1', from, body: 'Hello' });
  const one = said.message?.contact_id as number;
  const two = await make(api, '/contacts');
  (await api.post(`/contacts/${one}/merge`, { into_id: two.id })).expect(200);
  expect((await api.get(`/teams/messages/${said.message?.id}`)).expect(200).data.contact_id).toBe(two.id);
  const again = await handedIn(api, channel, { external_message_id: 'h2', from, body: 'Still there?' });
  expect(again.message?.contact_id).toBe(two.id);
});

it('takes its place in custom fields, too', async () => {
  const workspace = await makeWorkspace(server);
  const { api } = workspace;
  const field = { key: 'approver', label: 'Approver', type: 'reference', target: 'contacts' };
  for (const object of ['ticket', 'asset', 'contact'])
    (await api.post('/custom-fields', { object, ...field })).expect(201);
  const old = { ...field, object: 'ticket', key: 'formerly' };
  const { id: former } = (await api.post('/custom-fields', old)).expect(201).data;
  const [one, two] = [await make(api, '/contacts'), await make(api, '/contacts')];
  const naming = (id: number): Record<string, unknown> => ({ custom_fields: { approver: id, other: 'stays' } });
  (await api.patch(`/contacts/${two.id}`, naming(one.id))).expect(200);
  const left = await makeTicket(api, { custom_fields: { formerly: one.id } });
  (await api.patch(`/custom-fields/${former}`, { is_active: false })).expect(200);
  const [ticket, other] = [await makeTicket(api, naming(one.id)), await makeTicket(api, naming(two.id))];
  const asset = await make(api, '/assets', naming(one.id));
  (await api.post(`/contacts/${one.id}/merge`, { into_id: two.id })).expect(200);
  for (const path of [`/tickets/${ticket.id}`, `/tickets/${other.id}`, `/assets/${asset.id}`, `/contacts/${two.id}`])
    expect((await api.get(path)).data).toMatchObject(naming(two.id));
  expect((await api.get(`/tickets/${left.id}`)).data.custom_fields).toEqual({ formerly: two.id });
  const found = await api.get(`/tickets?custom_fields.approver=${two.id}&sort=id`);
  expect(found.rows.map(({ id }) => id)).toEqual([ticket.id, other.id]);
  expect((await eventsOf(server, workspace, 'ticket', ticket.id)).at(-1)).toMatchObject({
    type: 'ticket.updated',
    changes: { custom_fields: { from: { approver: one.id }, to: { approver: two.id } } },
  });
  expect((await eventsOf(server, workspace, 'ticket', other.id)).map(({ type }) => type)).toEqual(['ticket.created']);
});
