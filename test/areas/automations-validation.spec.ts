import '../../src/areas/categories/category.resource';
import '../../src/areas/companies/company.resource';
import '../../src/areas/tickets/comment.resource';
import '../../src/areas/tickets/ticket.resource';
import { actionSpec } from '../../src/areas/automations/action-catalogue';
import { type NamedRecord, readActions } from '../../src/areas/automations/action-reader';
import { readTrigger } from '../../src/areas/automations/automation-trigger';
import { conditionFields, templateVariables } from '../../src/areas/automations/rule-fields';
import { argumentsOf } from '../../src/platform/area/argument';
import { readConditions } from '../../src/platform/conditions/check-conditions';
import type { ErrorDetail } from '../../src/platform/errors/api-error';
import { resourceIfAny } from '../../src/platform/resource/resource';
import '../support/areas';

const available = [
  'set_field',
  'assign',
  'unassign',
  'add_tags',
  'remove_tags',
  'escalate',
  'add_comment',
  'send_email',
  'notify',
  'webhook',
  'create_ticket',
  'stop',
];

function actions(...input: unknown[]): { read: unknown[]; problems: ErrorDetail[]; named: NamedRecord[] } {
  const [problems, named]: [ErrorDetail[], NamedRecord[]] = [[], []];
  const [variables, fields] = [templateVariables('ticket'), conditionFields('ticket')];
  const read = readActions('actions', input, {
    available,
    variables,
    fields,
    defined: [],
    ranges: [],
    problems,
    named,
  });
  return { read, problems, named };
}

function trigger(input: unknown): { read: unknown; problems: ErrorDetail[] } {
  const problems: ErrorDetail[] = [];
  const tickets = resourceIfAny('tickets');
  return { read: readTrigger(input, { zone: 'Europe/Rome', fieldsOf: conditionFields, tickets, problems }), problems };
}

