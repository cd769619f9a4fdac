import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { make, makeTicket, makeUser } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

const minutesBetween = (from: unknown, to: unknown): number =>
  (Date.parse(to as string) - Date.parse(from as string)) / 60_000;

describe('a new ticket', () => {
  it('has the defaults of the specification', async () => {
    expect(await makeTicket(workspace.api, { subject: '  Printer  ' })).toMatchObject({
      code: 'TCK-000001',
      subject: 'Printer',
      description: '',
      status: 'open',
      priority: 'medium',
      channel: 'portal',
      type: 'question',
      tags: '',
      assigned_to: null,
      escalation_level: 0,
      escalations: [],
      sla_status: 'on_track',
      reopened_count: 0,
      comment_count: 0,
      cc_emails: [],
      asset_ids: [],
    });
  });

  it('says of tags whether their kind, their number, their length or their form is wrong', async () => {
    const fifty = Array.from({ length: 50 }, (_, index) => `t${index}`);
    const refused: [unknown, string][] = [
      [7, 'type'],
      [['a', 7], 'type'],
      [[...fifty, 'x'], 'max'],
      ['x'.repeat(51), 'max'],
      [['a,b'], 'format'],
    ];
    for (const [tags, code] of refused)
      expect((await workspace.api.post('/tickets', { subject: 'Jam', tags })).expect(422).codes).toEqual({
        tags: code,
      });
    expect(await makeTicket(workspace.api, { tags: fifty })).toMatchObject({ tags: fifty.join(',') });
  });

  it.each([
    ['urgent', 60, 240],
    ['high', 240, 480],
    ['medium', 480, 1440],
    ['low', 1440, 4320],
  ])('of priority %s is due after %i and %i minutes', async (priority, response, resolution) => {
    const ticket = await makeTicket(workspace.api, { priority });
    expect(minutesBetween(ticket.created_at, ticket.first_response_due_at)).toBe(response);
    expect(minutesBetween(ticket.created_at, ticket.sla_due_at)).toBe(resolution);
  });

  it('is due anew when its priority changes, from its creation on', async () => {
    const ticket = await makeTicket(workspace.api, { priority: 'low' });
    const raised = (await workspace.api.patch(`/tickets/${ticket.id}`, { priority: 'urgent' })).expect(200).data;
    expect(minutesBetween(ticket.created_at, raised.sla_due_at)).toBe(240);
    expect((await eventsOf(server, workspace, 'ticket', ticket.id)).map(({ type }) => type)).toEqual([
      'ticket.created',
      'ticket.updated',
      'ticket.priority_changed',
    ]);
  });

  it('takes tags as text or list, and answers text', async () => {
    const ticket = await makeTicket(workspace.api, { tags: ' VIP, printer ,vip,, Floor 3' });
    expect(ticket.tags).toBe('vip,printer,floor 3');
    expect((await makeTicket(workspace.api, { tags: ['B', ' a', 'b'] })).tags).toBe('b,a');
    expect((await makeTicket(workspace.api, { tags: [] })).tags).toBe('');
  });

  it('keeps Markdown and any character exactly', async () => {
    const description = '  # Ünïcödé \u{1F5A8}\n\n\t`code` <b>\\"\' \u202E % _ \r\n';
    expect((await makeTicket(workspace.api, { description })).description).toBe(description);
  });

  it('keeps its channel', async () => {
    const { id } = await makeTicket(workspace.api, { channel: 'phone' });
    const answer = await workspace.api.patch(`/tickets/${id}`, { channel: 'chat' });
    expect([answer.status, answer.codes]).toEqual([422, { channel: 'immutable' }]);
    expect((await workspace.api.patch(`/tickets/${id}`, { channel: 'phone' })).status).toBe(200);
  });
});

