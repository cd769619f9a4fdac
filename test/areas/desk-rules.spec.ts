import type { Api, Answer } from '../support/api';
import { useApp } from '../support/app';
import { makeRule, settledTicket } from '../support/automations';
import { runBatch } from '../support/batch';
import { make, makeTicket, makeUser } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { useReceiver } from '../support/receiver';
import { targets } from '../support/sla';
import { subscribe } from '../support/webhooks';
import { drained } from '../support/jobs';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const receiver = useReceiver();
let workspace: TestWorkspace;
let api: Api;
beforeEach(async () => {
  workspace = await makeWorkspace(server);
  ({ api } = workspace);
});

describe('a required text that shows nothing is refused', () => {
  const blanks = [
    '   ',
    '\n\t\r',
    '\u200b\ufeff',
    '\u00a0\u2800\u3164',
    '<p>&nbsp;</p>\n<br/>',
    '<div><span style="x"></span></div>',
  ];

  it.each(blanks)('%j', async (blank) => {
    const { id } = await makeTicket(api);
    const comment = (await api.post(`/tickets/${id}/comments`, { body: 'x' })).expect(201).data;
    const other = await makeTicket(api);
    const answers: [Answer, string][] = [
      [await api.post('/tickets', { subject: blank }), 'subject'],
      [await api.patch(`/tickets/${id}`, { subject: blank }), 'subject'],
      [await api.post(`/tickets/${id}/comments`, { body: blank }), 'body'],
      [await api.patch(`/tickets/${id}/comments/${comment.id}`, { body: blank }), 'body'],
      [await api.post(`/tickets/${id}/merge`, { into_id: other.id, comment: blank }), 'comment'],
      [await api.post('/companies', { name: blank }), 'name'],
      [await api.post('/teams', { name: blank }), 'name'],
      [await api.post('/users', { name: blank, email: 'a@b.example' }), 'name'],
      [await api.post('/categories', { name: blank }), 'name'],
      [await api.post('/kb/articles', { title: blank, body: 'x' }), 'title'],
      [await api.post('/kb/articles', { title: 'x', body: blank }), 'body'],
    ];
    for (const [answer, field] of answers) expect([answer.status, answer.codes]).toEqual([422, { [field]: 'min' }]);
  });

  it.each(['.', '0', '日本', '👍', '<img src="x">', '&amp;', 'a\u200b'])('while %j is a text', async (text) => {
    const { id } = await makeTicket(api, { subject: text });
    (await api.post(`/tickets/${id}/comments`, { body: text })).expect(201);
  });
});

it('a ticket is not put on hold until a moment that has passed; what is stored may be sent back', async () => {
  const past = '2020-01-01T00:00:00.000Z';
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const { id } = await makeTicket(api);
  for (const answer of [
    await api.post('/tickets', { subject: 'x', status: 'on_hold', on_hold_until: past }),
    await api.patch(`/tickets/${id}`, { status: 'on_hold', on_hold_until: past }),
  ])
    expect([answer.status, answer.codes]).toEqual([422, { on_hold_until: 'min' }]);
  (await api.patch(`/tickets/${id}`, { status: 'on_hold', on_hold_until: later })).expect(200);
  (await api.patch(`/tickets/${id}`, { subject: 'y', on_hold_until: later })).expect(200);
});

it('a new contact belongs to the company of its mail domain, unless it says otherwise', async () => {
  const company = await make(api, '/companies', { domains: ['acme.example'] });
  const contactOf = async (body: object): Promise<unknown> =>
    (await api.post('/contacts', body)).expect(201).data.company_id;
  expect(await contactOf({ email: 'ada@acme.example' })).toBe(company.id);
  expect(await contactOf({ email: 'bob@acme.example', company_id: null })).toBeNull();
  expect(await contactOf({ email: 'eve@other.example' })).toBeNull();
});

