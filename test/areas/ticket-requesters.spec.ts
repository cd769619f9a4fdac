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