describe('the requester', () => {
  it('becomes a contact, once per address', async () => {
    const [first, second] = [
      await makeTicket(workspace.api, { requester_email: 'Ada@Example.com', requester_name: 'Ada' }),
      await makeTicket(workspace.api, { requester_email: 'ada@example.COM' }),
    ];
    expect(first.requester_email).toBe('ada@example.com');
    expect(second.contact_id).toBe(first.contact_id);
    const contacts = (await workspace.api.get('/contacts')).rows;
    expect(contacts).toMatchObject([{ id: first.contact_id, email: 'ada@example.com', name: 'Ada' }]);
    const events = await eventsOf(server, workspace, 'contact', first.contact_id as number);
    expect(events.map(({ type }) => type)).toEqual(['contact.created']);
  });

  it('becomes one contact when many tickets arrive at once', async () => {
    const tickets = await Promise.all(
      Array.from({ length: 20 }, () => makeTicket(workspace.api, { requester_email: 'rush@example.com' })),
    );
    expect(new Set(tickets.map((ticket) => ticket.contact_id)).size).toBe(1);
    expect((await workspace.api.get('/contacts')).meta.total).toBe(1);
  });

  it('can change, and go', async () => {
    const { id } = await makeTicket(workspace.api, { requester_email: 'ada@example.com' });
    const changed = (await workspace.api.patch(`/tickets/${id}`, { requester_email: 'bob@example.com' })).data;
    const bob = (await workspace.api.get('/contacts?email=bob@example.com')).rows[0];
    expect(changed.contact_id).toBe(bob?.id);
    const gone = (await workspace.api.patch(`/tickets/${id}`, { requester_email: null })).data;
    expect(gone).toMatchObject({ requester_email: null, contact_id: null });
  });
});

describe('the company', () => {
  it('is the active one that has the mail domain', async () => {
    const acme = await make(workspace.api, '/companies', { domains: ['acme.example'] });
    await make(workspace.api, '/companies', { domains: ['gone.example'], status: 'inactive' });
    expect((await makeTicket(workspace.api, { requester_email: 'a@acme.example' })).company_id).toBe(acme.id);
    expect((await makeTicket(workspace.api, { requester_email: 'a@sub.acme.example' })).company_id).toBeNull();
    expect((await makeTicket(workspace.api, { requester_email: 'a@gone.example' })).company_id).toBeNull();
    expect((await makeTicket(workspace.api)).company_id).toBeNull();
  });

  it('of the contact wins over the domain, and the one given over both', async () => {
    await make(workspace.api, '/companies', { domains: ['acme.example'] });
    const [own, given] = [await make(workspace.api, '/companies'), await make(workspace.api, '/companies')];
    await make(workspace.api, '/contacts', { email: 'boss@acme.example', company_id: own.id });
    expect((await makeTicket(workspace.api, { requester_email: 'boss@acme.example' })).company_id).toBe(own.id);
    const body = { requester_email: 'boss@acme.example', company_id: given.id };
    expect((await makeTicket(workspace.api, body)).company_id).toBe(given.id);
  });

  it('is none where the body says so', async () => {
    const acme = await make(workspace.api, '/companies', { domains: ['acme.example'] });
    await make(workspace.api, '/contacts', { email: 'boss@acme.example', company_id: acme.id });
    for (const requester_email of ['boss@acme.example', 'new@acme.example'])
      expect((await makeTicket(workspace.api, { requester_email, company_id: null })).company_id).toBeNull();
    expect((await workspace.api.get('/tickets?company_id=none&fields=id')).meta.total).toBe(2);
  });

  it('of a new contact is the one found', async () => {
    const acme = await make(workspace.api, '/companies', { domains: ['acme.example'] });
    await makeTicket(workspace.api, { requester_email: 'new@acme.example' });
    expect((await workspace.api.get('/contacts')).rows).toMatchObject([{ company_id: acme.id }]);
  });

  it('brings its own SLA policy, before that of the category', async () => {
    const policy = async (name: string, minutes: number): Promise<number> => {
      const target = { first_response_minutes: 1, resolution_minutes: minutes };
      const targets = { urgent: target, high: target, medium: target, low: target };
      const [row] = await sql.rows<{ id: number }>(
        'INSERT INTO sla_policies (workspace_id, name, targets) VALUES ($1, $2, $3) RETURNING id',
        [workspace.id, name, JSON.stringify(targets)],
      );
      return row?.id ?? 0;
    };
    const [gold, fast] = [await policy('Gold', 10), await policy('Fast', 20)];
    const company = await make(workspace.api, '/companies', { sla_policy_id: gold });
    const category = await make(workspace.api, '/categories', { sla_policy_id: fast });
    const both = await makeTicket(workspace.api, { company_id: company.id, category_id: category.id });
    expect([both.sla_policy_id, minutesBetween(both.created_at, both.sla_due_at)]).toEqual([gold, 10]);
    const one = await makeTicket(workspace.api, { category_id: category.id });
    expect([one.sla_policy_id, minutesBetween(one.created_at, one.sla_due_at)]).toEqual([fast, 20]);
    const moved = (await workspace.api.patch(`/tickets/${one.id}`, { company_id: company.id })).data;
    expect([moved.sla_policy_id, minutesBetween(one.created_at, moved.sla_due_at)]).toEqual([gold, 10]);
  });
});

