import fc from 'fast-check';
import { DealsService } from '../../src/areas/crm/deals/deals.service';
import { Database } from '../../src/platform/database/database';
import { minorDigits } from '../../src/platform/money/currency';
import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { make, makeTicket, makeUser } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { insist } from '../support/insist';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
let home: TestWorkspace;
let sales: Fields;
let partners: Fields;
beforeAll(async () => {
  home = await makeWorkspace(server);
  sales = (await home.api.get('/crm/pipelines')).rows[0] as Fields;
  const body = { name: 'Partners', currency: 'JPY', stages: [{ name: 'First', rotten_days: 7 }, { name: 'Second' }] };
  partners = (await home.api.post('/crm/pipelines', body)).expect(201).data;
});

const create = (body: Record<string, unknown>) => home.api.post('/crm/deals', { title: 'Seats', ...body });
const deal = async (body: Record<string, unknown> = {}): Promise<Fields> => (await create(body)).expect(201).data;
const get = async (id: number): Promise<Fields> => (await home.api.get(`/crm/deals/${id}`)).expect(200).data;
const patch = (id: number, body: Record<string, unknown>) => home.api.patch(`/crm/deals/${id}`, body);
const stageOf = (pipeline: Fields, index: number): number => (pipeline.stages as Fields[])[index]?.id ?? 0;
const types = async (id: number): Promise<string[]> =>
  (await eventsOf(server, home, 'deal', id)).map((event) => event.type);

describe('fields of a deal', () => {
  it('has defaults for everything but a title', async () => {
    expect(await deal()).toMatchObject({
      value: 0,
      currency: 'EUR',
      pipeline_id: sales.id,
      stage_id: stageOf(sales, 0),
      status: 'open',
      probability: 10,
      weighted_value: 0,
      owner_id: null,
      is_rotten: false,
      quote_ids: [],
      closed_at: null,
      first_won_at: null,
    });
  });

  it('has the currency of its pipeline, and a value in whole minor units', async () => {
    expect((await deal({ pipeline_id: partners.id, value: 1_000 })).currency).toBe('JPY');
    expect((await create({ pipeline_id: partners.id, value: 0.5 })).expect(422).codes).toEqual({ value: 'format' });
    const { id } = await deal({ value: 10.25 });
    expect((await patch(id, { currency: 'JPY' })).expect(422).codes).toEqual({ value: 'format' });
    expect((await patch(id, { pipeline_id: partners.id })).expect(200).data).toMatchObject({
      currency: 'EUR',
      value: 10.25,
    });
  });

  it('is weighted by its probability, rounded to the minor unit of its currency', async () => {
    const cases = fc.record({
      currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
      minor: fc.nat(99_999_999),
      probability: fc.nat(100),
    });
    const { id } = await deal();
    await fc.assert(
      fc.asyncProperty(cases, async ({ currency, minor, probability }) => {
        const unit = 10 ** minorDigits(currency);
        const body = { currency, value: minor / unit, probability };
        const shown = (await patch(id, body)).expect(200).data;
        // Half away from zero, in whole numbers.
        const weighted = Math.floor((minor * probability * 2 + 100) / 200);
        expect(Math.round((shown.weighted_value as number) * unit)).toBe(weighted);
      }),
      { numRuns: 25, endOnFailure: true },
    );
  });

  it('is given to active users only, and stays without whom and what goes', async () => {
    const [owner, gone] = [await makeUser(home.api), await makeUser(home.api)];
    (await home.api.delete(`/users/${gone.id}`)).expect(200);
    expect((await create({ owner_id: gone.id })).expect(422).codes).toEqual({ owner_id: 'inactive' });
    const [company, contact] = [await make(home.api, '/companies'), await make(home.api, '/contacts')];
    const ticket = await makeTicket(home.api);
    const references = { company_id: company.id, contact_id: contact.id, ticket_id: ticket.id, owner_id: owner.id };
    const { id } = await deal(references);
    expect((await patch(id, { owner_id: gone.id })).expect(422).codes).toEqual({ owner_id: 'inactive' });
    const expanded = (await home.api.get(`/crm/deals/${id}?expand=company,contact,owner,pipeline,stage,ticket`)).data;
    expect((expanded.pipeline as Fields).stages).toHaveLength(6);
    expect((expanded.stage as Fields).name).toBe('Qualification');
    for (const path of [`/companies/${company.id}`, `/contacts/${contact.id}`, `/tickets/${ticket.id}`]) {
      (await home.api.delete(path)).expect(200);
    }
    expect(await get(id)).toMatchObject({ company_id: null, contact_id: null, ticket_id: null, owner_id: owner.id });
  });

  it('behind the last place that there is lies there, too', async () => {
    const { api } = await makeWorkspace(server);
    (await api.post('/crm/deals', { title: 'x', position: 99_999_999_999 })).expect(201);
    const last = (await api.post('/crm/deals', { title: 'y' })).expect(201).data;
    expect((await api.patch(`/crm/deals/${last.id}`, last)).expect(200).data.position).toBe(99_999_999_999);
    (await api.post('/crm/pipelines', { name: 'Far', position: 1_000_000 })).expect(201);
    const pipeline = (await api.post('/crm/pipelines', { name: 'Further' })).expect(201).data;
    expect((await api.patch(`/crm/pipelines/${pipeline.id}`, pipeline)).expect(200).data.position).toBe(1_000_000);
  });

  it('lies at the end of its stage, unless it is put between two others', async () => {
    const place = await makeWorkspace(server);
    const post = async (body: object): Promise<Fields> =>
      (await place.api.post('/crm/deals', { title: 'x', ...body })).expect(201).data;
    const [first, second] = [await post({}), await post({})];
    const between = await post({ position: ((first.position as number) + (second.position as number)) / 2 });
    const last = await post({});
    const board = async (stage: unknown): Promise<number[]> =>
      (await place.api.get(`/crm/deals?stage_id=${String(stage)}&sort=position`)).rows.map(({ id }) => id);
    expect(await board(first.stage_id)).toEqual([first.id, between.id, second.id, last.id]);
    const [pipeline] = (await place.api.get('/crm/pipelines')).rows;
    const demo = stageOf(pipeline as Fields, 1);
    for (const id of [second.id, first.id]) (await place.api.patch(`/crm/deals/${id}`, { stage_id: demo })).expect(200);
    expect(await board(demo)).toEqual([second.id, first.id]);
  });
});

