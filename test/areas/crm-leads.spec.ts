import { LEAD_STATUSES, leadTransitions } from '../../src/areas/crm/leads/lead-states';
import { Tokens } from '../../src/platform/auth/tokens.service';
import { Api, type Fields } from '../support/api';
import { useApp } from '../support/app';
import { make, makeUser } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let home: TestWorkspace;
beforeAll(async () => {
  home = await makeWorkspace(server);
});

const create = (body: Record<string, unknown>) => home.api.post('/crm/leads', { name: 'Grace Hopper', ...body });
const lead = async (body: Record<string, unknown> = {}): Promise<Fields> =>
  (await create({ phone: '1', ...body })).expect(201).data;
const patch = (id: number, body: Record<string, unknown>) => home.api.patch(`/crm/leads/${id}`, body);
const types = async (id: number): Promise<string[]> =>
  (await eventsOf(server, home, 'lead', id)).map((event) => event.type);

describe('fields of a lead', () => {
  it('has defaults for everything but a name and a way to get in touch', async () => {
    expect(await lead()).toMatchObject({
      status: 'new',
      source: 'api',
      score: 0,
      rating: null,
      estimated_value: null,
      currency: 'EUR',
      owner_id: null,
      lost_reason: null,
      tags: '',
      utm: {},
      converted_at: null,
      converted_deal_id: null,
    });
  });

  it('belongs to the user of the token, unless it is given to another, or to nobody', async () => {
    const [mine, other] = [await makeUser(home.api), await makeUser(home.api)];
    const { token } = await server.app.get(Tokens).create({ workspaceId: home.id, scopes: ['*'], userId: mine.id });
    const own = new Api(server.url, token);
    const owner = async (body: object): Promise<unknown> =>
      (await own.post('/crm/leads', { name: 'A', phone: '1', ...body })).expect(201).data.owner_id;
    expect([await owner({}), await owner({ owner_id: other.id }), await owner({ owner_id: null })]).toEqual([
      mine.id,
      other.id,
      null,
    ]);
    expect((await own.get('/crm/leads?owner_id=me')).rows.map(({ owner_id }) => owner_id)).toEqual([mine.id]);
  });

  it('is not given to who has left', async () => {
    const gone = await makeUser(home.api);
    (await home.api.delete(`/users/${gone.id}`)).expect(200);
    expect((await create({ phone: '1', owner_id: gone.id })).expect(422).codes).toEqual({ owner_id: 'inactive' });
    const { id } = await lead();
    expect((await patch(id, { owner_id: gone.id })).expect(422).codes).toEqual({ owner_id: 'inactive' });
  });

  it('needs one way to get in touch, whichever', async () => {
    const five = ['email', 'phone', 'company_name', 'company_id', 'contact_id'];
    const refused = (await create({})).expect(422);
    expect(refused.codes).toEqual(Object.fromEntries(five.map((name) => [name, 'required'])));
    expect((await create({ phone: '  ', company_name: '' })).status).toBe(422);
    const company = (await make(home.api, '/companies')).id;
    const contact = (await make(home.api, '/contacts')).id;
    const ways = { email: 'a@b.example', phone: '1', company_name: 'A', company_id: company, contact_id: contact };
    for (const [name, value] of Object.entries(ways)) {
      const { id } = (await create({ [name]: value })).expect(201).data;
      expect(Object.keys((await patch(id, { [name]: null })).expect(422).codes)).toEqual(five);
      (await patch(id, { [name]: null, phone: '2' })).expect(200);
    }
  });

  it('has a value in whole minor units of its currency', async () => {
    expect((await create({ phone: '1', estimated_value: 10.5, currency: 'JPY' })).expect(422).codes).toEqual({
      estimated_value: 'format',
    });
    const { id } = await lead({ estimated_value: 10.125, currency: 'KWD' });
    expect((await patch(id, { currency: 'EUR' })).expect(422).codes).toEqual({ estimated_value: 'format' });
    expect((await patch(id, { currency: 'EUR', estimated_value: 10.12 })).expect(200).data).toMatchObject({
      currency: 'EUR',
      estimated_value: 10.12,
    });
  });
});

