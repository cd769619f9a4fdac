import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { make } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { insist } from '../support/insist';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let home: TestWorkspace;
let serial = 0;
beforeAll(async () => {
  home = await makeWorkspace(server);
});

const pipeline = (body: Record<string, unknown> = {}): Promise<Fields> => make(home.api, '/crm/pipelines', body);
const get = async (id: number): Promise<Fields> => (await home.api.get(`/crm/pipelines/${id}`)).expect(200).data;
const stagesOf = (shown: Fields): Fields[] => shown.stages as Fields[];
const named = (shown: Fields, name: string): number => stagesOf(shown).find((stage) => stage.name === name)?.id ?? 0;
const deal = async (body: Record<string, unknown>): Promise<Fields> =>
  (await home.api.post('/crm/deals', { title: `Deal ${++serial}`, ...body })).expect(201).data;
const types = async (object: string, id: number): Promise<string[]> =>
  (await eventsOf(server, home, object, id)).map((event) => event.type);

describe('the pipelines of a workspace', () => {
  it('begin with one, as the product says', async () => {
    const { api } = await makeWorkspace(server);
    const [sales, ...others] = (await api.get('/crm/pipelines')).expect(200).rows;
    expect(others).toEqual([]);
    expect(sales).toMatchObject({ name: 'Sales', is_default: true, is_active: true, currency: null, open_value: 0 });
    expect(
      stagesOf(sales as Fields).map(({ name, type, probability, position }) => [name, type, probability, position]),
    ).toEqual([
      ['Qualification', 'open', 10, 1],
      ['Demo', 'open', 25, 2],
      ['Proposal', 'open', 50, 3],
      ['Negotiation', 'open', 70, 4],
      ['Won', 'won', 100, 5],
      ['Lost', 'lost', 0, 6],
    ]);
  });

  it('are created with their stages, which the answer, the event and the routes of stages show alike', async () => {
    const made = await pipeline({
      stages: [
        { name: 'First', color: '#2f80ed' },
        { name: 'Second', probability: 80, rotten_days: 5 },
      ],
    });
    expect(stagesOf(made).map(({ name, probability }) => [name, probability])).toEqual([
      ['First', 33],
      ['Second', 80],
      ['Won', 100],
      ['Lost', 0],
    ]);
    const [created] = await eventsOf(server, home, 'pipeline', made.id);
    expect(created?.data).toEqual(made);
    const listed = (await home.api.get(`/crm/pipelines/${made.id}/stages`)).expect(200);
    expect(listed.rows).toEqual(stagesOf(made));
    expect((await home.api.get(`/crm/stages?pipeline_id=${made.id}`)).rows).toEqual(stagesOf(made));
    for (const stage of stagesOf(made)) {
      expect((await home.api.get(`/crm/stages/${stage.id}`)).data).toEqual(stage);
      expect(await types('stage', stage.id)).toEqual(['stage.created']);
    }
    expect((await home.api.get('/crm/pipelines/999999999/stages')).status).toBe(404);
  });

  it.each<[string, unknown, Record<string, string>]>([
    ['no open stage', [{ name: 'Won', type: 'won' }], { stages: 'min' }],
    ['two of a name', [{ name: 'A' }, { name: 'a' }], { 'stages.1.name': 'duplicate' }],
    [
      'two won stages',
      [{ name: 'A' }, { name: 'B', type: 'won' }, { name: 'C', type: 'won' }],
      { 'stages.2.type': 'duplicate' },
    ],
    ['no list', 'A', { stages: 'type' }],
    ['a stage without a name', [{ probability: 5 }], { 'stages.0.name': 'required' }],
    ['an unknown member', [{ name: 'A', id: 7 }], { 'stages.0.id': 'unknown_field' }],
  ])('are refused with %s', async (_name, stages, codes) => {
    const total = (await home.api.get('/crm/pipelines')).meta.total;
    const answer = (await home.api.post('/crm/pipelines', { name: `Refused ${++serial}`, stages })).expect(422);
    expect(answer.codes).toEqual(codes);
    expect(answer.error.missing ?? []).toEqual(Object.keys(codes).filter((name) => codes[name] === 'required'));
    expect((await home.api.get('/crm/pipelines')).meta.total).toBe(total);
  });

  it('have names of their own, case aside', async () => {
    const { name } = await pipeline();
    const answer = await home.api.post('/crm/pipelines', { name: String(name).toUpperCase() });
    expect([answer.status, answer.codes]).toEqual([422, { name: 'duplicate' }]);
  });

  it('count and add up their open deals, by currency', async () => {
    const { id } = await pipeline({ currency: 'USD' });
    await deal({ pipeline_id: id, value: 10.5 });
    await deal({ pipeline_id: id, value: 4.5 });
    await deal({ pipeline_id: id, value: 7, currency: 'EUR' });
    await deal({ pipeline_id: id, value: 99, status: 'won' });
    expect(await get(id)).toMatchObject({ open_deal_count: 3, open_value: 15, open_values: { EUR: 7, USD: 15 } });
    expect(stagesOf(await get(id)).map(({ deal_count }) => deal_count)).toEqual([3, 0, 0, 0, 1, 0]);
  });
});

