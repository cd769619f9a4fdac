import { randomUUID } from 'node:crypto';
import { Database } from '../../src/platform/database/database';
import { useApp } from '../support/app';
import { eventsOf } from '../support/event-log';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const app = useApp();

let home: TestWorkspace;
beforeEach(async () => {
  home = await makeWorkspace(app);
});

async function company(fields: Record<string, unknown>): Promise<number> {
  return (await home.api.post('/companies', fields)).expect(201).data.id;
}

async function names(query: string): Promise<unknown[]> {
  return (await home.api.get(`/companies?${query}`)).expect(200).rows.map((row) => row.name);
}

describe('fields of a company', () => {
  it('has defaults for everything but the name', async () => {
    const { data } = (await home.api.post('/companies', { name: 'Acme' })).expect(201);
    expect(data).toMatchObject({
      name: 'Acme',
      domains: [],
      email: null,
      tier: 'standard',
      is_vip: false,
      status: 'active',
      address: null,
      health_score: null,
      renewal_date: null,
      tags: '',
      contact_count: 0,
      open_ticket_count: 0,
      external_id: null,
      custom_fields: {},
    });
  });

  it('keeps what was sent, cleaned', async () => {
    const sent = {
      name: '  Acme GmbH ',
      domains: [' ACME.example ', 'shop.acme.example'],
      email: 'Office@ACME.example',
      website: 'https://www.acme.example/de',
      address: { line1: 'Torstrasse 1', city: 'Berlin', country: 'de' },
      health_score: 80,
      renewal_date: '2027-02-28',
      tags: ['EMEA', 'emea', 'Big'],
    };
    const { data } = (await home.api.post('/companies', sent)).expect(201);
    expect(data).toMatchObject({
      name: 'Acme GmbH',
      domains: ['acme.example', 'shop.acme.example'],
      email: 'office@acme.example',
      address: { line1: 'Torstrasse 1', city: 'Berlin', country: 'DE' },
      renewal_date: '2027-02-28',
      tags: 'emea,big',
    });
    expect((await home.api.get(`/companies/${data.id}`)).data).toEqual(data);
  });

  it.each([
    [{ domains: ['acme.example', 'Gmail.com'] }, { domains: 'free_mail_domain' }],
    [{ domains: ['not a domain'] }, { domains: 'format' }],
    [{ website: 'acme' }, { website: 'format' }],
    [{ address: { country: 'DEU' } }, { 'address.country': 'format' }],
    [{ address: { town: 'Berlin' } }, { 'address.town': 'unknown_field' }],
    [{ address: [] }, { address: 'type' }],
    [{ address: 'Berlin' }, { address: 'type' }],
    [{ health_score: 101 }, { health_score: 'max' }],
    [{ renewal_date: '2027-02-30' }, { renewal_date: 'format' }],
    [{ size: 'huge' }, { size: 'enum' }],
    [{ tier: null }, { tier: 'type' }],
    [{ account_manager_id: 999_999 }, { account_manager_id: 'not_found' }],
    [{ contact_count: 3 }, { contact_count: 'immutable' }],
  ])('refuses %j', async (fields, codes) => {
    const answer = (await home.api.post('/companies', { name: 'Acme', ...fields })).expect(422);
    expect(answer.codes).toEqual(codes);
  });

  it('has a name that no other company of the workspace has, case aside', async () => {
    await company({ name: 'Acme' });
    const answer = (await home.api.post('/companies', { name: 'ACME' })).expect(422);
    expect(answer.codes).toEqual({ name: 'duplicate' });
    const other = await makeWorkspace(app);
    (await other.api.post('/companies', { name: 'Acme' })).expect(201);
  });
});

describe('lists of companies', () => {
  beforeEach(async () => {
    await company({ name: 'B', tier: 'platinum', domains: ['b.example'], tags: 'x,y', health_score: 10 });
    await company({ name: 'A', tier: 'gold', address: { country: 'DE' }, tags: 'y', renewal_date: '2027-01-01' });
    await company({ name: 'C', status: 'prospect', tax_id: 'DE 811', health_score: 90, renewal_date: '2026-01-01' });
  });

  it.each([
    ['domain=B.example', ['B']],
    ['country=de', ['A']],
    ['country=none&sort=name', ['B', 'C']],
    ['tags=x', ['B']],
    ['tags=x,y&sort=name', ['A', 'B']],
    ['status=prospect', ['C']],
    ['tier=gold,platinum&sort=name', ['A', 'B']],
    ['q=811', ['C']],
    ['q=b.exam&domain=b.example', ['B']],
    ['sort=tier', ['C', 'A', 'B']],
    ['sort=-tier', ['B', 'A', 'C']],
    ['sort=health_score', ['B', 'C', 'A']],
    ['sort=-health_score', ['C', 'B', 'A']],
    ['sort=renewal_date', ['C', 'A', 'B']],
    ['sort=-renewal_date', ['A', 'C', 'B']],
  ])('answers %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
    const all: unknown[] = [];
    for (let next: string | null = `/companies?${query}&limit=1`; next !== null;) {
      const page = (await home.api.get(next)).expect(200);
      all.push(...page.rows.map((row) => row.name));
      next = page.body.links?.next ?? null;
      expect(page.meta.total).toBe(expected.length);
    }
    expect(all).toEqual(expected);
  });

  it('counts and embeds contacts and tickets', async () => {
    const id = await company({ name: 'D' });
    await home.api.post('/contacts', { email: 'one@d.example', company_id: id });
    await home.api.post('/tickets', { subject: 'open', company_id: id });
    await home.api.post('/tickets', { subject: 'done', company_id: id, status: 'closed' });
    const { data } = (await home.api.get(`/companies/${id}?expand=contacts,tickets`)).expect(200);
    expect(data).toMatchObject({ contact_count: 1, open_ticket_count: 1, contacts_truncated: false });
    expect((data.contacts as { email: string }[]).map((item) => item.email)).toEqual(['one@d.example']);
    expect((data.tickets as { subject: string }[]).map((item) => item.subject)).toEqual(['open', 'done']);
  });
});