describe('the status of a lead', () => {
  const allowedByHand = (from: string): string[] =>
    leadTransitions[from as keyof typeof leadTransitions].filter((state) => state !== 'converted');

  it.each(LEAD_STATUSES.filter((status) => status !== 'converted'))(
    'from %s changes as the table says, and no other way',
    async (from) => {
      for (const to of LEAD_STATUSES.filter((status) => status !== from)) {
        const { id } = await lead({ status: from, ...(from === 'unqualified' ? { lost_reason: 'x' } : {}) });
        const answer = await patch(id, { status: to, ...(to === 'unqualified' ? { lost_reason: 'No budget' } : {}) });
        if (allowedByHand(from).includes(to)) {
          expect(answer.expect(200).data.status).toBe(to);
          expect(await types(id)).toEqual(['lead.created', 'lead.updated', 'lead.status_changed']);
        } else {
          expect(answer.expect(422).error.details).toEqual([
            expect.objectContaining({
              field: 'status',
              code: 'invalid_transition',
              from,
              to,
              allowed: allowedByHand(from),
            }),
          ]);
        }
      }
    },
  );

  it('needs a reason to be unqualified, loses it when it is revived, and has none otherwise', async () => {
    const { id } = await lead();
    const refused = (await patch(id, { status: 'unqualified' })).expect(422);
    expect([refused.error.missing, refused.codes]).toEqual([['lost_reason'], { lost_reason: 'required' }]);
    expect((await create({ phone: '1', status: 'unqualified', lost_reason: '' })).status).toBe(422);
    expect((await create({ phone: '1', status: 'unqualified', lost_reason: '\u200b' })).status).toBe(422);
    expect((await create({ company_name: '\u200b' })).status).toBe(422);
    expect((await patch(id, { lost_reason: 'Price' })).expect(422).codes).toEqual({ lost_reason: 'invalid' });
    const lost = (await patch(id, { status: 'unqualified', lost_reason: 'Price' })).expect(200).data;
    expect(lost.lost_reason).toBe('Price');
    expect((await patch(id, { lost_reason: null })).status).toBe(422);
    expect((await patch(id, { ...lost, status: 'new' })).expect(200).data).toMatchObject({
      status: 'new',
      lost_reason: null,
    });
    expect((await patch(id, { status: 'junk', lost_reason: 'Spam' })).expect(200).data.lost_reason).toBe('Spam');
  });

  it('is not converted by hand, not even at the beginning', async () => {
    const { id } = await lead();
    expect((await patch(id, { status: 'converted' })).expect(422).error.message).toContain('/convert');
    expect((await create({ phone: '1', status: 'converted' })).expect(422).codes).toEqual({
      status: 'invalid_transition',
    });
  });

  it('sorts by progress, not by name', async () => {
    const place = await makeWorkspace(server);
    for (const status of ['junk', 'qualified', 'contacted', 'new', 'nurturing']) {
      (await place.api.post('/crm/leads', { name: 'A', phone: '1', status })).expect(201);
    }
    expect((await place.api.get('/crm/leads?sort=status')).rows.map(({ status }) => status)).toEqual([
      'new',
      'contacted',
      'nurturing',
      'qualified',
      'junk',
    ]);
  });
});

it('stays, without them, when its company, contact, owner or ticket go', async () => {
  const company = await make(home.api, '/companies');
  const contact = await make(home.api, '/contacts');
  const ticket = (await home.api.post('/tickets', { subject: 'x' })).expect(201).data;
  const { id } = await lead({ company_id: company.id, contact_id: contact.id, source_ticket_id: ticket.id });
  (await home.api.delete(`/companies/${company.id}`)).expect(200);
  (await home.api.delete(`/contacts/${contact.id}`)).expect(200);
  (await home.api.delete(`/tickets/${ticket.id}`)).expect(200);
  const after = (await home.api.get(`/crm/leads/${id}`)).expect(200).data;
  expect(after).toMatchObject({ company_id: null, contact_id: null, source_ticket_id: null });
  expect(await types(id)).toEqual(['lead.created', 'lead.updated', 'lead.updated', 'lead.updated']);
});
