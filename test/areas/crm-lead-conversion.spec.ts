import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { make, makeUser } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { makePerson } from '../support/people';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let home: TestWorkspace;
let serial = 0;
beforeAll(async () => {
  home = await makeWorkspace(server);
});

async function lead(body: Record<string, unknown> = {}): Promise<Fields> {
  serial++;
  const own = { name: `Lead ${serial}`, email: `lead${serial}@firm${serial}.example`, company_name: `Firm ${serial}` };
  return (await home.api.post('/crm/leads', { ...own, ...body })).expect(201).data;
}

const convert = (id: number, body: object = {}, headers: Record<string, string> = {}) =>
  home.api.post(`/crm/leads/${id}/convert`, body, headers);

/** The four records of a conversion. */
async function converted(id: number, body: object = {}): Promise<Record<string, Fields>> {
  return (await convert(id, body)).expect(200).body.data as Record<string, Fields>;
}

const total = async (path: string): Promise<unknown> => (await home.api.get(`${path}per_page=1`)).meta.total;
const types = async (object: string, id: number): Promise<string[]> =>
  (await eventsOf(server, home, object, id)).map((event) => event.type);

it('makes a deal, a company and a contact of a lead, in one step', async () => {
  const owner = await makeUser(home.api);
  const before = await lead({
    status: 'qualified',
    owner_id: owner.id,
    phone: '+1 202',
    job_title: 'Buyer',
    estimated_value: 1_200.5,
    currency: 'USD',
    source: 'event',
    industry: 'Mining',
    website: 'https://firm.example',
    expected_close_date: '2027-05-01',
    tags: 'fair',
  });
  const { lead: after, deal, company, contact } = await converted(before.id);
  expect(after).toMatchObject({ id: before.id, status: 'converted', converted_deal_id: deal?.id });
  expect(after).toMatchObject({ company_id: company?.id, contact_id: contact?.id });
  expect(after?.converted_at).not.toBeNull();
  expect(deal).toMatchObject({
    title: before.name,
    value: 1_200.5,
    currency: 'USD',
    status: 'open',
    probability: 10,
    weighted_value: 120.05,
    lead_id: before.id,
    owner_id: owner.id,
    company_id: company?.id,
    contact_id: contact?.id,
    source: 'event',
    expected_close_date: '2027-05-01',
    tags: 'fair',
  });
  expect(company).toMatchObject({ name: before.company_name, industry: 'Mining', status: 'prospect' });
  expect(contact).toMatchObject({ email: before.email, company_id: company?.id, phone: '+1 202', job_title: 'Buyer' });
  for (const [path, record] of [
    ['/crm/leads', after],
    ['/crm/deals', deal],
    ['/companies', company],
    ['/contacts', contact],
  ] as const) {
    expect((await home.api.get(`${path}/${record?.id}`)).expect(200).data).toEqual(record);
  }
  expect(await types('lead', before.id)).toEqual([
    'lead.created',
    'lead.updated',
    'lead.status_changed',
    'lead.converted',
  ]);
  expect(await types('deal', deal?.id ?? 0)).toEqual(['deal.created']);
  expect(await types('company', company?.id ?? 0)).toEqual(['company.created']);
  expect(await types('contact', contact?.id ?? 0)).toEqual(['contact.created']);
  const expanded = (await home.api.get(`/crm/leads/${before.id}?expand=deal,owner`)).data;
  expect([(expanded.deal as Fields).id, (expanded.owner as Fields).id]).toEqual([deal?.id, owner.id]);
});

describe('who the lead turns out to be', () => {
  it('is the company and contact that the lead names', async () => {
    const [company, contact] = [await make(home.api, '/companies'), await make(home.api, '/contacts')];
    const made = await converted((await lead({ company_id: company.id, contact_id: contact.id })).id);
    expect([made.company?.id, made.contact?.id]).toEqual([company.id, contact.id]);
  });

  it('is the company of that name, case aside, and the contact with that address', async () => {
    const company = await make(home.api, '/companies', { name: 'Navy Computing' });
    const contact = await make(home.api, '/contacts', { email: 'grace@navy.example' });
    const made = await converted((await lead({ company_name: 'NAVY computing', email: 'Grace@navy.example' })).id);
    expect([made.company?.id, made.contact?.id, made.contact?.company_id]).toEqual([company.id, contact.id, null]);
  });

  it('is the company with the mail domain, or that of the contact', async () => {
    const company = await make(home.api, '/companies', { domains: ['owned.example'] });
    const first = await converted((await lead({ company_name: null, email: 'a@owned.example' })).id);
    expect(first.company?.id).toBe(company.id);
    const contact = await make(home.api, '/contacts', { company_id: company.id });
    const second = await converted((await lead({ email: contact.email, company_name: 'Another' })).id);
    expect([second.company?.id, second.contact?.id]).toEqual([company.id, contact.id]);
  });

  it('is no new company where none is wanted, and no contact without an address', async () => {
    const before = await total('/companies?');
    const first = await converted((await lead()).id, { create_company: false });
    expect([first.company, first.contact?.company_id, first.deal?.company_id]).toEqual([null, null, null]);
    const unseen = await converted((await lead({ email: null, company_name: '\u200B', phone: '1' })).id);
    expect(unseen.company).toBeNull();
    const second = await converted((await lead({ email: null, company_name: null, phone: '1' })).id);
    expect([second.company, second.contact, second.lead?.contact_id]).toEqual([null, null, null]);
    expect(await total('/companies?')).toBe(before);
  });

  it('is owned by nobody when its owner has left', async () => {
    const owner = await makeUser(home.api);
    const { id } = await lead({ owner_id: owner.id });
    (await home.api.delete(`/users/${owner.id}`)).expect(200);
    expect((await converted(id)).deal?.owner_id).toBeNull();
  });
});

