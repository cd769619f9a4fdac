import type { Api, Fields } from '../support/api';
import { useApp } from '../support/app';
import { make, makeTicket } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { targets } from '../support/sla';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let workspace: TestWorkspace;
let api: Api;
beforeEach(async () => {
  workspace = await makeWorkspace(server);
  ({ api } = workspace);
});

const MINUTE_MS = 60_000;

async function makePolicy(name: string, body: object = {}): Promise<Fields> {
  return (await api.post('/sla', { name, targets: targets(10, 20), ...body })).expect(201).data;
}

async function standard(): Promise<Fields> {
  const [policy] = (await api.get('/sla?is_default=true')).rows;
  if (!policy) throw new Error('There is no default policy.');
  return policy;
}

const ticketOf = async (id: number): Promise<Fields> => (await api.get(`/tickets/${id}`)).expect(200).data;
const minutesAllowed = ({ created_at, sla_due_at }: Fields): number =>
  (Date.parse(sla_due_at as string) - Date.parse(created_at as string)) / MINUTE_MS;

describe('the default policy', () => {
  it('is there from the start, with the usual targets', async () => {
    expect(await standard()).toMatchObject({
      name: 'Standard',
      is_active: true,
      position: 1,
      conditions: {},
      schedule: { mode: '24x7' },
      pause_statuses: ['on_hold'],
      pause_metrics: ['next_response', 'resolution'],
      at_risk_threshold_pct: 80,
      escalation: [],
      ai_counts_as_response: false,
      ticket_count: 0,
      compliance_30d: null,
    });
  });

  it('can be neither deleted, disabled nor simply no longer be the default', async () => {
    const { id } = await standard();
    expect((await api.delete(`/sla/${id}`)).codes).toEqual({ id: 'is_default' });
    expect((await api.patch(`/sla/${id}`, { is_active: false })).codes).toEqual({ is_active: 'is_default' });
    expect((await api.patch(`/sla/${id}`, { is_default: false })).codes).toEqual({ is_default: 'is_default' });
    const both = { name: 'Both', targets: targets(1, 2), is_default: true, is_active: false };
    expect((await api.post('/sla', both)).codes).toEqual({ is_active: 'is_default' });
    expect(await standard()).toMatchObject({ id, is_active: true });
  });

  it('is exactly one, however many requests make another one the default', async () => {
    const before = await standard();
    const policies = await Promise.all(['A', 'B', 'C', 'D'].map((name) => makePolicy(name)));
    const answers = await Promise.all([
      ...policies.map(({ id }) => api.patch(`/sla/${id}`, { is_default: true })),
      api.post('/sla', { name: 'E', targets: targets(1, 2), is_default: true }),
    ]);
    for (const answer of answers) expect(answer.status).toBeLessThan(300);
    expect((await api.get('/sla?is_default=true')).rows.length).toBe(1);
    expect((await api.get(`/sla/${before.id}`)).data.is_default).toBe(false);
    const types = (await eventsOf(server, workspace, 'sla_policy', before.id)).map(({ type }) => type);
    expect(types).toEqual(['sla_policy.updated']);
    (await api.delete(`/sla/${before.id}`)).expect(200);
  });
});

describe('a policy', () => {
  it('comes last unless it says where', async () => {
    expect((await makePolicy('Second')).position).toBe(2);
    expect((await makePolicy('Fifth', { position: 5 })).position).toBe(5);
    expect((await makePolicy('Sixth')).position).toBe(6);
  });

  it('has dates in order, whichever of them is changed', async () => {
    const dates = { starts_on: '2026-02-01', ends_on: '2026-01-31' };
    expect((await api.post('/sla', { name: 'x', targets: targets(1, 2), ...dates })).codes).toEqual({ ends_on: 'min' });
    const { id } = await makePolicy('Dated', { starts_on: '2026-01-01' });
    expect((await api.patch(`/sla/${id}`, { ends_on: '2025-12-31' })).codes).toEqual({ ends_on: 'min' });
  });

  it.each([
    ['an unknown field', { all: [{ field: 'colour', operator: 'eq', value: 'red' }] }, 'conditions.all[0].field'],
    [
      'an unknown operator',
      { all: [{ field: 'priority', operator: 'like', value: 'low' }] },
      'conditions.all[0].operator',
    ],
    ['an impossible value', { any: [{ field: 'priority', operator: 'eq', value: 'top' }] }, 'conditions.any[0].value'],
    ['a change', { all: [{ field: 'status', operator: 'changed' }] }, 'conditions.all[0].operator'],
    ['an unknown group', { none: [] }, 'conditions.none'],
  ])('has no conditions with %s', async (_, conditions, field) => {
    const answer = await api.post('/sla', { name: 'x', targets: targets(1, 2), conditions });
    expect([answer.status, Object.keys(answer.codes)]).toEqual([422, [field]]);
  });

  it.each([
    [[{ metric: 'speed', at: 'breach', actions: [{}] }], 'escalation[0].metric'],
    [[{ metric: 'resolution', at: 'never', actions: [{}] }], 'escalation[0].at'],
    [[{ metric: 'resolution', at: 'breach', offset_minutes: -1441, actions: [{}] }], 'escalation[0].offset_minutes'],
    [[{ metric: 'resolution', at: 'breach', offset_minutes: 10_081, actions: [{}] }], 'escalation[0].offset_minutes'],
    [[{ metric: 'resolution', at: 'breach', actions: [] }], 'escalation[0].actions'],
    [[{ metric: 'resolution', at: 'breach', actions: [{}], extra: 1 }], 'escalation[0].extra'],
    [[7], 'escalation[0]'],
    [Array.from({ length: 11 }, () => ({})), 'escalation'],
  ])('has no escalation %j', async (escalation, field) => {
    const answer = await api.post('/sla', { name: 'x', targets: targets(1, 2), escalation });
    expect([answer.status, Object.keys(answer.codes)]).toEqual([422, [field]]);
  });
});