describe('deleting a company', () => {
  it('is refused while it has open tickets, unless forced', async () => {
    const id = await company({ name: 'Acme' });
    const ticket = (await home.api.post('/tickets', { subject: 'help', company_id: id })).expect(201).data;
    const refusal = (await home.api.delete(`/companies/${id}`)).expect(422);
    expect(refusal.codes).toEqual({ id: 'in_use' });
    expect((await home.api.delete(`/companies/${id}?force=perhaps`)).expect(422).codes).toEqual({ force: 'enum' });

    const gone = (await home.api.delete(`/companies/${id}?force=true`)).expect(200);
    expect(gone.data).toMatchObject({ id, name: 'Acme', open_ticket_count: 1 });
    (await home.api.get(`/companies/${id}`)).expect(404);
    expect((await home.api.get(`/tickets/${ticket.id}`)).data.company_id).toBeNull();
  });

  it('leaves contacts and closed tickets, each changed by one event of its own', async () => {
    const id = await company({ name: 'Acme' });
    const contact = (await home.api.post('/contacts', { email: 'a@acme.example', company_id: id })).data.id;
    const tickets = await Promise.all(
      ['one', 'two'].map(async (subject) => {
        const body = { subject, company_id: id, status: 'closed' };
        return (await home.api.post('/tickets', body)).expect(201);
      }),
    );
    (await home.api.delete(`/companies/${id}`)).expect(200);

    const uids = new Set<string>();
    for (const ticket of tickets) {
      const now = await home.api.get(`/tickets/${ticket.data.id}`);
      expect(now.header('etag')).not.toBe(ticket.header('etag'));
      const last = (await eventsOf(app, home, 'ticket', ticket.data.id)).at(-1);
      expect(last).toMatchObject({
        type: 'ticket.updated',
        changes: { company_id: { from: id, to: null } },
        data: { id: ticket.data.id, company_id: null },
      });
      uids.add(last?.uid ?? '');
    }
    expect(uids.size).toBe(2);
    expect((await home.api.get(`/contacts/${contact}`)).data.company_id).toBeNull();
    expect((await eventsOf(app, home, 'contact', contact)).map((event) => event.type)).toEqual([
      'contact.created',
      'contact.updated',
    ]);
    expect((await eventsOf(app, home, 'company', id)).map((event) => event.type)).toEqual([
      'company.created',
      'company.deleted',
    ]);
  });
});

describe('deleting a company with very many tickets', () => {
  it('changes every one of them', async () => {
    const id = await company({ name: 'Acme' });
    const database = app.app.get(Database);
    await database.inWorkspace(home.id, { type: 'system', id: null, name: 'test' }, () =>
      database.transaction(() =>
        database.query(
          `INSERT INTO tickets (workspace_id, number, code, subject, status, company_id)
           SELECT $1, 100000 + n, 'TCK-' || (100000 + n), 'bulk', 'closed', $2 FROM generate_series(1, 2001) n`,
          [home.id, id],
        ),
      ),
    );
    expect((await home.api.get(`/tickets?company_id=${id}`)).meta.total).toBe(2001);
    (await home.api.delete(`/companies/${id}`)).expect(200);
    const left = (await home.api.get('/tickets?company_id=none&limit=1')).expect(200);
    expect(left.meta.total).toBe(2001);
  });
});

describe('finding a company by mail domain', () => {
  const find = async (domain: string): Promise<unknown> => {
    const body = { subject: 'Whose?', requester_email: `${randomUUID()}@${domain}` };
    return (await home.api.post('/tickets', body)).expect(201).data.company_id;
  };

  it('takes the oldest active one of the workspace', async () => {
    await company({ name: 'Old', domains: ['acme.example'], status: 'inactive' });
    const first = await company({ name: 'First', domains: ['acme.example'] });
    await company({ name: 'Second', domains: ['acme.example'] });
    const other = await makeWorkspace(app);
    await other.api.post('/companies', { name: 'Elsewhere', domains: ['elsewhere.example'] });
    expect(await find('ACME.example')).toBe(first);
    expect(await find('elsewhere.example')).toBeNull();
    expect(await find('gmail.com')).toBeNull();
  });
});
