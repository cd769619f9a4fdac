import { Database } from '../../src/platform/database/database';
import { CounterFolder } from '../../src/platform/counters/counter-folder';
import { useApp } from '../support/app';
import { eventsOf } from '../support/event-log';
import { insist } from '../support/insist';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const app = useApp();

let home: TestWorkspace;
beforeEach(async () => {
  home = await makeWorkspace(app);
});

async function category(name: string, parent: number | null = null): Promise<number> {
  return (await home.api.post('/categories', { name, parent_id: parent })).expect(201).data.id;
}

describe('fields of a category', () => {
  it('has a slug that follows the name, and the last position under its parent', async () => {
    const first = (await home.api.post('/categories', { name: 'Billing & Refunds' })).expect(201).data;
    expect(first).toMatchObject({ slug: 'billing-refunds', position: 1, is_active: true, ticket_count: 0 });
    const second = (await home.api.post('/categories', { name: 'Network' })).data;
    expect(second.position).toBe(2);
    expect((await home.api.post('/categories', { name: 'VPN', parent_id: second.id })).data.position).toBe(1);
    (await home.api.post('/categories', { name: 'Z', parent_id: first.id, position: 1_000_000 })).expect(201);
    const last = (await home.api.post('/categories', { name: 'Last', parent_id: first.id })).expect(201).data;
    (await home.api.patch(`/categories/${last.id}`, last)).expect(200);
    expect((await home.api.patch(`/categories/${first.id}`, { name: 'Money' })).expect(200).data.slug).toBe('money');
    expect((await home.api.get('/categories?parent_id=none')).rows.map((row) => row.name)).toEqual([
      'Money',
      'Network',
    ]);
  });

  it('has a name that is unique under the parent, case aside', async () => {
    const parent = await category('Network');
    await category('Other', parent);
    const answer = (await home.api.post('/categories', { name: 'OTHER', parent_id: parent })).expect(422);
    expect(answer.codes).toEqual({ name: 'duplicate' });
    await category('Other');
  });

  it.each([
    [{ color: 'red' }, { color: 'format' }],
    [{ default_priority: 'asap' }, { default_priority: 'enum' }],
    [{ parent_id: 999_999 }, { parent_id: 'not_found' }],
    [{ default_team_id: 999_999 }, { default_team_id: 'not_found' }],
    [{ slug: 'mine' }, { slug: 'immutable' }],
  ])('refuses %j', async (fields, codes) => {
    expect((await home.api.post('/categories', { name: 'Network', ...fields })).expect(422).codes).toEqual(codes);
  });

  it.each([
    ['Café  Größe', 'cafe-grosse'],
    ['Счета / Оплата', 'счета-оплата'],
    ['請求書', '請求書'],
    ['🎉', 'category'],
  ])('makes a slug of %s', async (name, slug) => {
    expect((await home.api.post('/categories', { name })).expect(201).data['slug']).toBe(slug);
  });
});

describe('the tree of categories', () => {
  it('has at most three levels, counting what hangs below a moved category', async () => {
    const one = await category('1');
    const two = await category('2', one);
    const three = await category('3', two);
    const deep = (await home.api.post('/categories', { name: '4', parent_id: three })).expect(422);
    expect(deep.codes).toEqual({ parent_id: 'max_depth' });
    const top = await category('top');
    const moved = (await home.api.patch(`/categories/${one}`, { parent_id: top })).expect(422);
    expect(moved.codes).toEqual({ parent_id: 'max_depth' });
    (await home.api.patch(`/categories/${two}`, { parent_id: top })).expect(200);
  });

  it('has no cycles', async () => {
    const one = await category('1');
    const two = await category('2', one);
    expect((await home.api.patch(`/categories/${one}`, { parent_id: one })).expect(422).codes).toEqual({
      parent_id: 'cycle',
    });
    expect((await home.api.patch(`/categories/${one}`, { parent_id: two })).expect(422).codes).toEqual({
      parent_id: 'cycle',
    });
  });

  it('gets no cycle from two moves at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const left = await category(`left ${round}`);
      const right = await category(`right ${round}`);
      const answers = await Promise.all([
        insist(() => home.api.patch(`/categories/${left}`, { parent_id: right })),
        insist(() => home.api.patch(`/categories/${right}`, { parent_id: left })),
      ]);
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422]);
    }
  });
});

describe('deleting a category', () => {
  it('is refused while it has sub-categories', async () => {
    const parent = await category('Network');
    const child = await category('VPN', parent);
    expect((await home.api.delete(`/categories/${parent}`)).expect(422).codes).toEqual({ id: 'in_use' });
    (await home.api.delete(`/categories/${child}`)).expect(200);
    (await home.api.delete(`/categories/${parent}`)).expect(200);
    (await home.api.get(`/categories/${parent}`)).expect(404);
  });

  it('is refused while it has tickets, unless they are moved', async () => {
    const from = await category('Old');
    const to = await category('New');
    const ticket = (await home.api.post('/tickets', { subject: 'help', category_id: from })).expect(201).data.id;
    expect((await home.api.delete(`/categories/${from}`)).expect(422).codes).toEqual({ id: 'in_use' });
    const refused = async (heir: string): Promise<unknown> =>
      (await home.api.delete(`/categories/${from}?reassign_to=${heir}`)).expect(422).codes;
    expect(await refused('x')).toEqual({ reassign_to: 'type' });
    expect(await refused(String(from))).toEqual({ reassign_to: 'invalid' });
    expect(await refused('999999')).toEqual({ reassign_to: 'not_found' });

    (await home.api.delete(`/categories/${from}?reassign_to=${to}`)).expect(200);
    expect((await home.api.get(`/tickets/${ticket}`)).data.category_id).toBe(to);
    expect((await eventsOf(app, home, 'ticket', ticket)).at(-1)).toMatchObject({
      type: 'ticket.updated',
      changes: { category_id: { from, to } },
    });
  });
});

describe('the number of tickets of a category', () => {
  it('is exact after every write, folded or not', async () => {
    const a = await category('A');
    const b = await category('B');
    const counts = async (): Promise<unknown[]> =>
      (await home.api.get('/categories?sort=name')).rows
        .filter((row) => row.id === a || row.id === b)
        .map((row) => row.ticket_count);
    const fold = (): Promise<unknown> => app.app.get(Database).system(() => app.app.get(CounterFolder).fold());

    const tickets: number[] = [];
    for (const id of [a, a, a, b, null])
      tickets.push((await home.api.post('/tickets', { subject: 'x', category_id: id })).expect(201).data.id);
    expect(await counts()).toEqual([3, 1]);
    await fold();
    expect(await counts()).toEqual([3, 1]);
    (await home.api.patch(`/tickets/${tickets[0]}`, { category_id: b })).expect(200);
    (await home.api.patch(`/tickets/${tickets[4]}`, { category_id: b, status: 'resolved' })).expect(200);
    (await home.api.patch(`/tickets/${tickets[1]}`, { category_id: null })).expect(200);
    (await home.api.delete(`/tickets/${tickets[2]}`)).expect(200);
    expect(await counts()).toEqual([0, 3]);
    await fold();
    expect(await counts()).toEqual([0, 3]);
  });
});