it('a blocked contact gets no tickets', async () => {
  const contact = await make(api, '/contacts', { email: 'ada@acme.example', status: 'blocked' });
  const { id } = await makeTicket(api);
  for (const answer of [
    await api.post('/tickets', { subject: 'x', requester_email: 'Ada@acme.example' }),
    await api.patch(`/tickets/${id}`, { requester_email: 'ada@acme.example' }),
  ])
    expect([answer.status, answer.codes]).toEqual([422, { requester_email: 'blocked' }]);
  (await api.patch(`/contacts/${contact.id}`, { status: 'active' })).expect(200);
  (await api.post('/tickets', { subject: 'x', requester_email: 'ada@acme.example' })).expect(201);
});

it('a batch gives every ref back', async () => {
  const { id } = await makeTicket(api);
  const { results } = await runBatch(api, [
    { ref: 'made', op: 'create', data: { subject: 'x' } },
    { ref: 'changed', op: 'update', id: '$made', data: { priority: 'high' } },
    { ref: 'tagged', op: 'add_tags', ids: [id, '$made'], data: { tags: 'a' } },
    { ref: 'wrong', op: 'assign', id, data: { user_id: 0 } },
    { op: 'delete', id },
  ]);
  expect(results.map(({ ref, ok }) => [ref, ok])).toEqual([
    ['made', true],
    ['changed', true],
    ['tagged', true],
    ['tagged', true],
    ['wrong', false],
    [undefined, true],
  ]);
});

describe('an SLA policy in use', () => {
  const policyOf = (name: string): Promise<{ id: number }> => make(api, '/sla', { name, targets: targets(10, 20) });

  it('is deleted when the request says what becomes of what names it', async () => {
    const [policy, heir] = [await policyOf('Gold'), await policyOf('Silver')];
    const company = await make(api, '/companies', { sla_policy_id: policy.id });
    const category = await make(api, '/categories', { sla_policy_id: policy.id });
    const ticket = await makeTicket(api, { company_id: company.id });
    expect(ticket.sla_policy_id).toBe(policy.id);
    const refused = (await api.delete(`/sla/${policy.id}`)).expect(422);
    expect(refused.error.details).toEqual([
      expect.objectContaining({ field: 'id', code: 'in_use', companies: 1, categories: 1, open_tickets: 1 }),
    ]);
    for (const [raw, code] of [
      ['x', 'type'],
      [policy.id, 'invalid'],
      [8_999_999_999_999, 'not_found'],
    ] as const)
      expect((await api.delete(`/sla/${policy.id}?reassign_to=${raw}`)).expect(422).codes).toEqual({
        reassign_to: code,
      });
    (await api.delete(`/sla/${policy.id}?reassign_to=${heir.id}`)).expect(200);
    for (const path of [`/companies/${company.id}`, `/categories/${category.id}`])
      expect((await api.get(path)).data.sla_policy_id).toBe(heir.id);
    expect((await settledTicket(server, workspace, ticket.id)).sla_policy_id).toBe(heir.id);
  });

  it('or lets them have none', async () => {
    const policy = await policyOf('Gold');
    const company = await make(api, '/companies', { sla_policy_id: policy.id });
    (await api.delete(`/sla/${policy.id}?reassign_to=none`)).expect(200);
    const { data } = await api.get(`/companies/${company.id}`);
    expect(data.sla_policy_id).toBeNull();
    expect((await eventsOf(server, workspace, 'company', company.id)).map(({ type }) => type)).toEqual([
      'company.created',
      'company.updated',
    ]);
  });
});