it('takes title, value, pipeline and stage from the request', async () => {
  const pipeline = (await home.api.post('/crm/pipelines', { name: 'Partners', currency: 'CHF' })).expect(201).data;
  const stages = pipeline.stages as { id: number }[];
  const first = await converted((await lead()).id, { title: 'Big one', value: 99, pipeline_id: pipeline.id });
  expect(first.deal).toMatchObject({ title: 'Big one', value: 99, currency: 'EUR', stage_id: stages[0]?.id });
  const second = await converted((await lead()).id, { stage_id: stages[2]?.id });
  expect(second.deal).toMatchObject({ pipeline_id: pipeline.id, stage_id: stages[2]?.id, value: 0 });
});

it.each<[string, object, Record<string, string>]>([
  ['an unknown pipeline', { pipeline_id: 999_999_999 }, { pipeline_id: 'not_found' }],
  ['an unknown stage', { stage_id: 999_999_999 }, { stage_id: 'not_found' }],
  ['a value finer than its currency', { value: 0.001 }, { value: 'format' }],
  ['an unknown field', { colour: 'red' }, { colour: 'unknown_field' }],
  ['no boolean', { create_company: 'yes' }, { create_company: 'type' }],
])('is refused for %s, and nothing is left of it', async (_name, body, codes) => {
  const { id } = await lead();
  const before = [await total('/crm/deals?'), await total('/companies?'), await total('/contacts?')];
  expect((await convert(id, body)).expect(422).codes).toEqual(codes);
  expect([await total('/crm/deals?'), await total('/companies?'), await total('/contacts?')]).toEqual(before);
  expect((await home.api.get(`/crm/leads/${id}`)).data.status).toBe('new');
});

it('happens once: a converted lead, and one that was given up, are not converted', async () => {
  const { id } = await lead();
  await converted(id);
  expect((await convert(id)).expect(422).codes).toEqual({ status: 'invalid_transition' });
  expect((await home.api.patch(`/crm/leads/${id}`, { status: 'new' })).expect(422).codes).toEqual({
    status: 'invalid_transition',
  });
  const junk = await lead({ status: 'junk' });
  expect((await convert(junk.id)).expect(422).error.details?.[0]).toMatchObject({ from: 'junk', allowed: ['new'] });
  expect((await convert(999_999_999)).status).toBe(404);
});

it('makes one deal of eight conversions at the same time', async () => {
  const { id } = await lead();
  const answers = await Promise.all(Array.from({ length: 8 }, () => convert(id)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(422)]);
  expect(await total(`/crm/deals?lead_id=${id}&`)).toBe(1);
});

it('makes one company and one contact of leads of the same firm at the same time', async () => {
  const same = { company_name: 'Twins', email: 'both@twins.example' };
  const leads = [await lead(same), await lead(same), await lead(same), await lead(same)];
  const made = await Promise.all(leads.map(({ id }) => converted(id)));
  expect(new Set(made.map(({ company }) => company?.id)).size).toBe(1);
  expect(new Set(made.map(({ contact }) => contact?.id)).size).toBe(1);
  expect(new Set(made.map(({ deal }) => deal?.id)).size).toBe(4);
});

it('heeds If-Match and Idempotency-Key', async () => {
  const { id } = await lead();
  expect((await convert(id, {}, { 'if-match': '"99"' })).status).toBe(412);
  const headers = { 'idempotency-key': `convert-${id}` };
  const first = (await convert(id, {}, headers)).expect(200);
  const again = (await convert(id, {}, headers)).expect(200);
  expect([again.text, again.header('idempotent-replayed')]).toEqual([first.text, 'true']);
  expect(await total(`/crm/deals?lead_id=${id}&`)).toBe(1);
});

it('leaves the lead converted when the deal is deleted, and the deal when the lead is', async () => {
  const [one, other] = [await lead(), await lead()];
  const [first, second] = [await converted(one.id), await converted(other.id)];
  (await home.api.delete(`/crm/deals/${first.deal?.id}`)).expect(200);
  expect((await home.api.get(`/crm/leads/${one.id}`)).data).toMatchObject({
    status: 'converted',
    converted_deal_id: null,
  });
  (await home.api.delete(`/crm/leads/${other.id}`)).expect(200);
  expect((await home.api.get(`/crm/deals/${second.deal?.id}`)).data.lead_id).toBeNull();
});

it('shows company and contact to those alone who may read them', async () => {
  const role = await make(home.api, '/roles', { permissions: ['crm.read', 'crm.update', 'contacts.read'] });
  const seller = await makePerson(server, home, { role_id: role.id });
  const company = await make(home.api, '/companies', { notes: 'Pays late' });
  const { id } = await lead({ company_id: company.id });
  const { data } = (await seller.api.post(`/crm/leads/${id}/convert`, {})).expect(200);
  expect(data).toMatchObject({ lead: { company_id: company.id }, deal: { company_id: company.id }, company: null });
  expect((data.contact as Fields).email).toMatch(/^lead\d+@/);
});