describe('the category', () => {
  it('gives priority, team and assignee where the ticket names none', async () => {
    const [user, other] = [await makeUser(workspace.api), await makeUser(workspace.api)];
    const team = await make(workspace.api, '/teams');
    const category = await make(workspace.api, '/categories', {
      default_priority: 'urgent',
      default_team_id: team.id,
      default_assignee_id: user.id,
    });
    const category_id = category.id;
    expect(await makeTicket(workspace.api, { category_id })).toMatchObject({
      priority: 'urgent',
      team_id: team.id,
      assigned_to: user.id,
    });
    const own = { category_id, priority: 'low', assigned_to: other.id };
    expect(await makeTicket(workspace.api, own)).toMatchObject({ priority: 'low', assigned_to: other.id });
  });

  it('decides nothing where nobody, or no team, was asked for', async () => {
    const [user, team] = [await makeUser(workspace.api), await make(workspace.api, '/teams')];
    const defaults = { default_team_id: team.id, default_assignee_id: user.id };
    const { id: category_id } = await make(workspace.api, '/categories', defaults);
    const created = (body: object): Promise<Fields> => makeTicket(workspace.api, { category_id, ...body });
    expect(await created({ assigned_to: null })).toMatchObject({ team_id: team.id, assigned_to: null });
    expect(await created({ team_id: null })).toMatchObject({ team_id: null, assigned_to: user.id });
    // What comes to a team that shares out is given to a member, whoever brings it.
    const sharing = await make(workspace.api, '/teams', { assignment: { method: 'round_robin' } });
    const member = await makeUser(workspace.api, { team_ids: [sharing.id] });
    expect((await created({ team_id: sharing.id, assigned_to: null })).assigned_to).toBe(member.id);
    (await workspace.api.patch(`/categories/${category_id}`, { default_team_id: sharing.id })).expect(200);
    expect(await created({ assigned_to: null, team_id: null })).toMatchObject({ team_id: null, assigned_to: null });
  });

  it('whose standing assignee has left leaves the ticket without one', async () => {
    const user = await makeUser(workspace.api);
    const category = await make(workspace.api, '/categories', { default_assignee_id: user.id });
    (await workspace.api.delete(`/users/${user.id}`)).expect(200);
    expect((await makeTicket(workspace.api, { category_id: category.id })).assigned_to).toBeNull();
  });
});

describe('codes', () => {
  it('are unique and gapless when many tickets are created at once', async () => {
    const tickets = await Promise.all(Array.from({ length: 60 }, () => makeTicket(workspace.api)));
    const codes = tickets.map(({ code }) => code as string).sort();
    expect(codes).toEqual(Array.from({ length: 60 }, (_, index) => `TCK-${String(index + 1).padStart(6, '0')}`));
  });

  it('count for each workspace on its own', async () => {
    const other = await makeWorkspace(server);
    await makeTicket(workspace.api);
    expect((await makeTicket(other.api)).code).toBe('TCK-000001');
    expect((await makeTicket(workspace.api)).code).toBe('TCK-000002');
  });

  it('grow beyond six digits', async () => {
    await sql.rows(`SELECT setval(format('counters.%I', 'ticket_' || $1::text), 999999)`, [workspace.id]);
    const { id } = await makeTicket(workspace.api);
    const small = await makeTicket(workspace.api, {});
    expect(small.code).toBe('TCK-1000001');
    expect((await workspace.api.get('/tickets?code=TCK-1000000')).rows.map((row) => row.id)).toEqual([id]);
    expect((await workspace.api.get('/tickets?sort=-code')).rows.map((row) => row.id)).toEqual([small.id, id]);
  });
});