describe('triggers', () => {
  it.each<[unknown, unknown]>([
    ['ticket.created', { event: 'ticket.created' }],
    ['sla.breach', { event: 'ticket.sla_breach' }],
    [{ event: 'ticket.comment_added' }, { event: 'ticket.comment_added' }],
    [
      { event: 'ticket.updated', filters: { priority: ['high', 'urgent'], company_id: 7, assigned_to: null } },
      { event: 'ticket.updated', filters: { priority: ['high', 'urgent'], company_id: 7, assigned_to: null } },
    ],
    [
      { event: 'schedule', cron: ' 0 9 * * 1-5 ' },
      { event: 'schedule', cron: '0 9 * * 1-5', timezone: 'Europe/Rome' },
    ],
    [
      {
        event: 'schedule',
        cron: '*/15 8-18 * JAN-MAR MON,thu',
        timezone: 'America/New_York',
        query: { status: ['open', 'on_hold'], escalation_level: 'gt:0', csat_score: 1, has_parent: false, q: 'jam' },
      },
      {
        event: 'schedule',
        cron: '*/15 8-18 * JAN-MAR MON,thu',
        timezone: 'America/New_York',
        query: { status: 'open,on_hold', escalation_level: 'gt:0', csat_score: '1', has_parent: 'false', q: 'jam' },
      },
    ],
  ])('reads %j', (input, stored) => {
    expect(trigger(input)).toEqual({ read: stored, problems: [] });
    expect(trigger(stored)).toEqual({ read: stored, problems: [] });
  });

  it.each<[unknown, string, string]>([
    ['ticket.deleted', 'trigger.event', 'enum'],
    ['ticket.zzz', 'trigger.event', 'enum'],
    ['company.created', 'trigger.event', 'enum'],
    ['automation.executed', 'trigger.event', 'enum'],
    ['toString', 'trigger.event', 'enum'],
    [{}, 'trigger.event', 'required'],
    [{ event: 7 }, 'trigger.event', 'enum'],
    [{ event: 'ticket.created', cron: '* * * * *' }, 'trigger.cron', 'unknown_field'],
    [{ event: 'ticket.created', filters: [] }, 'trigger.filters', 'type'],
    [{ event: 'ticket.created', filters: { zzz: 1 } }, 'trigger.filters.zzz', 'unknown_field'],
    [{ event: 'ticket.created', filters: { priority: 'top' } }, 'trigger.filters.priority', 'enum'],
    [{ event: 'ticket.created', filters: { tags: 'vip' } }, 'trigger.filters.tags', 'type'],
    ['schedule', 'trigger.cron', 'required'],
    [{ event: 'schedule', cron: '0 0 9 * * 1' }, 'trigger.cron', 'format'],
    [{ event: 'schedule', cron: '@daily' }, 'trigger.cron', 'format'],
    [{ event: 'schedule', cron: '60 * * * *' }, 'trigger.cron', 'format'],
    [{ event: 'schedule', cron: 'H H * * *' }, 'trigger.cron', 'format'],
    [{ event: 'schedule', cron: '0 0 30 2 *' }, 'trigger.cron', 'format'],
    [{ event: 'schedule', cron: 5 }, 'trigger.cron', 'format'],
    [{ event: 'schedule', cron: '* * * * *', timezone: 'Mars/Base' }, 'trigger.timezone', 'format'],
    [{ event: 'schedule', cron: '* * * * *', filters: {} }, 'trigger.filters', 'unknown_field'],
    [{ event: 'schedule', cron: '* * * * *', query: 'status=open' }, 'trigger.query', 'type'],
    [{ event: 'schedule', cron: '* * * * *', query: { status: 'new' } }, 'trigger.query.status', 'enum'],
    [{ event: 'schedule', cron: '* * * * *', query: { zzz: 1 } }, 'trigger.query.zzz', 'unknown_filter'],
    [{ event: 'schedule', cron: '* * * * *', query: { page: 2 } }, 'trigger.query.page', 'unknown_filter'],
    [{ event: 'schedule', cron: '* * * * *', query: { view: '3' } }, 'trigger.query.view', 'unknown_filter'],
    [{ event: 'schedule', cron: '* * * * *', query: { position: 'a' } }, 'trigger.query.position', 'unknown_filter'],
    [{ event: 'schedule', cron: '* * * * *', query: { format: 'csv' } }, 'trigger.query.format', 'unknown_filter'],
    [{ event: 'schedule', cron: '* * * * *', query: { assigned_to: 'me' } }, 'trigger.query.assigned_to', 'format'],
    [{ event: 'schedule', cron: '* * * * *', query: { status: { a: 1 } } }, 'trigger.query.status', 'type'],
  ])('refuses %j', (input, field, code) => {
    expect(trigger(input).problems).toMatchObject([{ field, code }]);
  });

  it('names the events and the filters there are', () => {
    expect(trigger('zzz').problems[0]?.allowed).toEqual(
      expect.arrayContaining(['ticket.created', 'ticket.sla_breach', 'ticket.comment_added', 'schedule']),
    );
    const [problem] = trigger({ event: 'schedule', cron: '* * * * *', query: { zzz: 1 } }).problems;
    expect(problem?.allowed).toEqual(expect.arrayContaining(['status', 'tags', 'q']));
  });
});

