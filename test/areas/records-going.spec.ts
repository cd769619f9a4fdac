import type { Answer, Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeRule, runsOf } from '../support/automations';
import { make, makeTicket } from '../support/cast';
import { apiChannel, handIn } from '../support/channels';
import { holdingRows } from '../support/held-rows';
import { drained } from '../support/jobs';
import { ada, useMailbox } from '../support/mailbox';
import { makeWorkspace } from '../support/workspace';

const server = useApp();
const ROW = 'SELECT FROM tickets WHERE id = $1';

/** What the first call keeps waiting, while the row of a ticket that it is to change is held, is answered behind it. */
async function overtaken(row: unknown, first: () => Promise<Answer>, then: () => Promise<Answer>): Promise<Answer> {
  const answers = await holdingRows(ROW, [row], async ({ waiting }) => {
    const going = first();
    await waiting(1);
    const second = then();
    await waiting(2);
    return [going, second] as const;
  });
  expect((await answers[0]).status).toBe(200);
  return answers[1];
}

describe('what a new ticket is linked with', () => {
  it('is another contact where that of the address has just been merged with somebody', async () => {
    const { api } = await makeWorkspace(server);
    const [one, two] = [await make(api, '/contacts', { email: 'p@a.example' }), await make(api, '/contacts')];
    const known = await makeTicket(api, { requester_email: 'p@a.example' });
    const answer = await overtaken(
      known.id,
      () => api.post(`/contacts/${one.id}/merge`, { into_id: two.id }),
      () => api.post('/tickets', { subject: 'New', requester_email: 'p@a.example' }),
    );
    const { contact_id } = answer.expect(201).data;
    expect((await api.get(`/contacts/${Number(contact_id)}`)).expect(200).data).toMatchObject({ email: 'p@a.example' });
    expect([one.id, two.id]).not.toContain(contact_id);
  });

  it.each([
    ['whose contact is known', true],
    ['who is new', false],
  ])('is no company that has just been deleted: of a requester %s', async (_, isKnown) => {
    const { api } = await makeWorkspace(server);
    const company = await make(api, '/companies', { domains: ['going.example'] });
    if (isKnown) await make(api, '/contacts', { email: 'g@going.example' });
    const known = await makeTicket(api, { company_id: company.id });
    const answer = await overtaken(
      known.id,
      () => api.delete(`/companies/${company.id}?force=true`),
      () => api.post('/tickets', { subject: 'New', requester_email: 'g@going.example' }),
    );
    expect(answer.expect(201).data).toMatchObject({ company_id: null, requester_email: 'g@going.example' });
  });

  it('is refused where it was named and has gone', async () => {
    const { api } = await makeWorkspace(server);
    const company = await make(api, '/companies');
    const known = await makeTicket(api, { company_id: company.id });
    const answer = await overtaken(
      known.id,
      () => api.delete(`/companies/${company.id}?force=true`),
      () => api.post('/tickets', { subject: 'New', company_id: company.id }),
    );
    expect(answer.expect(422).codes).toEqual({ company_id: 'not_found' });
  });

  it('is another contact in a batch, too', async () => {
    const { api } = await makeWorkspace(server);
    const [one, two] = [await make(api, '/contacts', { email: 'p@a.example' }), await make(api, '/contacts')];
    const known = await makeTicket(api, { requester_email: 'p@a.example' });
    const operations = [{ op: 'create', data: { subject: 'New', requester_email: 'p@a.example' } }];
    const answer = await overtaken(
      known.id,
      () => api.post(`/contacts/${one.id}/merge`, { into_id: two.id }),
      () => api.post('/tickets/batch', { operations }),
    );
    expect(answer.expect(200).data).toMatchObject({ summary: { succeeded: 1 } });
  });

  it('is another contact where a message of a channel came in', async () => {
    const { api } = await makeWorkspace(server);
    const channel = await apiChannel(api, null);
    const [one, two] = [await make(api, '/contacts', { email: 'p@a.example' }), await make(api, '/contacts')];
    const known = await makeTicket(api, { requester_email: 'p@a.example' });
    const answer = await overtaken(
      known.id,
      () => api.post(`/contacts/${one.id}/merge`, { into_id: two.id }),
      () => handIn(api, channel, { external_message_id: 'm-1', from: { email: 'p@a.example' }, body: 'It burns.' }),
    );
    expect(answer.expect(200).data.message).toMatchObject({ body: 'It burns.' });
  });
});