it('conditions have one grammar: priority and ticket.priority, in automations, webhook filters and SLA policies', async () => {
  const condition = (field: string): object => ({ conditions: { all: [{ field, operator: 'eq', value: 'high' }] } });
  for (const [index, field] of ['priority', 'ticket.priority'].entries()) {
    await makeRule(workspace, { ...condition(field), actions: [{ type: 'add_tags', tags: [`rule${index}`] }] });
    await subscribe(workspace, receiver.at(`/${index}`), ['ticket.created'], { filter: condition(field) });
    await make(api, '/sla', {
      name: `Policy ${index}`,
      position: 5 - index,
      targets: targets(10, 20),
      ...condition(field),
    });
    const changed = { conditions: { all: [{ field, operator: 'changed' }] } };
    await makeRule(workspace, {
      trigger: 'ticket.updated',
      ...changed,
      actions: [{ type: 'add_tags', tags: [`new${index}`] }],
    });
    await subscribe(workspace, receiver.at(`/changed${index}`), ['ticket.updated'], { filter: changed });
  }
  const { id } = await makeTicket(api, { priority: 'high' });
  await makeTicket(api, { priority: 'low' });
  const ticket = await settledTicket(server, workspace, id);
  expect(ticket.tags).toBe('rule0,rule1');
  expect((await api.get(`/sla/${ticket.sla_policy_id as number}`)).data.name).toBe('Policy 1');
  expect([0, 1].map((index) => receiver.received(`/${index}`).length)).toEqual([1, 1]);
  (await api.patch(`/tickets/${id}`, { priority: 'low' })).expect(200);
  expect((await settledTicket(server, workspace, id)).tags).toBe('rule0,rule1,new0,new1');
  await drained(server, workspace);
  expect([0, 1].map((index) => receiver.received(`/changed${index}`).length)).toEqual([1, 1]);
});

it('a date in `to` is part of the window, everywhere', async () => {
  const ticket = await makeTicket(api);
  const today = String(ticket.created_at).slice(0, 10);
  const policy = await api.get(`/sla/compliance?from=${today}&to=${today}`);
  const pipeline = (await api.get('/crm/pipelines?fields=id')).rows[0]?.id ?? 0;
  const metrics = await api.get(`/crm/pipelines/${pipeline}/metrics?from=${today}&to=${today}`);
  const next = new Date(Date.parse(today) + 86_400_000).toISOString();
  for (const answer of [policy, metrics])
    expect(answer.expect(200).data).toMatchObject({ from: `${today}T00:00:00.000Z`, to: next });
  const stats = (await api.get(`/stats?from=${today}&to=${today}`)).expect(200).data;
  expect(stats.tickets).toMatchObject({ total: 1 });
  const empty = await api.get(`/stats?from=${today}T00:00:00Z&to=${today}T00:00:00Z`);
  expect(empty.expect(422).codes).toEqual({ from: 'order' });
});

it('whoever is left without a team, and whatever named it, says so', async () => {
  const team = await make(api, '/teams');
  const other = await make(api, '/teams', { escalate_to_team_id: team.id });
  const user = await makeUser(api, { team_ids: [team.id, other.id] });
  const category = await make(api, '/categories', { default_team_id: team.id });
  const ticket = await makeTicket(api, { team_id: team.id });
  (await api.delete(`/teams/${team.id}`)).expect(200);
  for (const [object, id, change] of [
    ['user', user.id, { team_ids: { from: [team.id, other.id], to: [other.id] } }],
    ['team', other.id, { escalate_to_team_id: { from: team.id, to: null } }],
    ['category', category.id, { default_team_id: { from: team.id, to: null } }],
    ['ticket', ticket.id, { team_id: { from: team.id, to: null } }],
  ] as const) {
    const events = await eventsOf(server, workspace, object, id);
    expect(events.map(({ type }) => type)).toEqual([`${object}.created`, `${object}.updated`]);
    expect(events[1]?.changes).toEqual(change);
  }
  expect((await api.get(`/users/${user.id}`)).header('etag')).toMatch(/^"2/);
});

it('tags and skills that look alike are one', async () => {
  const ticket = await makeTicket(api, { tags: ['v\u200bip', 'VIP', '\u202evip\u00ad'] });
  expect(ticket.tags).toBe('vip');
  expect((await api.get(`/tickets?tags=${encodeURIComponent('vi\u2060p')}`)).expect(200).rows).toHaveLength(1);
  const user = await makeUser(api, { skills: ['\u200bVPN', 'billing\ufeff'] });
  expect(user.skills).toEqual(['vpn', 'billing']);
  const twice = { name: 'Ada', email: 'ada@agents.example', skills: ['vpn', 'v\u200dpn'] };
  expect((await api.post('/users', twice)).status).toBe(422);
  const { tags } = await makeTicket(api, { tags: 'می\u200cخواهم,👩\u200d💻' });
  expect(tags).toBe('می\u200cخواهم,👩\u200d💻');
});
