import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { make } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { insist } from '../support/insist';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
let home: TestWorkspace;
let serial = 0;
beforeAll(async () => {
  home = await makeWorkspace(server);
});

const pipeline = (body: Record<string, unknown> = {}): Promise<Fields> => make(home.api, '/crm/pipelines', body);
const get = async (id: number): Promise<Fields> => (await home.api.get(`/crm/pipelines/${id}`)).expect(200).data;
const stagesOf = (shown: Fields): Fields[] => shown.stages as Fields[];
const named = (shown: Fields, name: string): number => stagesOf(shown).find((stage) => stage.name === name)?.id ?? 0;
const order = async (id: number): Promise<unknown[]> => stagesOf(await get(id)).map(({ name }) => name);
const deal = async (body: Record<string, unknown>): Promise<Fields> =>
  (await home.api.post('/crm/deals', { title: `Deal ${++serial}`, ...body })).expect(201).data;
const types = async (object: string, id: number): Promise<string[]> =>
  (await eventsOf(server, home, object, id)).map((event) => event.type);

describe('the stages of a pipeline', () => {
  it('are in order without gaps, wherever one is put, moved or deleted', async () => {
    const { id } = await pipeline({ stages: [{ name: 'A' }, { name: 'B' }] });
    const post = async (body: object): Promise<Fields> =>
      (await home.api.post(`/crm/pipelines/${id}/stages`, body)).expect(201).data;
    const last = await post({ name: 'C', rotten_days: 3 });
    expect([last.position, last.probability, last.pipeline_id]).toEqual([3, 67, id]);
    const first = await post({ name: 'Z', position: 1 });
    expect([first.position, first.probability]).toEqual([1, 0]);
    expect(await order(id)).toEqual(['Z', 'A', 'B', 'C', 'Won', 'Lost']);
    expect((await home.api.patch(`/crm/stages/${first.id}`, { position: 99 })).expect(200).data.position).toBe(6);
    expect(await order(id)).toEqual(['A', 'B', 'C', 'Won', 'Lost', 'Z']);
    (await home.api.patch(`/crm/stages/${last.id}`, { position: 1 })).expect(200);
    (await home.api.delete(`/crm/stages/${first.id}`)).expect(200);
    expect(await order(id)).toEqual(['C', 'A', 'B', 'Won', 'Lost']);
    expect(stagesOf(await get(id)).map(({ position }) => position)).toEqual([1, 2, 3, 4, 5]);
    expect((await eventsOf(server, home, 'stage', last.id)).at(-1)?.changes).toEqual({ position: { from: 3, to: 1 } });
  });

  it('have names of their own in the pipeline, case aside', async () => {
    const [one, other] = [await pipeline(), await pipeline()];
    const body = { name: 'DEMO' };
    expect((await home.api.post(`/crm/pipelines/${one.id}/stages`, body)).expect(422).codes).toEqual({
      name: 'duplicate',
    });
    (await home.api.patch(`/crm/stages/${named(other, 'Demo')}`, { name: 'Show' })).expect(200);
    (await home.api.post(`/crm/pipelines/${other.id}/stages`, body)).expect(201);
  });

  it('are one for won and one for lost deals, always', async () => {
    const { id, ...shown } = await pipeline();
    const [won, lost] = [named({ id, ...shown }, 'Won'), named({ id, ...shown }, 'Lost')];
    const answers = await Promise.all(
      ['won', 'lost', 'won', 'lost'].map((type, index) =>
        insist(() => home.api.post('/crm/stages', { name: `Extra ${index}`, pipeline_id: id, type })),
      ),
    );
    expect(answers.map(({ status, codes }) => [status, codes])).toEqual(Array(4).fill([422, { type: 'duplicate' }]));
    for (const stage of [won, lost]) {
      const refused = (await home.api.delete(`/crm/stages/${stage}`)).expect(422);
      // Nothing is missing of the request.
      expect([refused.codes, refused.error.missing]).toEqual([{ id: 'last_stage' }, undefined]);
      expect((await home.api.patch(`/crm/stages/${stage}`, { type: 'open' })).expect(422).codes).toEqual({
        type: 'immutable',
      });
      expect((await home.api.patch(`/crm/stages/${stage}`, { rotten_days: 5 })).expect(422).codes).toEqual({
        rotten_days: 'invalid',
      });
    }
    expect(
      (await home.api.patch(`/crm/stages/${won}`, { probability: 5, name: 'Signed' })).expect(200).data,
    ).toMatchObject({
      probability: 100,
      name: 'Signed',
    });
    expect((await home.api.patch(`/crm/stages/${lost}`, { probability: 5 })).expect(200).data.probability).toBe(0);
    const insert = `INSERT INTO stages (workspace_id, pipeline_id, name, type, probability) VALUES ($1, $2, 'Second', 'won', 100)`;
    await expect(sql.rows(insert, [home.id, id])).rejects.toThrow('uq_stages_type');
  });

  it('hand their probability on to the deals that follow them', async () => {
    const shown = await pipeline();
    const demo = named(shown, 'Demo');
    const [follower, own] = [
      await deal({ stage_id: demo, value: 100 }),
      await deal({ stage_id: demo, probability: 90 }),
    ];
    (await home.api.patch(`/crm/stages/${demo}`, { probability: 35 })).expect(200);
    const probability = async ({ id }: Fields): Promise<unknown> =>
      (await home.api.get(`/crm/deals/${id}`)).data.probability;
    expect([await probability(follower), await probability(own)]).toEqual([35, 90]);
    expect((await home.api.get(`/crm/deals/${follower.id}`)).data.weighted_value).toBe(35);
    expect((await eventsOf(server, home, 'deal', follower.id)).at(-1)).toMatchObject({
      type: 'deal.updated',
      changes: { probability: { from: 25, to: 35 } },
    });
    expect(await types('deal', own.id)).toEqual(['deal.created']);
  });

  it('are deleted when they are empty, or when their deals are moved', async () => {
    const [shown, other] = [await pipeline(), await pipeline()];
    const [demo, proposal] = [named(shown, 'Demo'), named(shown, 'Proposal')];
    const moved = await deal({ stage_id: demo });
    const first = await deal({ stage_id: demo, position: -3.5 });
    const there = await deal({ stage_id: proposal, position: 7.5 });
    const path = `/crm/stages/${demo}`;
    expect((await home.api.delete(path)).expect(422).error.details?.[0]).toMatchObject({ code: 'in_use', deals: 2 });
    for (const [heir, code] of [
      ['x', 'type'],
      [demo, 'invalid'],
      [named(shown, 'Won'), 'invalid'],
      [named(other, 'Demo'), 'invalid'],
      [999_999_999, 'not_found'],
    ]) {
      expect((await home.api.delete(`${path}?move_deals_to=${heir}`)).expect(422).codes).toEqual({
        move_deals_to: code,
      });
    }
    (await home.api.delete(`${path}?move_deals_to=${proposal}`)).expect(200);
    expect((await home.api.get(`/crm/deals/${moved.id}`)).data).toMatchObject({ stage_id: proposal, probability: 50 });
    expect(await types('deal', moved.id)).toEqual(['deal.created', 'deal.updated', 'deal.stage_changed']);
    const after = (await home.api.get(`/crm/deals/${moved.id}`)).expect(200).data;
    const told = (await eventsOf(server, home, 'deal', moved.id)).at(-1);
    expect(told?.changes).toMatchObject({
      stage_id: { from: demo, to: proposal },
      stage_changed_at: { from: moved.stage_changed_at, to: after.stage_changed_at },
      position: { from: 1, to: 13 },
    });
    const board = await home.api.get(`/crm/deals?stage_id=${proposal}&sort=position`);
    expect(board.rows.map(({ id, position }) => [id, position])).toEqual([
      [there.id, 7.5],
      [first.id, 8.5],
      [moved.id, 13],
    ]);
    for (const name of ['Qualification', 'Negotiation']) {
      (await home.api.delete(`/crm/stages/${named(shown, name)}`)).expect(200);
    }
    const refused = await home.api.delete(`/crm/stages/${proposal}?move_deals_to=${proposal}`);
    expect([refused.status, refused.codes]).toEqual([422, { id: 'last_stage' }]);
    expect(await order(shown.id)).toEqual(['Proposal', 'Won', 'Lost']);
  });

  it('keep one open among them when all are deleted at once', async () => {
    const shown = await pipeline();
    const open = stagesOf(shown).filter(({ type }) => type === 'open');
    const answers = await Promise.all(open.map(({ id }) => insist(() => home.api.delete(`/crm/stages/${id}`))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 422]);
    expect((await order(shown.id)).length).toBe(3);
  });
});

