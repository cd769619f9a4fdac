import type { Answer, Api, Fields } from '../support/api';
import { useApp } from '../support/app';
import { make, makeTicket, makeUser } from '../support/cast';
import { checksums } from '../support/isolation';
import { drained } from '../support/jobs';
import { useSql } from '../support/sql';
import { makeWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

const rule = (body: Record<string, unknown> = {}): Record<string, unknown> => ({
  trigger: 'ticket.created',
  actions: [{ type: 'add_tags', tags: 'seen' }],
  ...body,
});

function test(api: Api, body: Record<string, unknown>): Promise<Answer> {
  return api.post('/automations/test', body);
}

async function outcome(api: Api, body: Record<string, unknown>): Promise<Fields> {
  return (await test(api, body)).expect(200).data;
}

it('answers the run of a stored automation on a stored ticket, with expected and actual, before and after', async () => {
  const { api } = await makeWorkspace(server);
  const company = await make(api, '/companies', { tier: 'gold' });
  const ticket = await makeTicket(api, { company_id: company.id, tags: 'new' });
  const { id, name } = (
    await api.post('/automations', {
      ...rule(),
      name: 'Gold',
      is_active: false,
      conditions: {
        all: [
          { field: 'company.tier', operator: 'in', value: ['gold', 'platinum'] },
          { not: { field: 'priority', operator: 'eq', value: 'low' } },
        ],
      },
      actions: [
        { type: 'set_field', field: 'priority', value: 'urgent' },
        { type: 'set_field', field: 'priority', value: 'urgent' },
        {
          type: 'add_comment',
          body: 'Dear {{company.name}}: {{ticket.code}} is {{ticket.priority}}',
          is_internal: true,
        },
        { type: 'notify', user_ids: [(await makeUser(api)).id], message: 'Look at {{ticket.code}}' },
        { type: 'stop' },
        { type: 'add_tags', tags: 'never' },
      ],
    })
  ).expect(201).data;
  const run = await outcome(api, { automation_id: id, ticket_id: ticket.id });
  expect(run).toMatchObject({
    id: null,
    automation_id: id,
    automation_name: name,
    automation_version: 1,
    ticket_id: ticket.id,
    event: 'ticket.created',
    root_event_id: null,
    status: 'executed',
    conditions: [
      { field: 'company.tier', operator: 'in', expected: ['gold', 'platinum'], actual: 'gold', result: true },
      { field: 'priority', operator: 'eq', expected: 'low', actual: 'medium', result: false },
    ],
    actions: [
      { type: 'set_field', status: 'done', before: { priority: 'medium' }, after: { priority: 'urgent' } },
      { type: 'set_field', status: 'unchanged' },
      { type: 'add_comment', status: 'done', before: { comment_count: 0 }, after: { comment_count: 1 } },
      { type: 'notify', status: 'queued' },
      { type: 'stop', status: 'stopped' },
      { type: 'add_tags', status: 'skipped' },
    ],
  });
  expect((await api.get(`/tickets/${ticket.id}`)).data).toEqual(ticket);
});

it('writes nothing at all, whatever it would do', async () => {
  const workspace = await makeWorkspace(server);
  const { api, id: workspaceId } = workspace;
  const user = await makeUser(api);
  const team = await make(api, '/teams', {});
  const ticket = await makeTicket(api);
  const { id } = (await api.post('/automations', { name: 'x', is_active: false, ...rule() })).expect(201).data;
  const actions = [
    { type: 'set_field', field: 'custom_fields.due', value: '+2bd' },
    { type: 'assign', user_id: user.id, team_id: team.id },
    { type: 'escalate', reason: 'Test' },
    { type: 'add_comment', body: 'Public' },
    { type: 'create_ticket', subject: 'Another' },
    { type: 'send_email', to: 'ada@example.com', subject: 's', body: 'b' },
    { type: 'set_field', field: 'status', value: 'closed' },
  ];
  await drained(server, workspace);
  const before = await checksums(sql, workspaceId);
  for (const subject of [{ ticket_id: ticket.id }, { ticket: { requester_email: 'new@people.example' } }]) {
    const run = await outcome(api, { automation: rule({ actions }), ...subject });
    expect((run.actions as Fields[]).map(({ status }) => status)).not.toContain('failed');
    await outcome(api, { automation_id: id, ...subject });
  }
  const keyed = { 'idempotency-key': `dry-${workspaceId}` };
  const body = { automation: rule({ actions }), ticket: {} };
  const first = (await api.post('/automations/test', body, keyed)).expect(200);
  expect((await api.post('/automations/test', body, keyed)).text).toBe(first.text);
  const { idempotency_keys: _keys, ...after } = await checksums(sql, workspaceId);
  expect(after).toEqual({ ...before, idempotency_keys: undefined });
});

it('takes a ticket that does not exist, also with what only the service sets', async () => {
  const { api } = await makeWorkspace(server);
  const { id: _id, ...described } = await makeTicket(api, { subject: 'Seen before', requester_email: 'a@b.example' });
  const conditions = {
    all: [
      { field: 'sla_status', operator: 'eq', value: 'breached' },
      { field: 'minutes_since.created_at', operator: 'gt', value: 1_000 },
      { field: 'requester.domain', operator: 'eq', value: 'b.example' },
      { field: 'reply_count', operator: 'eq', value: 3 },
    ],
  };
  const run = await outcome(api, {
    automation: rule({ trigger: 'sla.breach', conditions }),
    ticket: { ...described, sla_status: 'breached', created_at: '2026-01-01T00:00:00Z', reply_count: 3 },
  });
  expect(run).toMatchObject({ ticket_id: null, automation_id: null, status: 'executed' });
  expect((run.conditions as Fields[]).map(({ actual }) => actual)).toEqual([
    'breached',
    expect.any(Number),
    'b.example',
    3,
  ]);
});

it('evaluates what the event is said to have changed, the comment and who it was', async () => {
  const { api } = await makeWorkspace(server);
  const automation = rule({
    trigger: { event: 'ticket.comment_added', filters: { priority: ['high', 'urgent'] } },
    conditions: {
      all: [
        { field: 'comment.body', operator: 'matches', value: '(?i)\\bstill broken\\b' },
        { field: 'comment.author_type', operator: 'eq', value: 'requester' },
        { field: 'actor.type', operator: 'eq', value: 'requester' },
        { field: 'status', operator: 'changed_from_to', value: { from: 'on_hold', to: 'open' } },
        { field: 'changes.custom_fields.region', operator: 'changed_to', value: 'South' },
      ],
    },
  });
  const event = {
    comment: { body: 'It is STILL broken!', author_type: 'requester' },
    actor: { type: 'requester', name: 'Ada' },
    changes: { status: { from: 'on_hold', to: 'open' }, custom_fields: { from: {}, to: { region: 'South' } } },
  };
  const ticket = { priority: 'high' };
  const met = await outcome(api, { automation, ticket, ...event });
  expect([met.status, (met.conditions as Fields[]).map(({ result }) => result)]).toEqual([
    'executed',
    Array<boolean>(6).fill(true),
  ]);
  const plain = await outcome(api, { automation, ticket });
  expect(plain).toMatchObject({ status: 'conditions_not_met', actions: [] });
  expect((plain.conditions as Fields[]).map(({ result }) => result)).toEqual([true, false, false, false, false, false]);
});

it('says so when the automation waits for another event', async () => {
  const { api } = await makeWorkspace(server);
  const run = await outcome(api, { automation: rule(), ticket: {}, event: 'ticket.closed' });
  expect(run).toMatchObject({ status: 'skipped', reason: 'other_event', event: 'ticket.closed', actions: [] });
});

it('shows what fails, and leaves out the rest where asked to', async () => {
  const { api } = await makeWorkspace(server);
  const actions = [
    { type: 'assign', strategy: 'round_robin' },
    { type: 'add_tags', tags: 'a' },
    { type: 'send_email', to: 'requester', subject: 's', body: 'b', on_error: 'stop' },
    { type: 'add_tags', tags: 'b' },
  ];
  const run = await outcome(api, { automation: rule({ actions }), ticket: {} });
  expect([run.status, (run.actions as Fields[]).map(({ status }) => status)]).toEqual([
    'partial',
    ['failed', 'done', 'failed', 'skipped'],
  ]);
  for (const { status, error } of run.actions as Fields[]) expect(typeof error === 'string').toBe(status === 'failed');
});

it.each<[string, Record<string, unknown>, Record<string, string>]>([
  ['nothing', {}, { automation_id: 'required' }],
  ['no ticket', { automation: rule() }, { ticket_id: 'required' }],
  ['two automations', { automation: rule(), automation_id: 1, ticket: {} }, { automation: 'conflict' }],
  ['two tickets', { automation: rule(), ticket_id: 1, ticket: {} }, { ticket: 'conflict' }],
  ['no rule', { automation: {}, ticket: {} }, { 'automation.trigger': 'required', 'automation.actions': 'required' }],
  [
    'a wrong rule',
    { automation: rule({ conditions: { all: [{ field: 'zzz', operator: 'eq' }] } }), ticket: {} },
    { 'automation.conditions.all[0].field': 'unknown_field' },
  ],
  ['a wrong ticket', { automation: rule(), ticket: { priority: 'top' } }, { 'ticket.priority': 'enum' }],
  ['an unknown field', { automation: rule(), ticket: { zzz: 1 } }, { 'ticket.zzz': 'unknown_field' }],
  ['a wrong read-only field', { automation: rule(), ticket: { reply_count: 'x' } }, { 'ticket.reply_count': 'type' }],
  [
    'an impossible value',
    { automation: rule(), ticket: { escalation_level: 9 } },
    { 'ticket.escalation_level': 'invalid' },
  ],
  ['an unknown event', { automation: rule(), ticket: {}, event: 'zzz' }, { event: 'enum' }],
  ['an unknown change', { automation: rule(), ticket: {}, changes: { zzz: {} } }, { 'changes.zzz': 'unknown_field' }],
  ['half a change', { automation: rule(), ticket: {}, changes: { status: { to: 1 } } }, { 'changes.status': 'type' }],
  ['no actor', { automation: rule(), ticket: {}, actor: { type: 'god' } }, { 'actor.type': 'enum' }],
  ['no comment', { automation: rule(), ticket: {}, comment: { body: 7 } }, { 'comment.body': 'type' }],
  ['an unknown member', { automation: rule(), ticket: {}, zzz: 1 }, { zzz: 'unknown_field' }],
])('refuses %s', async (_name, body, codes) => {
  const { api } = await makeWorkspace(server);
  expect((await test(api, body)).expect(422).codes).toEqual(codes);
});

it('knows nothing of other workspaces', async () => {
  const [home, foreign] = [await makeWorkspace(server), await makeWorkspace(server)];
  const ticket = await makeTicket(foreign.api);
  const user = await makeUser(foreign.api);
  const other = (await foreign.api.post('/automations', { name: 'x', ...rule() })).expect(201).data;
  expect((await test(home.api, { automation: rule(), ticket_id: ticket.id })).expect(422).codes).toEqual({
    ticket_id: 'not_found',
  });
  expect((await test(home.api, { automation_id: other.id, ticket: {} })).expect(422).codes).toEqual({
    automation_id: 'not_found',
  });
  const assign = rule({ actions: [{ type: 'assign', user_id: user.id }] });
  expect((await test(home.api, { automation: assign, ticket: {} })).expect(422).codes).toEqual({
    'automation.actions[0].user_id': 'not_found',
  });
});

it('needs the scope to write, as it acts like a change', async () => {
  const { readApi } = await makeWorkspace(server);
  expect((await test(readApi, { automation: rule(), ticket: {} })).status).toBe(403);
});
