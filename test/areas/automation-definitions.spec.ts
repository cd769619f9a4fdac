import { ticketResource } from '../../src/areas/tickets/ticket.resource';
import { useApp } from '../support/app';
import { makeWorkspace } from '../support/workspace';

const server = useApp();

interface Definitions {
  events: { event: string; object: string; description: string }[];
  fields: { field: string; object: string; type: string; operators: string[]; values?: string[] }[];
  operators: { operator: string; value: string }[];
  actions: { type: string; objects: string[]; parameters: { name: string; required: boolean; kind: string }[] }[];
  template_variables: { variable: string; object: string }[];
}

async function definitions(): Promise<Definitions> {
  const { readApi } = await makeWorkspace(server);
  return (await readApi.get('/automations/definitions')).expect(200).data as unknown as Definitions;
}

it('offers the events of the specification and the schedule', async () => {
  const { events } = await definitions();
  const names = events.map(({ event }) => event);
  expect(names).toEqual(
    expect.arrayContaining([
      'ticket.created',
      'ticket.updated',
      'ticket.sla_breach',
      'ticket.escalated',
      'ticket.resolved',
      'ticket.assigned',
      'ticket.status_changed',
      'ticket.priority_changed',
      'ticket.reopened',
      'ticket.closed',
      'ticket.comment_added',
      'ticket.sla_at_risk',
      'ticket.merged',
      'schedule',
    ]),
  );
  expect(names).not.toContain('ticket.deleted');
  for (const { description } of events) expect(description).not.toBe('');
});

it('offers every field of a ticket, and what surrounds it', async () => {
  const { fields } = await definitions();
  const names = fields.filter(({ object }) => object === 'ticket').map(({ field }) => field);
  const stored = ticketResource.columns.filter(({ kind }) => !['json', 'computed'].includes(kind));
  expect(names).toEqual(expect.arrayContaining(stored.map(({ name }) => name)));
  expect(names).toEqual(
    expect.arrayContaining([
      'company.tier',
      'company.is_vip',
      'category.name',
      'requester.email',
      'requester.domain',
      'comment.body',
      'comment.is_internal',
      'comment.author_type',
      'actor.type',
      'actor.id',
      'minutes_since.created_at',
      'business_minutes_since.last_requester_comment_at',
      'now.in_business_hours',
      'custom_fields.<key>',
      'changes.status',
      'changes.custom_fields.<key>',
    ]),
  );
  expect(names).not.toEqual(expect.arrayContaining(['workspace_id', 'version', 'number']));
  const offered = fields.map(({ object, field }) => `${object} ${field}`);
  expect(new Set(offered).size).toBe(offered.length);
});

it('tells the operators and values of each field', async () => {
  const { fields, operators } = await definitions();
  const known = operators.map(({ operator }) => operator);
  for (const { operators: own } of fields) expect(known).toEqual(expect.arrayContaining(own));
  const of = (name: string) => fields.find(({ field }) => field === name);
  expect(of('status')).toMatchObject({
    type: 'enum',
    values: ['open', 'in_progress', 'on_hold', 'resolved', 'closed'],
  });
  expect(of('status')?.operators).toEqual(expect.arrayContaining(['eq', 'in', 'changed_from_to']));
  expect(of('changes.status')?.operators).toEqual(['changed', 'changed_to', 'changed_from', 'changed_from_to']);
  expect(of('tags')?.operators).toEqual(expect.arrayContaining(['has_any', 'has_all', 'has_none']));
  expect(of('subject')?.operators).toEqual(expect.arrayContaining(['contains', 'matches']));
  expect(of('comment.body')?.operators).not.toContain('changed');
});

/** Whatever is described can be used as described: a condition of every field with every operator that needs no value. */
it('accepts what it describes', async () => {
  const { api } = await makeWorkspace(server);
  const { events, fields } = await definitions();
  for (const { event, object } of events) {
    const own = fields.filter((field) => field.object === object);
    const all = own
      .map(({ field, operators }) => ({
        field: field.replace('<key>', 'region'),
        operator: operators.find((name) => name === 'is_set' || name === 'changed'),
      }))
      .slice(0, 100);
    const trigger = event === 'schedule' ? { event, cron: '* * * * *' } : event;
    (await api.post('/automations', { name: event, trigger, conditions: { all }, actions: [{ type: 'stop' }] })).expect(
      201,
    );
  }
});

it('describes the actions that can be performed, and refuses the others', async () => {
  const { api } = await makeWorkspace(server);
  const { actions } = await definitions();
  const types = actions.map(({ type }) => type);
  expect(types).toEqual(
    expect.arrayContaining([
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
      'create_meeting',
      'stop',
    ]),
  );
  const answer = await api.post('/automations', {
    name: 'x',
    trigger: 'ticket.created',
    actions: [{ type: 'summon' }],
  });
  expect(answer.expect(422).error.details).toMatchObject([{ field: 'actions[0].type', code: 'enum', allowed: types }]);
});

it('names the variables of templates', async () => {
  const { template_variables: variables } = await definitions();
  const names = variables.map(({ variable }) => variable);
  expect(names).toEqual(
    expect.arrayContaining([
      'ticket.code',
      'ticket.custom_fields.<key>',
      'company.name',
      'category.name',
      'requester.email',
      'comment.body',
      'actor.name',
      'automation.name',
    ]),
  );
});