describe('actions', () => {
  it.each<[Record<string, unknown>, Record<string, unknown>?]>([
    [{ type: 'set_field', field: 'priority', value: 'high' }],
    [{ type: 'set_field', field: 'category_id', value: null }],
    [{ type: 'set_field', field: 'on_hold_until', value: '+2bd' }],
    [
      { type: 'set_field', field: 'on_hold_until', value: '2027-01-01T00:00:00+01:00' },
      { type: 'set_field', field: 'on_hold_until', value: '2026-12-31T23:00:00.000Z' },
    ],
    [{ type: 'set_field', field: 'custom_fields.follow_up', value: '+3d' }],
    [{ type: 'set_field', field: 'custom_fields.seen', value: true }],
    [{ type: 'set_field', field: 'subject', value: '[{{company.name}}] {{ticket.subject}}' }],
    [{ type: 'assign', user_id: 5 }],
    [{ type: 'assign', strategy: 'round_robin', team_id: 3, on_error: 'stop' }],
    [{ type: 'unassign' }],
    [
      { type: 'add_tags', tags: ['VIP', 'late'] },
      { type: 'add_tags', tags: 'vip,late' },
    ],
    [{ type: 'escalate' }],
    [{ type: 'escalate', reason: 'By {{automation.name}}' }],
    [{ type: 'add_comment', body: 'Hello {{requester.name}}', is_internal: true }],
    [{ type: 'send_email', to: 'requester', subject: 'Re {{ticket.code}}', body: '{{comment.body}}' }],
    [
      { type: 'send_email', to: 'Ada@Example.com', subject: 's', body: 'b' },
      { type: 'send_email', to: ['ada@example.com'], subject: 's', body: 'b' },
    ],
    [{ type: 'notify', user_ids: [1, 2], message: 'Look at {{ticket.code}}' }],
    [
      {
        type: 'webhook',
        url: 'https://hooks.example.com/x',
        headers: { 'X-Key': 'k' },
        body: { a: ['{{ticket.id}}'] },
      },
    ],
    [{ type: 'webhook', endpoint_id: 4, method: 'PUT', body: '{"a": "{{ticket.code}}"}' }],
    [{ type: 'create_ticket', subject: 'Follow up {{ticket.code}}', requester_email: '{{requester.email}}' }],
    [
      {
        type: 'create_ticket',
        subject: 'x',
        custom_fields: { from: '{{ticket.code}}', n: 1 },
        priority: 'low',
        ticket_type: 'task',
      },
    ],
    [{ type: 'stop' }],
  ])('reads %j', (input, stored = input) => {
    expect(actions(input)).toMatchObject({ read: [stored], problems: [] });
    expect(actions(stored)).toMatchObject({ read: [stored], problems: [] });
  });

  it.each<[unknown, string, string]>([
    [7, 'actions[0]', 'type'],
    [{}, 'actions[0].type', 'required'],
    [{ type: 'toString' }, 'actions[0].type', 'enum'],
    [{ type: 'create_meeting' }, 'actions[0].type', 'enum'],
    [{ type: 'stop', on_error: 'ignore' }, 'actions[0].on_error', 'enum'],
    [{ type: 'stop', zzz: 1 }, 'actions[0].zzz', 'unknown_field'],
    [{ type: 'set_field', value: 1 }, 'actions[0].field', 'required'],
    [{ type: 'set_field', field: 'priority' }, 'actions[0].value', 'required'],
    [{ type: 'set_field', field: 'sla_due_at', value: null }, 'actions[0].field', 'enum'],
    [{ type: 'set_field', field: 'constructor', value: 1 }, 'actions[0].field', 'enum'],
    [{ type: 'set_field', field: 'priority', value: 'top' }, 'actions[0].value', 'enum'],
    [{ type: 'set_field', field: 'priority', value: null }, 'actions[0].value', 'enum'],
    [{ type: 'set_field', field: 'subject', value: ' ' }, 'actions[0].value', 'min'],
    [{ type: 'set_field', field: 'subject', value: '{{zzz}}' }, 'actions[0].value', 'unknown_variable'],
    [{ type: 'set_field', field: 'on_hold_until', value: 'tomorrow' }, 'actions[0].value', 'format'],
    [{ type: 'set_field', field: 'custom_fields.a', value: { b: 1 } }, 'actions[0].value', 'type'],
    [{ type: 'assign' }, 'actions[0].user_id', 'required'],
    [{ type: 'assign', user_id: 5, strategy: 'round_robin' }, 'actions[0].strategy', 'conflict'],
    [{ type: 'assign', strategy: 'random' }, 'actions[0].strategy', 'enum'],
    [{ type: 'assign', user_id: '5' }, 'actions[0].user_id', 'type'],
    [{ type: 'add_tags', tags: ' , ' }, 'actions[0].tags', 'min'],
    [{ type: 'add_tags', tags: ['a,b'] }, 'actions[0].tags', 'format'],
    [{ type: 'add_tags' }, 'actions[0].tags', 'required'],
    [{ type: 'add_comment', body: '' }, 'actions[0].body', 'min'],
    [{ type: 'add_comment', body: 'x'.repeat(65_537) }, 'actions[0].body', 'max'],
    [{ type: 'add_comment', body: '{{#ticket}}x{{/ticket}}' }, 'actions[0].body', 'format'],
    [{ type: 'add_comment', body: 'x', is_internal: 'yes' }, 'actions[0].is_internal', 'type'],
    [{ type: 'send_email', to: 'nobody', subject: 's', body: 'b' }, 'actions[0].to', 'format'],
    [{ type: 'send_email', to: [], subject: 's', body: 'b' }, 'actions[0].to', 'format'],
    [{ type: 'notify', user_ids: [], message: 'm' }, 'actions[0].user_ids', 'type'],
    [{ type: 'notify', user_ids: [1.5], message: 'm' }, 'actions[0].user_ids', 'type'],
    [{ type: 'webhook' }, 'actions[0].url', 'required'],
    [{ type: 'webhook', url: 'http://127.0.0.1/' }, 'actions[0].url', 'format'],
    [{ type: 'webhook', url: 'https://169.254.169.254/latest' }, 'actions[0].url', 'format'],
    [{ type: 'webhook', url: 'https://x.example', method: 'TRACE' }, 'actions[0].method', 'enum'],
    [{ type: 'webhook', url: 'https://x.example', headers: { Host: 'y' } }, 'actions[0].headers', 'format'],
    [{ type: 'webhook', url: 'https://x.example', headers: { 'X-A': 'a\r\nB: c' } }, 'actions[0].headers', 'format'],
    [
      { type: 'webhook', url: 'https://x.example', headers: { 'X-A': 'a', 'x-a': 'b' } },
      'actions[0].headers',
      'duplicate',
    ],
    [{ type: 'webhook', url: 'https://x.example', body: '{"n": {{ticket.id}}}' }, 'actions[0].body', 'format'],
    [
      { type: 'webhook', url: 'https://x.example', body: { a: [{ b: '{{zzz}}' }] } },
      'actions[0].body',
      'unknown_variable',
    ],
    [{ type: 'create_ticket' }, 'actions[0].subject', 'required'],
    [{ type: 'create_ticket', subject: 'x', requester_email: 'nobody' }, 'actions[0].requester_email', 'format'],
    [{ type: 'create_ticket', subject: 'x', custom_fields: { a: {} } }, 'actions[0].custom_fields', 'type'],
  ])('refuses %j', (input, field, code) => {
    expect(actions(input).problems).toMatchObject([{ field, code }]);
  });

  it('says where in the list', () => {
    const { problems } = actions({ type: 'stop' }, { type: 'assign', user_id: 0 }, { type: 'zzz' });
    expect(problems.map(({ field }) => field)).toEqual(['actions[1].user_id', 'actions[2].type']);
    expect(problems[1]?.allowed).toEqual(available);
  });

  it.each<[string, (list: unknown) => object]>([
    ['notify', (list) => ({ type: 'notify', user_ids: list, message: 'm' })],
    ['send_email', (list) => ({ type: 'send_email', to: list, subject: 's', body: 'b' })],
    ['add_tags', (list) => ({ type: 'add_tags', tags: list })],
    ['a condition', (list) => ({ all: [{ field: 'status', operator: 'in', value: list }] })],
    ['conditions', (list) => ({ all: list })],
    ['a group', (list) => ({ all: [{ any: list }] })],
  ])('measures the list of %s before it looks into it', (_name, of) => {
    const look = (): never => {
      throw new Error('It was looked into.');
    };
    const input = of(
      new Proxy(new Array<unknown>(50_000), { get: (list, key) => (key === 'length' ? list.length : look()) }),
    );
    const problems: ErrorDetail[] = [];
    if ('all' in input) readConditions('conditions', input, conditionFields('ticket'), problems);
    else problems.push(...actions(input).problems);
    expect(problems).toHaveLength(1);
  });

  it('collects what must exist', () => {
    const { named } = actions(
      { type: 'set_field', field: 'team_id', value: 3 },
      { type: 'assign', user_id: 5, team_id: 6 },
      { type: 'notify', user_ids: [7, 8, 7], message: 'm' },
      { type: 'webhook', endpoint_id: 9 },
    );
    expect(named).toEqual([
      { path: 'actions[0].value', resource: 'teams', id: 3 },
      { path: 'actions[1].user_id', resource: 'users', id: 5 },
      { path: 'actions[1].team_id', resource: 'teams', id: 6 },
      { path: 'actions[2].user_ids', resource: 'users', id: 7 },
      { path: 'actions[2].user_ids', resource: 'users', id: 8 },
      { path: 'actions[3].endpoint_id', resource: 'webhooks', id: 9 },
    ]);
  });

  it.each(available)('describes every parameter of %s', (type) => {
    for (const { spec: parameter } of argumentsOf(actionSpec(type)?.parameters).values()) {
      expect(parameter.description).not.toBe('');
      if (parameter.kind.startsWith('reference')) expect(parameter.references).toBeDefined();
      if (parameter.kind === 'enum') expect(parameter.values?.length).toBeGreaterThan(1);
    }
    expect(actionSpec(type)?.label).toBeDefined();
  });
});