describe('the default pipeline', () => {
  it('is another one as soon as one is made it, and is never none', async () => {
    const { api } = home;
    const [former] = (await api.get('/crm/pipelines?is_default=true')).rows;
    const made = await pipeline({ is_default: true });
    expect((await api.get('/crm/pipelines?is_default=true')).rows.map(({ id }) => id)).toEqual([made.id]);
    expect((await types('pipeline', former?.id ?? 0)).at(-1)).toBe('pipeline.updated');
    expect((await api.patch(`/crm/pipelines/${made.id}`, { is_default: false })).expect(422).codes).toEqual({
      is_default: 'is_default',
    });
    expect((await api.patch(`/crm/pipelines/${made.id}`, { is_active: false })).expect(422).codes).toEqual({
      is_active: 'is_default',
    });
    expect((await api.delete(`/crm/pipelines/${made.id}`)).expect(422).codes).toEqual({ id: 'is_default' });
    expect((await deal({})).pipeline_id).toBe(made.id);
    (await api.patch(`/crm/pipelines/${former?.id}`, { is_default: true })).expect(200);
    expect((await get(made.id)).is_default).toBe(false);
  });

  it('is exactly one after many were made it at once', async () => {
    const place = await makeWorkspace(server);
    const made = await Promise.all([1, 2, 3, 4].map(() => make(place.api, '/crm/pipelines')));
    const answers = await Promise.all([
      ...made.map(({ id }) => insist(() => place.api.patch(`/crm/pipelines/${id}`, { is_default: true }))),
      insist(() => place.api.post('/crm/pipelines', { name: 'Also', is_default: true })),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 201]);
    expect((await place.api.get('/crm/pipelines?is_default=true')).meta.total).toBe(1);
  });

  it('cannot be inactive from the beginning', async () => {
    const body = { name: 'x', is_default: true, is_active: false };
    expect((await home.api.post('/crm/pipelines', body)).expect(422).codes).toEqual({ is_active: 'is_default' });
  });
});

it('an inactive pipeline takes no deals', async () => {
  const { id } = await pipeline({ is_active: false });
  const refused = await home.api.post('/crm/deals', { title: 'x', pipeline_id: id });
  expect([refused.status, refused.codes]).toEqual([422, { pipeline_id: 'inactive' }]);
});

