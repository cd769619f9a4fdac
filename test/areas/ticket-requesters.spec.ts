import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { make, makeTicket } from '../support/cast';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

const patch = async (path: string, body: object): Promise<Fields> =>
  (await workspace.api.patch(path, body)).expect(200).data;

describe('another requester', () => {
  it('brings contact, name and company as at creation', async () => {
    const acme = await make(workspace.api, '/companies', { domains: ['acme.example'] });
    const initech = await make(workspace.api, '/companies', { domains: ['initech.example'] });
    const { id } = await makeTicket(workspace.api, { requester_email: 'ada@acme.example', requester_name: 'Ada' });
    const asks = (body: object): Promise<Fields> => patch(`/tickets/${id}`, body);
    const bob = await asks({ requester_email: 'Bob@initech.example' });
    expect(bob).toMatchObject({ requester_name: null, company_id: initech.id });
    expect((await workspace.api.get(`/contacts/${bob.contact_id as number}`)).expect(200).data).toMatchObject({
      email: 'bob@initech.example',
      name: null,
      company_id: initech.id,
    });
    const eve = { email: 'eve@elsewhere.example', name: 'Eve', company_id: acme.id };
    const known = (await workspace.api.post('/contacts', eve)).expect(201).data;
    expect(await asks({ requester_email: eve.email })).toMatchObject({
      requester_name: 'Eve',
      contact_id: known.id,
      company_id: acme.id,
    });
    expect(await asks({ requester_email: 'kim@nowhere.example' })).toMatchObject({
      requester_name: null,
      company_id: null,
    });
  });

  it('is named, and asks for whom, as the same change says', async () => {
    const acme = await make(workspace.api, '/companies', { domains: ['acme.example'] });
    const other = await make(workspace.api, '/companies');
    const { id } = await makeTicket(workspace.api, { requester_email: 'ada@acme.example' });
    const named = { requester_email: 'bob@acme.example', requester_name: 'Bob', company_id: other.id };
    const bob = await patch(`/tickets/${id}`, named);
    expect(bob).toMatchObject(named);
    expect((await workspace.api.get(`/contacts/${bob.contact_id as number}`)).data).toMatchObject({
      name: 'Bob',
      company_id: other.id,
    });
    const free = { requester_email: 'ada@acme.example', company_id: null };
    expect(await patch(`/tickets/${id}`, free)).toMatchObject({ ...free, requester_name: null });
    expect(await patch(`/tickets/${id}`, { requester_name: 'A.' })).toMatchObject({ company_id: null });
    expect((await makeTicket(workspace.api, { requester_email: 'ada@acme.example' })).company_id).toBe(acme.id);
  });

  it('takes the name along when nobody comes instead', async () => {
    const { id } = await makeTicket(workspace.api, { requester_email: 'ada@acme.example', requester_name: 'Ada' });
    expect(await patch(`/tickets/${id}`, { requester_email: null })).toMatchObject({
      requester_email: null,
      requester_name: null,
      contact_id: null,
    });
  });
});

describe('the name of a known contact', () => {
  it('is on tickets that give the address alone, and on what the requester says there', async () => {
    await make(workspace.api, '/contacts', { email: 'ada@acme.example', name: 'Ada' });
    const ticket = await makeTicket(workspace.api, { requester_email: 'ADA@acme.example' });
    expect(ticket.requester_name).toBe('Ada');
    const said = { body: 'Hello', author_type: 'requester' };
    const { data } = (await workspace.api.post(`/tickets/${ticket.id}/comments`, said)).expect(201);
    expect(data).toMatchObject({ author_name: 'Ada', author_id: ticket.contact_id });
    expect(
      (await makeTicket(workspace.api, { requester_email: 'ada@acme.example', requester_name: 'A.' })).requester_name,
    ).toBe('A.');
  });

  it('stands in where the ticket has none, as the contact was named later', async () => {
    const ticket = await makeTicket(workspace.api, {
      requester_email: 'ada@acme.example',
      description: 'It jams.',
      status: 'resolved',
    });
    expect(ticket.requester_name).toBeNull();
    await patch(`/contacts/${ticket.contact_id as number}`, { name: 'Ada' });
    const { rating_url } = (await workspace.api.post(`/tickets/${ticket.id}/rating-link`)).expect(200).data;
    const page = (rating_url as string).replace(/^https?:\/\/[^/]+/, server.url);
    expect((await fetch(page, { method: 'POST', body: new URLSearchParams({ score: '5' }) })).status).toBe(200);
    const [rated] = (await workspace.api.get(`/tickets/${ticket.id}/history?type=ticket.csat_received`)).rows;
    expect(rated?.actor).toMatchObject({ type: 'requester', name: 'Ada' });
    const said = { body: 'Hello', author_type: 'requester' };
    const comment = (await workspace.api.post(`/tickets/${ticket.id}/comments`, said)).expect(201).data;
    expect(comment.author_name).toBe('Ada');
    const into = await makeTicket(workspace.api);
    (await workspace.api.post(`/tickets/${ticket.id}/merge`, { into_id: into.id })).expect(200);
    const { rows } = (await workspace.api.get(`/tickets/${into.id}/comments`)).expect(200);
    expect(rows.map(({ author_name }) => author_name)).toEqual(['Ada', 'Ada']);
  });
});
