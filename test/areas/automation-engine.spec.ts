import { useApp } from '../support/app';
import { commentsOf, makeRule, runsOf, settledTicket } from '../support/automations';
import { makeTicket } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { useSql } from '../support/sql';
import { drained } from '../support/jobs';
import { makeWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

const set = (field: string, value: unknown): Record<string, unknown> => ({ type: 'set_field', field, value });
const comment = (body: string): Record<string, unknown> => ({ type: 'add_comment', body, is_internal: true });
const when = (field: string, operator: string, value?: unknown): Record<string, unknown> => ({
  all: [{ field, operator, value }],
});

describe('a run', () => {
  it('runs a rule whose conditions are met, as the automation, and logs it', async () => {
    const workspace = await makeWorkspace(server);
    const { id: ruleId } = await makeRule(workspace, {
      conditions: when('subject', 'contains', 'fire'),
      actions: [set('priority', 'urgent'), { type: 'add_tags', tags: ['alarm'] }],
    });
    const ticket = await makeTicket(workspace.api, { subject: 'There is a fire', priority: 'low' });
    const other = await makeTicket(workspace.api, { subject: 'Nothing', priority: 'low' });
    expect(await settledTicket(server, workspace, ticket.id)).toMatchObject({ priority: 'urgent', tags: 'alarm' });
    expect(await settledTicket(server, workspace, other.id)).toMatchObject({ priority: 'low', tags: '' });
    const [created, ...followed] = (await eventsOf(server, workspace, 'ticket', ticket.id)) as never as {
      uid: string;
      type: string;
    }[];
    expect(followed.map(({ type }) => type)).toEqual(['ticket.updated', 'ticket.priority_changed', 'ticket.updated']);
    const [run] = await runsOf(workspace, 'tickets', ticket.id);
    expect(run).toMatchObject({
      automation_id: ruleId,
      automation_version: 1,
      automation_name: 'Rule',
      ticket_id: ticket.id,
      event: 'ticket.created',
      event_id: created?.uid,
      root_event_id: created?.uid,
      depth: 0,
      status: 'executed',
      reason: null,
      conditions: [
        { field: 'subject', operator: 'contains', expected: 'fire', actual: 'There is a fire', result: true },
      ],
      actions: [
        { type: 'set_field', status: 'done', before: { priority: 'low' }, after: { priority: 'urgent' }, error: null },
        { type: 'add_tags', status: 'done', before: { tags: '' }, after: { tags: 'alarm' }, error: null },
      ],
    });
    expect(await runsOf(workspace, 'tickets', other.id)).toMatchObject([
      { status: 'conditions_not_met', actions: [], conditions: [{ actual: 'Nothing', result: false }] },
    ]);
    const [latest] = (await workspace.api.get(`/tickets/${ticket.id}/history`)).expect(200).rows;
    expect(latest).toMatchObject({
      actor: { type: 'automation', id: ruleId, name: 'Rule' },
      causation: { depth: 1, automation_ids: [ruleId], root_event_id: created?.uid },
    });
  });

  it('counts what it did without a new version of the rule, and tells it as an event', async () => {
    const workspace = await makeWorkspace(server);
    const { id } = await makeRule(workspace, { actions: [set('priority', 'urgent')] });
    const before = await workspace.api.get(`/automations/${id}`);
    const ticket = await makeTicket(workspace.api);
    await drained(server, workspace);
    const { data } = (await workspace.api.get(`/automations/${id}`)).expect(200);
    expect(data).toMatchObject({ run_count: 1, last_error: null, last_run_at: expect.stringMatching(/Z$/) as unknown });
    (
      await workspace.api.patch(
        `/automations/${id}`,
        { name: 'Other' },
        { 'If-Match': before.headers.get('etag') ?? '' },
      )
    ).expect(200);
    const events = await eventsOf(server, workspace, 'automation', id);
    expect(events.map(({ type }) => type)).toEqual(['automation.created', 'automation.executed', 'automation.updated']);
    const [row] = await sql.rows<{ related: { run: object } }>(
      `SELECT related FROM events WHERE workspace_id = $1 AND type = 'automation.executed'`,
      [workspace.id],
    );
    expect(row?.related.run).toMatchObject({ object: 'ticket', object_id: ticket.id, status: 'executed' });
  });

  it('goes by position; later rules see what earlier ones did', async () => {
    const workspace = await makeWorkspace(server);
    await makeRule(workspace, {
      name: 'second',
      position: 20,
      conditions: when('priority', 'eq', 'urgent'),
      actions: [set('type', 'incident')],
    });
    await makeRule(workspace, { name: 'first', position: 10, actions: [set('priority', 'urgent')] });
    await makeRule(workspace, {
      name: 'third',
      position: 30,
      conditions: when('type', 'eq', 'incident'),
      actions: [comment('{{ticket.priority}} {{ticket.type}}')],
    });
    const ticket = await makeTicket(workspace.api, { priority: 'low' });
    expect(await settledTicket(server, workspace, ticket.id)).toMatchObject({ priority: 'urgent', type: 'incident' });
    const runs = await runsOf(workspace, 'tickets', ticket.id);
    expect(runs.map((run) => run.automation_name)).toEqual(['first', 'second', 'third']);
    expect((await commentsOf(workspace, ticket.id)).map(({ body, author_type }) => [body, author_type])).toEqual([
      ['urgent incident', 'automation'],
    ]);
  });

  it('keeps what changed, who did it and the comment as they were when the event happened', async () => {
    const workspace = await makeWorkspace(server);
    await makeRule(workspace, {
      name: 'moves on',
      trigger: 'ticket.status_changed',
      actions: [set('priority', 'urgent'), set('status', 'on_hold')],
    });
    await makeRule(workspace, {
      name: 'frozen',
      trigger: 'ticket.status_changed',
      conditions: {
        all: [
          { field: 'status', operator: 'changed_from_to', value: { from: 'open', to: 'in_progress' } },
          { field: 'status', operator: 'eq', value: 'on_hold' },
          { field: 'priority', operator: 'changed' },
          { field: 'actor.type', operator: 'eq', value: 'token' },
        ],
      },
      actions: [comment('never: the event did not change the priority')],
    });
    const ticket = await makeTicket(workspace.api, { priority: 'low' });
    (await workspace.api.patch(`/tickets/${ticket.id}`, { status: 'in_progress' })).expect(200);
    expect(await settledTicket(server, workspace, ticket.id)).toMatchObject({ status: 'on_hold' });
    const [run] = (await runsOf(workspace, 'tickets', ticket.id)).filter((each) => each.automation_name === 'frozen');
    expect(run?.conditions.map(({ result }) => result)).toEqual([true, true, false, true]);
    expect(run?.status).toBe('conditions_not_met');
  });

  it('asks comments, companies, categories, requesters and elapsed time', async () => {
    const workspace = await makeWorkspace(server);
    const { id: companyId } = (
      await workspace.api.post('/companies', { name: 'Acme', domains: ['acme.example'] })
    ).expect(201).data;
    const { id } = await makeRule(workspace, {
      trigger: 'ticket.comment_added',
      conditions: {
        all: [
          { field: 'comment.body', operator: 'matches', value: '(?i)^help' },
          { field: 'comment.author_type', operator: 'eq', value: 'requester' },
          { field: 'company.name', operator: 'eq', value: 'Acme' },
          { field: 'requester.domain', operator: 'eq', value: 'acme.example' },
          { field: 'minutes_since.created_at', operator: 'lt', value: 5 },
          { field: 'business_minutes_since.created_at', operator: 'lt', value: 5 },
          { field: 'now.in_business_hours', operator: 'eq', value: true },
          { not: { any: [{ field: 'custom_fields.vip', operator: 'is_set' }] } },
        ],
      },
      actions: [set('custom_fields.vip', 'yes: {{company.name}}')],
    });
    const ticket = await makeTicket(workspace.api, { requester_email: 'ada@acme.example', custom_fields: { a: 1 } });
    expect(ticket.company_id).toBe(companyId);
    (await workspace.api.post(`/tickets/${ticket.id}/comments`, { body: 'Help!', author_type: 'requester' })).expect(
      201,
    );
    const settled = await settledTicket(server, workspace, ticket.id);
    expect(await runsOf(workspace, 'automations', id)).toMatchObject([{ status: 'executed' }]);
    expect(settled.custom_fields).toEqual({ a: 1, vip: 'yes: Acme' });
  });

  it('ends with "stop" or stop_processing, and skips the actions after "stop"', async () => {
    const workspace = await makeWorkspace(server);
    await makeRule(workspace, {
      name: 'a',
      trigger: 'ticket.created',
      conditions: when('subject', 'eq', 'one'),
      stop_processing: true,
      actions: [comment('a')],
    });
    await makeRule(workspace, { name: 'b', actions: [comment('b'), { type: 'stop' }, comment('not reached')] });
    await makeRule(workspace, { name: 'c', actions: [comment('c')] });
    const one = await makeTicket(workspace.api, { subject: 'one' });
    const two = await makeTicket(workspace.api, { subject: 'two' });
    await drained(server, workspace);
    expect((await commentsOf(workspace, one.id)).map(({ body }) => body)).toEqual(['a']);
    expect((await commentsOf(workspace, two.id)).map(({ body }) => body)).toEqual(['b']);
    const runs = await runsOf(workspace, 'tickets', two.id);
    expect(runs.find((run) => run.automation_name === 'b')?.actions.map(({ status }) => status)).toEqual([
      'done',
      'stopped',
      'skipped',
    ]);
  });

  it('records what fails and goes on, unless on_error says stop', async () => {
    const workspace = await makeWorkspace(server);
    const reopen = { type: 'set_field', field: 'on_hold_reason', value: 'customer' };
    const { id } = await makeRule(workspace, { name: 'goes on', actions: [reopen, comment('still')] });
    const { id: stops } = await makeRule(workspace, {
      name: 'stops',
      actions: [{ ...reopen, on_error: 'stop' }, comment('never')],
    });
    const ticket = await makeTicket(workspace.api);
    await drained(server, workspace);
    expect((await commentsOf(workspace, ticket.id)).map(({ body }) => body)).toEqual(['still']);
    expect(await runsOf(workspace, 'automations', id)).toMatchObject([
      {
        status: 'partial',
        actions: [{ status: 'failed', error: expect.stringContaining('on hold') as unknown }, { status: 'done' }],
      },
    ]);
    expect(await runsOf(workspace, 'automations', stops)).toMatchObject([
      { status: 'failed', actions: [{ status: 'failed' }, { status: 'skipped' }] },
    ]);
    const types = (await eventsOf(server, workspace, 'automation', stops)).map(({ type }) => type);
    expect(types).toEqual(['automation.created', 'automation.failed']);
    expect((await workspace.api.get(`/automations/${stops}`)).data.last_error).toContain('on hold');
  });

  it('writes nothing and tells nobody when nothing differs', async () => {
    const workspace = await makeWorkspace(server);
    const { id } = await makeRule(workspace, {
      actions: [set('priority', 'low'), { type: 'remove_tags', tags: ['x'] }, { type: 'unassign' }],
    });
    const ticket = await makeTicket(workspace.api, { priority: 'low' });
    await drained(server, workspace);
    const [run] = await runsOf(workspace, 'automations', id);
    expect(run?.actions.map(({ status }) => status)).toEqual(['unchanged', 'unchanged', 'unchanged']);
    expect((await eventsOf(server, workspace, 'ticket', ticket.id)).map(({ type }) => type)).toEqual([
      'ticket.created',
    ]);
    expect((await eventsOf(server, workspace, 'automation', id)).map(({ type }) => type)).toEqual([
      'automation.created',
    ]);
  });

  it('leaves inactive and deleted rules alone, and workspaces without rules', async () => {
    const workspace = await makeWorkspace(server);
    const bystander = await makeWorkspace(server);
    const { id: off } = await makeRule(workspace, { is_active: false, actions: [comment('off')] });
    const { id: gone } = await makeRule(workspace, { actions: [comment('gone')] });
    (await workspace.api.delete(`/automations/${gone}`)).expect(200);
    const ticket = await makeTicket(workspace.api);
    const other = await makeTicket(bystander.api);
    await drained(server, workspace);
    await drained(server, bystander);
    expect(await runsOf(workspace, 'automations', off)).toEqual([]);
    expect(await runsOf(workspace, 'tickets', ticket.id)).toEqual([]);
    expect(await runsOf(bystander, 'tickets', other.id)).toEqual([]);
  });

  it('takes the filters of a trigger for conditions', async () => {
    const workspace = await makeWorkspace(server);
    const { id } = await makeRule(workspace, {
      trigger: { event: 'ticket.created', filters: { channel: ['email', 'chat'], team_id: null } },
      actions: [set('priority', 'high')],
    });
    const phone = await makeTicket(workspace.api, { channel: 'phone' });
    const chat = await makeTicket(workspace.api, { channel: 'chat' });
    await drained(server, workspace);
    const runs = await runsOf(workspace, 'automations', id);
    expect(new Map(runs.map((run) => [run['ticket_id'], run['status']]))).toEqual(
      new Map([
        [phone.id, 'conditions_not_met'],
        [chat.id, 'executed'],
      ]),
    );
  });
});