describe('the life of a deal', () => {
  it('is told by its events and its history', async () => {
    const user = { stage: stageOf(sales, 0) };
    const { id } = await deal();
    (await patch(id, { stage_id: stageOf(sales, 2) })).expect(200);
    (await patch(id, { pipeline_id: partners.id })).expect(200);
    (await patch(id, { status: 'won' })).expect(200);
    (await patch(id, { status: 'open' })).expect(200);
    (await patch(id, { stage_id: stageOf(partners, 3), lost_reason: 'Price' })).expect(200);
    expect(await types(id)).toEqual([
      'deal.created',
      ...['deal.updated', 'deal.stage_changed'],
      ...['deal.updated', 'deal.stage_changed'],
      ...['deal.updated', 'deal.stage_changed', 'deal.won'],
      ...['deal.updated', 'deal.stage_changed', 'deal.reopened'],
      ...['deal.updated', 'deal.stage_changed', 'deal.lost'],
    ]);
    const history = (await home.api.get(`/crm/deals/${id}/history?expand=to_stage`)).expect(200).rows;
    expect(history.map(({ from_stage_name, to_stage_name }) => [from_stage_name, to_stage_name])).toEqual([
      [null, 'Qualification'],
      ['Qualification', 'Proposal'],
      ['Proposal', 'First'],
      ['First', 'Won'],
      ['Won', 'First'],
      ['First', 'Lost'],
    ]);
    expect(history.map(({ to_stage }) => (to_stage as Fields).name)).toEqual(history.map((row) => row.to_stage_name));
    expect(history[0]).toMatchObject({ from_stage_id: null, to_stage_id: user.stage });
    expect((history[1]?.actor as { type: string }).type).toBe('token');
    expect(history.map(({ left_at }) => left_at)).toEqual([
      ...history.slice(1).map(({ created_at }) => created_at),
      null,
    ]);
    expect(history.every(({ seconds_in_stage }) => Number.isInteger(seconds_in_stage))).toBe(true);
    expect((await get(id)).stage_changed_at).toBe(history.at(-1)?.created_at);
    expect((await home.api.get(`/crm/deals/${id}/history?to_stage_id=${stageOf(sales, 2)}`)).meta.total).toBe(1);
    expect((await home.api.get(`/crm/deals/${id}/history?created_after=2100-01-01`)).expect(200).rows).toEqual([]);
    expect((await home.api.get('/crm/deals/999999999/history')).status).toBe(404);
  });

  it('counts whole seconds in a stage', async () => {
    const { id } = await deal();
    await sql.rows(`UPDATE deal_stage_changes SET created_at = now() - interval '90.7 seconds' WHERE deal_id = $1`, [
      id,
    ]);
    const seconds = (await home.api.get(`/crm/deals/${id}/history`)).rows[0]?.seconds_in_stage as number;
    expect(seconds).toBeGreaterThanOrEqual(90);
    (await patch(id, { status: 'won' })).expect(200);
    const [first] = (await home.api.get(`/crm/deals/${id}/history`)).rows;
    const stay = (Date.parse(first?.left_at as string) - Date.parse(first?.created_at as string)) / 1000;
    expect(first?.seconds_in_stage).toBe(Math.floor(stay));
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>, Record<string, string>]>([
    ['won to lost', { status: 'won' }, { status: 'lost', lost_reason: 'x' }, { status: 'invalid_transition' }],
    ['lost to won', { status: 'lost', lost_reason: 'x' }, { status: 'won' }, { status: 'invalid_transition' }],
    ['lost without a reason', {}, { status: 'lost' }, { lost_reason: 'required' }],
    ['lost for what shows nothing', {}, { status: 'lost', lost_reason: ' \u200b' }, { lost_reason: 'required' }],
    ['a reason without being lost', {}, { lost_reason: 'x' }, { lost_reason: 'invalid' }],
    ['another probability when won', { status: 'won' }, { probability: 50 }, { probability: 'invalid' }],
    ['what the service sets', {}, { won_at: '2026-01-01T00:00:00.000Z' }, { won_at: 'immutable' }],
  ])('refuses %s', async (_name, body, change, codes) => {
    const before = await deal(body);
    expect((await patch(before.id, change)).expect(422).codes).toEqual(codes);
    expect(await get(before.id)).toEqual(before);
  });

  it('refuses a stage of another pipeline, and a move of a closed deal', async () => {
    const { id } = await deal({ status: 'won' });
    const foreign = { pipeline_id: sales.id, stage_id: stageOf(partners, 0) };
    expect((await patch(id, foreign)).expect(422).codes).toEqual({ stage_id: 'invalid' });
    expect((await create(foreign)).expect(422).codes).toEqual({ stage_id: 'invalid' });
    expect((await patch(id, { stage_id: stageOf(sales, 1) })).expect(422).codes).toEqual({ stage_id: 'closed' });
    expect((await patch(id, { pipeline_id: partners.id })).expect(422).codes).toEqual({ pipeline_id: 'closed' });
    const reopened = (await patch(id, { status: 'open', stage_id: stageOf(sales, 1) })).expect(200).data;
    expect(reopened).toMatchObject({ status: 'open', won_at: null, closed_at: null, probability: 25 });
    expect(reopened.first_won_at).not.toBeNull();
  });

  it('takes back what it answered, changed in one place, as that one change', async () => {
    const { id } = await deal({ probability: 33 });
    const won = (await patch(id, { ...(await get(id)), status: 'won' })).expect(200).data;
    expect(won).toMatchObject({ status: 'won', stage_id: stageOf(sales, 4), probability: 100 });
    const open = (await patch(id, { ...won, status: 'open' })).expect(200).data;
    expect(open).toMatchObject({ stage_id: stageOf(sales, 0), probability: 33 });
  });
});

describe('a rotten deal', () => {
  it('has been in its stage for longer than the stage allows, from that moment on', async () => {
    const { id } = await deal({ pipeline_id: partners.id });
    const age = (days: number) =>
      sql.rows(
        `UPDATE deals SET stage_changed_at = now() - make_interval(days => $2), rots_at = now() - make_interval(days => $2) + interval '7 days' WHERE id = $1`,
        [id, days],
      );
    const rotten = async (): Promise<unknown[]> => [
      (await get(id)).is_rotten,
      (await home.api.get(`/crm/deals?rotten=true&ids=${id}`)).meta.total,
      (await home.api.get(`/crm/deals?rotten=false&ids=${id}`)).meta.total,
    ];
    await age(6);
    expect(await rotten()).toEqual([false, 0, 1]);
    await age(8);
    expect(await rotten()).toEqual([true, 1, 0]);
    (await home.api.patch(`/crm/stages/${stageOf(partners, 0)}`, { rotten_days: 30 })).expect(200);
    expect(await rotten()).toEqual([false, 0, 1]);
    (await home.api.patch(`/crm/stages/${stageOf(partners, 0)}`, { rotten_days: 7 })).expect(200);
    expect(await rotten()).toEqual([true, 1, 0]);
    (await patch(id, { stage_id: stageOf(partners, 1) })).expect(200);
    expect(await rotten()).toEqual([false, 0, 1]);
  });
});

describe('winning a deal for another area', () => {
  const win = (id: number) =>
    server.app
      .get(Database)
      .inWorkspace(home.id, { type: 'system', id: null, name: 'test' }, () => server.app.get(DealsService).win(id));

  it('wins an open deal, once, and leaves closed ones alone', async () => {
    const [open, lost] = [await deal(), await deal({ status: 'lost', lost_reason: 'x' })];
    await Promise.all([win(open.id), win(open.id), win(lost.id)]);
    expect([(await get(open.id)).status, (await get(lost.id)).status]).toEqual(['won', 'lost']);
    expect((await types(open.id)).filter((type) => type === 'deal.won')).toEqual(['deal.won']);
    expect(await types(lost.id)).toEqual(['deal.created', 'deal.lost']);
  });
});

it('is whole in the database, whatever is asked for, one after another or at once', async () => {
  const stages = [...(sales.stages as Fields[]), ...(partners.stages as Fields[])].map(({ id }) => id);
  const wish = fc.record(
    {
      pipeline_id: fc.constantFrom(sales.id, partners.id),
      stage_id: fc.constantFrom(...stages),
      status: fc.constantFrom('open', 'won', 'lost'),
      probability: fc.constantFrom(0, 33, 100),
      lost_reason: fc.constantFrom(null, 'Price'),
    },
    { requiredKeys: [] },
  );
  const { id } = await deal();
  await fc.assert(
    fc.asyncProperty(fc.array(wish, { minLength: 2, maxLength: 5 }), fc.boolean(), async (wishes, atOnce) => {
      const answers = atOnce ? await Promise.all(wishes.map((body) => insist(() => patch(id, body)))) : [];
      if (!atOnce) for (const body of wishes) answers.push(await patch(id, body));
      expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 422)).toEqual([]);
      const [row] = await sql.rows(
        `SELECT s.pipeline_id = d.pipeline_id AND s.type = d.status AS placed,
                d.probability = CASE d.status WHEN 'open' THEN coalesce(d.own_probability, s.probability) ELSE s.probability END AS weighed,
                (d.status = 'lost') = (d.lost_reason IS NOT NULL) AS explained,
                (SELECT count(*) FROM deal_stage_changes h WHERE h.deal_id = d.id AND h.left_at IS NULL) AS stays,
                (SELECT to_stage_id FROM deal_stage_changes h WHERE h.deal_id = d.id AND h.left_at IS NULL) = d.stage_id AS recorded
         FROM deals d JOIN stages s ON s.id = d.stage_id WHERE d.id = $1`,
        [id],
      );
      expect(row).toEqual({ placed: true, weighed: true, explained: true, stays: 1, recorded: true });
    }),
    { numRuns: 20, endOnFailure: true },
  );
  const history = (await home.api.get(`/crm/deals/${id}/history?per_page=100`)).rows;
  for (const [index, stay] of history.slice(1).entries()) {
    expect([stay.from_stage_id, stay.created_at]).toEqual([history[index]?.to_stage_id, history[index]?.left_at]);
  }
});
