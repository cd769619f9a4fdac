import Ajv2020 from 'ajv/dist/2020';
import { documentOfRun } from '../support/document';
import { useApp } from '../support/app';
import { makeWorkspace } from '../support/workspace';

const server = useApp();

const TARGETS = Object.fromEntries(
  ['urgent', 'high', 'medium', 'low'].map((name) => [name, { first_response_minutes: 60, resolution_minutes: 480 }]),
);
const policy = (rest: object): [string, string, object] => [
  '/sla',
  'CreateSlaPolicy',
  { name: 'Bounds', targets: TARGETS, ...rest },
];
const step = (rest: object): [string, string, object] =>
  policy({ escalation: [{ metric: 'resolution', at: 'breach', actions: [{ type: 'stop' }], ...rest }] });
const rule = (action: object, conditions: object = {}): [string, string, object] => [
  '/automations',
  'CreateAutomation',
  { name: 'Bounds', trigger: 'ticket.created', conditions, actions: [action] },
];
const started = (trigger: unknown): [string, string, object] => [
  '/automations',
  'CreateAutomation',
  { name: 'Bounds', trigger, actions: [{ type: 'stop' }] },
];
const hook = (filter: object): [string, string, object] => [
  '/webhooks',
  'CreateWebhook',
  { url: 'https://example.com/bounds', events: ['ticket.*'], filter },
];
const urgent = { field: 'ticket.priority', operator: 'eq', value: 'urgent' };
const on = (condition: object): object => ({ all: [condition] });
const hours = (weekly: object): object => ({ schedule: { mode: 'business_hours', timezone: 'Europe/Rome', weekly } });

/** Path, schema and body of requests; each is taken, or refused, by the service and the document alike. */
const TAKEN = [
  policy({ schedule: { mode: '24x7' } }),
  policy(hours({ mon: [['09:00', '24:00']], sun: [] })),
  step({ actions: [{ type: 'add_tags', tags: ['vip'] }], offset_minutes: -5 }),
  rule({ type: 'add_tags', tags: ['vip'] }),
  rule({ type: 'add_comment', body: 'Seen.', is_internal: true, on_error: 'stop' }),
  rule({ type: 'set_field', field: 'custom_fields.floor', value: 3 }),
  rule({ type: 'assign', strategy: 'least_loaded' }),
  rule({ type: 'stop' }, on({ field: 'priority', operator: 'in', value: ['high', 'urgent'] })),
  rule({ type: 'stop' }, { any: [{ not: { field: 'subject', operator: 'is_set' } }] }),
  rule({ type: 'stop' }, on({ field: 'status', operator: 'changed_from_to', value: { from: 'open', to: 'resolved' } })),
  rule({ type: 'stop' }, on({ field: 'tags', operator: 'eq', value: ['a', 'b'] })),
  rule({ type: 'stop' }, on({ field: 'subject', operator: 'matches', value: 'x'.repeat(200) })),
  started({ event: 'ticket.created', filters: { priority: ['high', 'urgent'] } }),
  started({ event: 'schedule', cron: '0 9 * * 1-5', timezone: 'Europe/Rome', query: { status: 'open' } }),
  hook({ conditions: on(urgent) }),
];
const REFUSED: [string, string, object][] = [
  policy({ schedule: { mode: '24x7', weekly: { mon: [['09:00', '17:00']] } } }),
  policy({ schedule: { mode: 'business_hours', timezone: 'Europe/Rome' } }),
  policy(hours({ mon: [['25:00', '26:00']] })),
  policy(hours({ monday: [['09:00', '17:00']] })),
  step({ actions: [] }),
  step({ actions: [{ type: 'zzz' }] }),
  step({ actions: [{ type: 'add_tags', tags: 'vip', zzz: 1 }] }),
  step({ offset_minutes: -1_441 }),
  step({ zzz: 1 }),
  rule({ type: 'zzz' }),
  rule({ type: 'add_tags' }),
  rule({ type: 'add_tags', tags: 'vip', zzz: 1 }),
  rule({ type: 'add_comment', body: '  ' }),
  rule({ type: 'assign', user_id: 1, strategy: 'round_robin' }),
  rule({ type: 'stop' }, on({ field: 'priority', operator: 'zzz', value: 'high' })),
  rule({ type: 'stop' }, on({ field: 'priority', operator: 'in', value: 'high' })),
  rule({ type: 'stop' }, on({ field: 'subject', operator: 'is_set', value: 'x' })),
  rule({ type: 'stop' }, on({ any: [] })),
  rule({ type: 'stop' }, on({ field: 'subject', operator: 'matches', value: 'x'.repeat(201) })),
  started({ event: 'ticket.created', filters: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`f${n}`, n])) }),
  started({ event: 'schedule', cron: '* * *' }),
  started({ event: 'schedule', cron: '0 9 * * 1-5', filters: {} }),
  hook({}),
  hook({ conditions: on({ ...urgent, operator: 'zzz' }) }),
  hook({ conditions: on(urgent), zzz: 1 }),
  ['/automations', 'CreateAutomation', { name: 'Bounds', trigger: 'ticket.created', actions: [] }],
  [
    '/automations',
    'CreateAutomation',
    { name: 'Bounds', trigger: 'ticket.created', actions: Array.from({ length: 21 }, () => ({ type: 'stop' })) },
  ],
];

describe('bounds of nested parts', () => {
  it('are in the document what they are in the service', async () => {
    const { api } = await makeWorkspace(server);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'helpdesk', components: (await documentOfRun()).components });
    const seen: [body: string, documented: unknown, status: number][] = [];
    for (const [index, [path, schema, given]] of [...TAKEN, ...REFUSED].entries()) {
      const body = 'name' in given ? { ...given, name: `Bounds ${index}` } : given;
      const { status } = await api.post(path, body);
      const documented = ajv.validate({ $ref: `helpdesk#/components/schemas/${schema}` }, body);
      seen.push([JSON.stringify(body), documented, status]);
    }
    const expected = [...TAKEN.map(() => [true, 201]), ...REFUSED.map(() => [false, 422])];
    expect(seen).toEqual(expected.map((outcome, index) => [seen[index]?.[0], ...outcome]));
  });
});

describe('orders of a list', () => {
  it.each([
    ['subject', 200],
    ['custom_fields.floor', 200],
    ['-custom_fields.floor,subject,-id', 200],
    ['zzz', 422],
    ['custom_fields.', 422],
    ['-', 422],
  ])('are in the document what they are in the service: %s', async (sort, expected) => {
    const { api } = await makeWorkspace(server);
    (await api.post('/custom-fields', { object: 'ticket', key: 'floor', label: 'Floor', type: 'number' })).expect(201);
    const { components = {}, paths } = await documentOfRun();
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'helpdesk', components });
    const known = (paths['/tickets']?.get?.parameters ?? []).map((each) =>
      '$ref' in each ? (components.parameters?.[each.$ref.split('/').at(-1) ?? ''] ?? each) : each,
    );
    const parameter = known.find((each) => 'name' in each && each.name === 'sort') as { schema: object };
    const schema = JSON.parse(JSON.stringify(parameter.schema).replaceAll('"#/', '"helpdesk#/')) as object;
    expect([ajv.validate(schema, sort), (await api.get(`/tickets?sort=${sort}`)).status]).toEqual([
      expected === 200,
      expected,
    ]);
  });
});