describe('reordering', () => {
  it('takes every stage once, in any order', async () => {
    const shown = await pipeline();
    const ids = stagesOf(shown).map(({ id }) => id);
    const path = `/crm/pipelines/${shown.id}/stages/reorder`;
    const before = await home.api.get(`/crm/pipelines/${shown.id}`);
    const reversed = (await home.api.post(path, { stage_ids: ids.toReversed() })).expect(200);
    expect(stagesOf(reversed.data).map(({ id }) => id)).toEqual(ids.toReversed());
    expect(reversed.data).toEqual(await get(shown.id));
    const stale = { 'if-match': before.header('etag') ?? '' };
    expect((await home.api.post(path, { stage_ids: ids }, stale)).status).toBe(412);
    const same = (await home.api.post(path, { stage_ids: ids.toReversed() })).expect(200);
    expect(same.header('etag')).toBe(reversed.header('etag'));
    expect(await types('stage', ids[0] ?? 0)).toEqual(['stage.created', 'stage.updated']);
    expect(await types('pipeline', shown.id)).toEqual(['pipeline.created', 'pipeline.updated']);
    expect((await deal({ pipeline_id: shown.id })).stage_id).toBe(named(shown, 'Negotiation'));
  });

  it('refuses what is no permutation', async () => {
    const [shown, other] = [await pipeline(), await pipeline()];
    const ids = stagesOf(shown).map(({ id }) => id);
    const refused = async (stage_ids: unknown): Promise<unknown> =>
      (await home.api.post(`/crm/pipelines/${shown.id}/stages/reorder`, { stage_ids })).expect(422).codes;
    expect(await refused(ids.slice(1))).toEqual({ stage_ids: 'permutation' });
    expect(await refused([...ids.slice(1), named(other, 'Demo')])).toEqual({ stage_ids: 'not_found' });
    expect(await refused([...ids.slice(1), ids[1]])).toHaveProperty('stage_ids');
    expect(await refused('all')).toHaveProperty('stage_ids');
    expect(await order(shown.id)).toEqual(stagesOf(shown).map(({ name }) => name));
  });

  it('leaves one of the orders that were asked for at once', async () => {
    const shown = await pipeline();
    const ids = stagesOf(shown).map(({ id }) => id);
    const orders = [ids.toReversed(), [...ids.slice(1), ids[0]], [...ids.slice(3), ...ids.slice(0, 3)]];
    const path = `/crm/pipelines/${shown.id}/stages/reorder`;
    const answers = await Promise.all(orders.map((stage_ids) => insist(() => home.api.post(path, { stage_ids }))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(orders).toContainEqual(stagesOf(await get(shown.id)).map(({ id }) => id));
  });
});