describe('what the service names by itself', () => {
  it('is no company that has just been deleted: of a lead that becomes a deal', async () => {
    const { api } = await makeWorkspace(server);
    const company = await make(api, '/companies');
    const contact = await make(api, '/contacts', { company_id: company.id });
    const lead = (await api.post('/crm/leads', { name: 'Ada', email: contact.email })).expect(201).data;
    const known = await makeTicket(api, { company_id: company.id });
    const answer = await overtaken(
      known.id,
      () => api.delete(`/companies/${company.id}?force=true`),
      () => api.post(`/crm/leads/${lead.id}/convert`, {}),
    );
    expect(answer.expect(200).data).toMatchObject({ deal: { company_id: null, contact_id: contact.id } });
  });

  it.each([
    ['/categories', 'category_id', 'default_category_id'],
    ['/teams', 'team_id', 'team_id'],
  ])('is nothing of %s that has just been deleted: of a channel whose tickets go there', async (path, field, own) => {
    const { api } = await makeWorkspace(server);
    const [going, heir] = [await make(api, path), await make(api, path)];
    const channel = await apiChannel(api, null, { [own]: going.id });
    const known = await makeTicket(api, { [field]: going.id });
    const moves = path === '/categories' ? `?reassign_to=${heir.id}` : '';
    const answer = await overtaken(
      known.id,
      () => api.delete(`${path}/${going.id}${moves}`),
      () => handIn(api, channel, { external_message_id: 'm-1', from: { email: 'p@a.example' }, body: 'It burns.' }),
    );
    expect(answer.expect(200).data.ticket).toMatchObject({ [field]: null });
  });
});

it('a ticket that a rule makes is of another contact where that of the address has just been merged', async () => {
  const workspace = await makeWorkspace(server);
  const { api } = workspace;
  const [one, two] = [await make(api, '/contacts', { email: 'p@a.example' }), await make(api, '/contacts')];
  const known = await makeTicket(api, { requester_email: 'p@a.example' });
  await makeRule(workspace, {
    conditions: { all: [{ field: 'channel', operator: 'neq', value: 'internal' }] },
    actions: [{ type: 'create_ticket', subject: 'Call back', requester_email: 'p@a.example' }],
  });
  const [merged, asked] = await holdingRows(ROW, [known.id], async ({ waiting }) => {
    const going = api.post(`/contacts/${one.id}/merge`, { into_id: two.id });
    await waiting(1);
    const ticket = await makeTicket(api);
    await waiting(2);
    return [going, ticket] as const;
  });
  expect((await merged).status).toBe(200);
  await drained(server, workspace);
  expect(await runsOf(workspace, 'tickets', asked.id)).toMatchObject([{ actions: [{ status: 'done', error: null }] }]);
});

describe('a comment on a ticket that is being merged', () => {
  it.each([
    ['a reply', { body: 'Here or there' }],
    ['a note', { body: 'Here or there', is_internal: true }],
  ])('goes on with it: %s', async (_, body) => {
    const { api } = await makeWorkspace(server);
    const [from, into] = [await makeTicket(api), await makeTicket(api)];
    const part = await makeTicket(api, { parent_id: from.id });
    const answer = await overtaken(
      part.id,
      () => api.post(`/tickets/${from.id}/merge`, { into_id: into.id }),
      () => api.post(`/tickets/${from.id}/comments`, body),
    );
    expect(answer.expect(201).data.ticket_id).toBe(into.id);
    expect((await api.get(`/tickets/${from.id}`)).expect(200).data.comment_count).toBe(0);
  });
});

describe('mail that answers a ticket that goes', () => {
  const test = useMailbox(server);

  /** A ticket of Ada's, with a part of it that its going changes. */
  async function asked(): Promise<[ticket: Fields, part: Fields]> {
    test.imap.deliver(ada());
    await test.look();
    const [ticket] = (await test.tickets()) as [Fields];
    return [ticket, await makeTicket(test.workspace.api, { parent_id: ticket.id })];
  }

  /** The message comes while the ticket is being changed, and is taken behind that. */
  async function answered(part: Fields, change: () => Promise<Answer>): Promise<void> {
    const more = { 'Message-ID': '<second@people.example>', 'In-Reply-To': '<first@people.example>' };
    const [going, look] = await holdingRows(ROW, [part.id], async ({ waiting }) => {
      const changing = change();
      await waiting(1);
      test.imap.deliver(ada(more));
      const looking = test.look();
      await waiting(2);
      return [changing, looking] as const;
    });
    expect((await going).status).toBe(200);
    await look;
    expect(await test.logs()).toMatchObject([{ status: 'success' }, { status: 'success' }]);
  }

  it('is a ticket of its own where that was deleted', async () => {
    const [ticket, part] = await asked();
    await answered(part, () => test.workspace.api.delete(`/tickets/${ticket.id}`));
    expect((await test.tickets()).filter(({ id }) => id !== part.id)).toMatchObject([{ subject: 'Printer on fire' }]);
  });

  it('is a comment on the ticket that it was merged into', async () => {
    const [ticket, part] = await asked();
    const into = await makeTicket(test.workspace.api);
    await answered(part, () => test.workspace.api.post(`/tickets/${ticket.id}/merge`, { into_id: into.id }));
    const bodies = (await test.comments(into.id)).map(({ author_email }) => author_email);
    expect(bodies.filter((address) => address === 'ada@people.example').length).toBeGreaterThan(1);
  });
});
