import type { Requester } from '../../src/areas/contacts/contact-lookup';
import { ContactsService } from '../../src/areas/contacts/contacts.service';
import { Database } from '../../src/platform/database/database';
import { useApp } from '../support/app';
import { eventsOf } from '../support/event-log';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const app = useApp();

let home: TestWorkspace;
beforeEach(async () => {
  home = await makeWorkspace(app);
});

describe('fields of a contact', () => {
  it('has defaults for everything but the address', async () => {
    const { data } = (await home.api.post('/contacts', { email: ' Paul@ACME.example ' })).expect(201);
    expect(data).toMatchObject({
      email: 'paul@acme.example',
      name: null,
      company_id: null,
      is_vip: false,
      status: 'active',
      tags: '',
      last_seen_at: null,
    });
  });

  it('has an address that no other contact of the workspace has, case aside', async () => {
    (await home.api.post('/contacts', { email: 'paul@acme.example' })).expect(201);
    const answer = (await home.api.post('/contacts', { email: 'PAUL@acme.example' })).expect(422);
    expect(answer.codes).toEqual({ email: 'duplicate' });
  });

  it.each([
    [{ email: 'paul' }, { email: 'format' }],
    [{ timezone: 'Berlin' }, { timezone: 'format' }],
    [{ timezone: '+02:00' }, { timezone: 'format' }],
    [{ language: 'en_US' }, { language: 'format' }],
    [{ company_id: 999_999 }, { company_id: 'not_found' }],
    [{ last_seen_at: '2026-01-01T00:00:00Z' }, { last_seen_at: 'immutable' }],
  ])('refuses %j', async (fields, codes) => {
    const answer = (await home.api.post('/contacts', { email: 'paul@acme.example', ...fields })).expect(422);
    expect(answer.codes).toEqual(codes);
  });

  it("cannot belong to another workspace's company", async () => {
    const other = await makeWorkspace(app);
    const foreign = (await other.api.post('/companies', { name: 'Acme' })).data.id;
    const body = { email: 'paul@acme.example', company_id: foreign };
    expect((await home.api.post('/contacts', body)).expect(422).codes).toEqual({ company_id: 'not_found' });
  });
});

describe('lists of contacts', () => {
  it('filter, sort and search', async () => {
    const company = (await home.api.post('/companies', { name: 'Acme' })).data.id;
    await home.api.post('/contacts', { email: 'c@x.example', name: 'Anna', company_id: company, tags: 'beta' });
    await home.api.post('/contacts', { email: 'b@x.example', name: 'Zoe', mobile: '+49 170 555' });
    await home.api.post('/contacts', { email: 'a@x.example', status: 'blocked' });
    const list = async (query: string): Promise<unknown[]> =>
      (await home.api.get(`/contacts?${query}`)).expect(200).rows.map((row) => (row.email as string)[0]);
    expect(await list('sort=name')).toEqual(['c', 'b', 'a']);
    expect(await list('sort=-name')).toEqual(['b', 'c', 'a']);
    expect(await list('sort=-email')).toEqual(['c', 'b', 'a']);
    expect(await list('email=B@X.example')).toEqual(['b']);
    expect(await list(`company_id=${company}`)).toEqual(['c']);
    expect(await list('company_id=none&sort=email')).toEqual(['a', 'b']);
    expect(await list('status=blocked')).toEqual(['a']);
    expect(await list('tags=beta')).toEqual(['c']);
    expect(await list('q=170')).toEqual(['b']);
    const { data } = await home.api.get(`/contacts?company_id=${company}&expand=company`).then((page) => ({
      data: page.rows[0],
    }));
    expect(data?.company).toMatchObject({ id: company, name: 'Acme' });
  });
});

describe('requesters', () => {
  const upsert = (email: string, name: string | null, workspace = home): Promise<Requester> => {
    const database = app.app.get(Database);
    return database.inWorkspace(workspace.id, { type: 'system', id: null, name: 'test' }, () =>
      database.transaction(() => app.app.get(ContactsService).upsertByEmail(email, name, null)),
    );
  };

  it('become a contact with their first ticket, once, however many come at the same time', async () => {
    const found = await Promise.all(Array.from({ length: 8 }, () => upsert('New@acme.example', 'New')));
    const ids = new Set(found.map((contact) => contact.id));
    expect(ids.size).toBe(1);
    const [id = 0] = ids;
    expect((await eventsOf(app, home, 'contact', id)).map((event) => event.type)).toEqual(['contact.created']);
    expect((await home.api.get(`/contacts?email=new@acme.example`)).meta.total).toBe(1);
  });

  it('keep the contact they have, in their own workspace', async () => {
    const known = (await home.api.post('/contacts', { email: 'paul@acme.example', name: 'Paul' })).data.id;
    expect(await upsert('paul@acme.example', 'Someone')).toMatchObject({ id: known, name: 'Paul', company_id: null });
    const other = await makeWorkspace(app);
    expect((await upsert('paul@acme.example', 'Elsewhere', other)).id).not.toBe(known);
  });

  it('are seen when they open a ticket, and their tickets outlive them', async () => {
    const ticket = (await home.api.post('/tickets', { subject: 'help', requester_email: 'eve@acme.example' })).expect(
      201,
    ).data;
    const id = ticket.contact_id as number;
    expect((await home.api.get(`/contacts/${id}`)).data.last_seen_at).toBe(ticket.created_at);
    (await home.api.delete(`/contacts/${id}`)).expect(200);
    expect((await home.api.get(`/tickets/${ticket.id}`)).data).toMatchObject({
      contact_id: null,
      requester_email: 'eve@acme.example',
    });
  });
});
