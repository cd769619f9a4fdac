import type { Api, Fields } from '../support/api';
import { useApp } from '../support/app';
import { make, makeTicket } from '../support/cast';
import { letPass, rested } from '../support/sandbox';
import { detailOf, targets } from '../support/sla';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let workspace: TestWorkspace;
let api: Api;
beforeEach(async () => {
  workspace = await makeWorkspace(server, { sandbox: true });
  ({ api } = workspace);
});

const DAY = 86_400;

async function policy(name: string, body: object = {}): Promise<Fields> {
  return (await api.post('/sla', { name, targets: targets(10, 20), ...body })).expect(201).data;
}
async function policyOf(id: number): Promise<unknown[]> {
  const { policy: found } = await detailOf(api, id);
  return [found?.name, found?.matched_by];
}
const today = async (): Promise<string> =>
  ((await api.get('/sandbox/clock')).expect(200).data.now as string).slice(0, 10);

/** Of no concern to any ticket here. */
const unrelated = { conditions: { all: [{ field: 'subject', operator: 'eq', value: 'nothing of the kind' }] } };

describe.each([
  ['alone', false],
  ['beside an unrelated policy with conditions', true],
])('with its policy %s, a ticket that is changed', (_, beside) => {
  beforeEach(async () => {
    if (beside) await policy('Other', unrelated);
  });

  it('leaves a policy whose last day is over', async () => {
    await policy('Season', { position: 1, ends_on: await today() });
    const { id } = await makeTicket(api);
    expect(await policyOf(id)).toEqual(['Season', 'conditions']);
    await letPass(workspace, 2 * DAY);
    (await api.patch(`/tickets/${id}`, { tags: 'a' })).expect(200);
    expect(await policyOf(id)).toEqual(['Standard', 'default']);
  });

  it('comes to a policy whose first day has come', async () => {
    const first = new Date(Date.parse(await today()) + DAY * 1000).toISOString().slice(0, 10);
    await policy('Season', { position: 1, starts_on: first });
    const { id } = await makeTicket(api);
    expect(await policyOf(id)).toEqual(['Standard', 'default']);
    await letPass(workspace, 2 * DAY);
    (await api.patch(`/tickets/${id}`, { status: 'in_progress' })).expect(200);
    expect(await policyOf(id)).toEqual(['Standard', 'default']);
    (await api.patch(`/tickets/${id}`, { priority: 'high' })).expect(200);
    expect(await policyOf(id)).toEqual(['Season', 'conditions']);
  });
});

describe.each([
  ['company', '/companies', 'company_id'],
  ['category', '/categories', 'category_id'],
])('open tickets of a %s', (by, path, column) => {
  it('follow when it names another policy, or none', async () => {
    const [gold, silver] = [await policy('Gold'), await policy('Silver', { targets: targets(30, 60) })];
    await policy('Fallback', { position: 1 });
    const owner = await make(api, path, {});
    const [open, done, other] = [
      await makeTicket(api, { [column]: owner.id }),
      await makeTicket(api, { [column]: owner.id, status: 'resolved' }),
      await makeTicket(api),
    ];
    const names = async (id: unknown): Promise<void> => {
      (await api.patch(`${path}/${owner.id}`, { sla_policy_id: id })).expect(200);
      await rested(workspace);
    };
    await names(gold.id);
    expect(await policyOf(open.id)).toEqual(['Gold', by]);
    await names(silver.id);
    expect(await policyOf(open.id)).toEqual(['Silver', by]);
    const { created_at, sla_due_at } = (await api.get(`/tickets/${open.id}`)).data;
    expect(Date.parse(sla_due_at as string) - Date.parse(created_at as string)).toBe(60 * 60_000);
    await names(null);
    expect(await policyOf(open.id)).toEqual(['Fallback', 'conditions']);
    for (const { id } of [done, other]) expect(await policyOf(id)).toEqual(['Fallback', 'conditions']);
    const before = (await api.get(`/tickets/${open.id}`)).data;
    (await api.patch(`${path}/${owner.id}`, { name: 'Another' })).expect(200);
    await rested(workspace);
    expect((await api.get(`/tickets/${open.id}`)).data).toEqual(before);
  });
});