describe('deleting a pipeline', () => {
  it('is refused while it has deals, unless they are moved, each to where it belongs', async () => {
    const [old, heir] = [
      await pipeline(),
      await pipeline({ stages: [{ name: 'Only', probability: 42, rotten_days: 9 }] }),
    ];
    const demo = named(old, 'Demo');
    const open = await deal({ stage_id: demo });
    const own = await deal({ stage_id: demo, probability: 88 });
    const won = await deal({ pipeline_id: old.id, status: 'won' });
    const lost = await deal({ pipeline_id: old.id, status: 'lost', lost_reason: 'Price' });
    const path = `/crm/pipelines/${old.id}`;
    expect((await home.api.delete(path)).expect(422).error.details).toEqual([
      expect.objectContaining({ field: 'id', code: 'in_use', deals: 4 }),
    ]);
    for (const [value, code] of [
      ['x', 'type'],
      [String(old.id), 'invalid'],
      ['999999999', 'not_found'],
    ]) {
      expect((await home.api.delete(`${path}?move_to_pipeline=${value}`)).expect(422).codes).toEqual({
        move_to_pipeline: code,
      });
    }
    expect((await home.api.delete(`${path}?move_to_pipeline=${heir.id}`)).expect(200).data.id).toBe(old.id);
    expect((await home.api.get(path)).status).toBe(404);
    expect((await home.api.get(`/crm/stages/${demo}`)).status).toBe(404);
    const at = async ({ id }: Fields): Promise<unknown[]> => {
      const { pipeline_id, stage_id, status, probability } = (await home.api.get(`/crm/deals/${id}`)).data;
      return [
        pipeline_id === heir.id,
        stagesOf(heir).find((stage) => stage.id === stage_id)?.name,
        status,
        probability,
      ];
    };
    const movedAt = async ({ id }: Fields): Promise<unknown> =>
      (await home.api.get(`/crm/deals/${id}`)).data.stage_changed_at;
    expect([await at(open), await at(own), await at(won), await at(lost)]).toEqual([
      [true, 'Only', 'open', 42],
      [true, 'Only', 'open', 88],
      [true, 'Won', 'won', 100],
      [true, 'Lost', 'lost', 0],
    ]);
    expect(await types('deal', open.id)).toEqual(['deal.created', 'deal.updated', 'deal.stage_changed']);
    expect((await eventsOf(server, home, 'deal', open.id)).at(-1)?.changes).toEqual({
      stage_id: { from: demo, to: named(heir, 'Only') },
      pipeline_id: { from: old.id, to: heir.id },
      probability: { from: 25, to: 42 },
      stage_changed_at: { from: open.stage_changed_at, to: await movedAt(open) },
    });
    const history = (await home.api.get(`/crm/deals/${open.id}/history`)).rows;
    expect(
      history.map(({ from_stage_name, to_stage_id, to_stage_name }) => [from_stage_name, to_stage_id, to_stage_name]),
    ).toEqual([
      [null, null, 'Demo'],
      ['Demo', named(heir, 'Only'), 'Only'],
    ]);
    expect((await home.api.patch(`/crm/deals/${won.id}`, { status: 'open' })).expect(200).data.stage_id).toBe(
      named(heir, 'Only'),
    );
  });

  it('leaves no deal behind that came in meanwhile', async () => {
    const [old, heir] = [await pipeline(), await pipeline()];
    const come = (index: number) =>
      insist(() => home.api.post('/crm/deals', { title: `Race ${index}`, pipeline_id: old.id }));
    const answers = await Promise.all([
      ...[1, 2, 3].map(come),
      insist(() => home.api.delete(`/crm/pipelines/${old.id}?move_to_pipeline=${heir.id}`)),
      ...[4, 5, 6].map(come),
    ]);
    expect(answers[3]?.status).toBe(200);
    const made = answers.filter(({ status }) => status === 201).length;
    expect(answers.filter(({ status }) => status === 422).map(({ codes }) => codes)).toEqual(
      Array(6 - made).fill({ pipeline_id: 'not_found' }),
    );
    expect((await home.api.get(`/crm/deals?pipeline_id=${heir.id}`)).meta.total).toBe(made);
  });
});