describe('the policy of a new ticket', () => {
  const matched = async (body: Fields | object): Promise<[unknown, unknown]> => {
    const { id } = await makeTicket(api, body as Record<string, unknown>);
    const { policy } = (await api.get(`/tickets/${id}/sla`)).expect(200).data as unknown as { policy: Fields };
    return [policy.name, policy.matched_by];
  };

  it("is the company's, else the category's, else the first whose conditions hold, else the default", async () => {
    const urgent = { all: [{ field: 'priority', operator: 'eq', value: 'urgent' }] };
    const [company, category] = [
      await makePolicy('Company', { conditions: urgent }),
      await makePolicy('Category', { conditions: urgent }),
    ];
    await makePolicy('Late', {
      position: 9,
      conditions: { all: [{ field: 'channel', operator: 'eq', value: 'chat' }] },
    });
    await makePolicy('Early', {
      position: 8,
      conditions: { any: [{ field: 'tags', operator: 'has_any', value: ['vip'] }] },
    });
    await makePolicy('Off', { position: 7, is_active: false });
    const company_id = (await make(api, '/companies', { sla_policy_id: company.id })).id;
    const category_id = (await make(api, '/categories', { sla_policy_id: category.id })).id;
    expect(await matched({ company_id, category_id })).toEqual(['Company', 'company']);
    expect(await matched({ category_id })).toEqual(['Category', 'category']);
    expect(await matched({ channel: 'chat' })).toEqual(['Late', 'conditions']);
    expect(await matched({ channel: 'chat', tags: 'vip' })).toEqual(['Early', 'conditions']);
    expect(await matched({ priority: 'urgent' })).toEqual(['Company', 'conditions']);
    expect(await matched({})).toEqual(['Standard', 'default']);
  });

  it('looks at company, category and requester', async () => {
    const field = (name: string, value: string): object => ({ all: [{ field: name, operator: 'eq', value }] });
    await makePolicy('Acme', { conditions: field('company.name', 'Acme') });
    await makePolicy('Billing', { conditions: field('category.name', 'Billing') });
    await makePolicy('Example', { conditions: field('requester.domain', 'vip.example') });
    const company_id = (await make(api, '/companies', { name: 'Acme' })).id;
    const category_id = (await make(api, '/categories', { name: 'Billing' })).id;
    expect(await matched({ company_id })).toEqual(['Acme', 'conditions']);
    expect(await matched({ category_id })).toEqual(['Billing', 'conditions']);
    expect(await matched({ requester_email: 'ada@vip.example' })).toEqual(['Example', 'conditions']);
    expect(await matched({ requester_email: 'ada@other.example' })).toEqual(['Standard', 'default']);
  });

  it('is one that is in force today', async () => {
    await makePolicy('Past', { ends_on: '2020-01-01' });
    await makePolicy('Future', { starts_on: '2120-01-01' });
    expect(await matched({})).toEqual(['Standard', 'default']);
    await makePolicy('Present', { starts_on: '2020-01-01', ends_on: '2120-01-01' });
    expect(await matched({})).toEqual(['Present', 'conditions']);
  });

  it('follows a change of the fields that conditions are about', async () => {
    await makePolicy('VIP', { conditions: { all: [{ field: 'tags', operator: 'has_any', value: ['vip'] }] } });
    const { id } = await makeTicket(api);
    expect(minutesAllowed(await ticketOf(id))).toBe(1_440);
    expect(minutesAllowed((await api.patch(`/tickets/${id}`, { tags: 'vip' })).data)).toBe(20);
    expect(minutesAllowed((await api.patch(`/tickets/${id}`, { tags: '' })).data)).toBe(1_440);
  });
});
