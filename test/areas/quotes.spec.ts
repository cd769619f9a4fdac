import { documentOfRun } from '../support/document';
import { useApp } from '../support/app';
import { insist } from '../support/insist';
import { ITEM, useQuoteDesk } from '../support/quotes';

const desk = useQuoteDesk(useApp({ role: 'api' }));

describe('a draft', () => {
  it('gets a number, the days, the amounts and its items in one request', async () => {
    const second = { name: 'Service', unit_price: 80, discount_percent: 25, tax_rate: 7 };
    const today = (): string => new Date().toISOString().slice(0, 10);
    const before = today();
    const quote = await desk.draft({ items: [ITEM, second], discount: { type: 'percent', value: 10 } });
    expect([before, today()]).toContain(quote.issue_date);
    const ends = new Date(Date.parse(String(quote.issue_date)) + 30 * 86_400_000);
    expect(quote).toMatchObject({
      status: 'draft',
      revision: 1,
      number: expect.stringMatching(/^QUO-\d{6}$/) as string,
      valid_until: ends.toISOString().slice(0, 10),
      subtotal: 809.7,
      discount_total: 80.97,
      tax_total: 131.98,
      total: 860.71,
      public_url: null,
    });
    const { items } = await desk.get(quote.id, '?expand=items');
    expect(items).toMatchObject([
      { position: 1, name: 'Laser printer', subtotal: 749.7, discount: 74.97, tax: 128.2, total: 802.93 },
      { position: 2, name: 'Service', quantity: 1, subtotal: 60, discount: 6, tax: 3.78, total: 57.78 },
    ]);
  });

  it('never takes totals from the client', async () => {
    const base = { title: 'x', currency: 'EUR' };
    for (const name of ['total', 'subtotal', 'tax_total', 'discount_total', 'status', 'number', 'public_url'])
      expect((await desk.workspace.api.post('/quotes', { ...base, [name]: 1 })).expect(422).codes).toEqual({
        [name]: 'immutable',
      });
    const refused = await desk.workspace.api.post('/quotes', { ...base, items: [{ ...ITEM, total: 1 }] });
    expect(refused.expect(422).codes).toEqual({ 'items.0.total': 'unknown_field' });
  });

  it.each([
    ['no name', { items: [{ unit_price: 1 }] }, 'items.0.name'],
    ['no price', { items: [ITEM, { name: 'x' }] }, 'items.1.unit_price'],
    ['an item in an item', { items: [[ITEM]] }, 'items'],
    ['a negative price', { items: [ITEM, { ...ITEM, unit_price: -1 }] }, 'items.1.unit_price'],
    ['nothing of something', { items: [{ ...ITEM, quantity: 0 }] }, 'items.0.quantity'],
    ['text', { items: ['printer'] }, 'items'],
    ['null', { items: null }, 'items'],
    ['201 items', { items: Array.from({ length: 201 }, () => ITEM) }, 'items'],
    ['a sum beyond telling', { items: [{ ...ITEM, quantity: 99_999_999, unit_price: 99_999_999 }] }, 'items'],
    ['an end before the beginning', { issue_date: '2035-01-02', valid_until: '2035-01-01' }, 'valid_until'],
    ['half a yen off', { currency: 'JPY', discount: { type: 'amount', value: 0.5 } }, 'discount.value'],
  ])('refuses %s', async (_name, body, field) => {
    const answer = await desk.workspace.api.post('/quotes', { title: 'x', currency: 'EUR', ...body });
    expect([answer.status, Object.keys(answer.codes)[0]]).toEqual([422, field]);
  });

  it('works everything out anew when an item or the terms change', async () => {
    const quote = await desk.draft({
      discount: { type: 'amount', value: 100 },
      items: [{ name: 'A', unit_price: 100 }],
    });
    expect(quote).toMatchObject({ subtotal: 100, discount_total: 100, total: 0 });
    const added = (await desk.workspace.api.post(`/quotes/${quote.id}/items`, { name: 'B', unit_price: 300 })).expect(
      201,
    );
    expect(added.data).toMatchObject({ position: 2, subtotal: 300, discount: 75, total: 225 });
    expect(await desk.get(quote.id)).toMatchObject({ subtotal: 400, discount_total: 100, total: 300 });
    const [first] = (await desk.workspace.api.get(`/quotes/${quote.id}/items`)).rows;
    expect(first).toMatchObject({ name: 'A', discount: 25, total: 75 });
    const path = `/quotes/${quote.id}/items/${added.data.id}`;
    (await desk.workspace.api.patch(path, { quantity: 0.5, tax_rate: 10 })).expect(200);
    expect(await desk.get(quote.id)).toMatchObject({ subtotal: 250, discount_total: 100, tax_total: 9, total: 159 });
    (await desk.workspace.api.patch(`/quotes/${quote.id}`, { tax_mode: 'inclusive', discount: null })).expect(200);
    expect(await desk.get(quote.id)).toMatchObject({
      subtotal: 236.36,
      discount_total: 0,
      tax_total: 13.64,
      total: 250,
    });
    (await desk.workspace.api.patch(`/quotes/${quote.id}`, { currency: 'JPY' })).expect(200);
    expect(await desk.get(quote.id)).toMatchObject({ subtotal: 236, tax_total: 14, total: 250 });
    (await desk.workspace.api.delete(path)).expect(200);
    expect(await desk.get(quote.id)).toMatchObject({ subtotal: 100, tax_total: 0, total: 100 });
    expect((await desk.logOf(quote.id)).map(({ type }) => type)).toEqual([
      'created',
      'item_added',
      'item_updated',
      'updated',
      'updated',
      'item_removed',
    ]);
  });

  it('keeps its sums when items come at the same time', async () => {
    const quote = await desk.draft({ items: [], discount: { type: 'percent', value: 10 } });
    const add = (index: number) =>
      desk.workspace.api.post(`/quotes/${quote.id}/items`, { name: `Item ${index}`, unit_price: 10, tax_rate: 20 });
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => insist(() => add(index))));
    expect(answers.map(({ status: code }) => code)).toEqual(Array<number>(8).fill(201));
    expect(await desk.get(quote.id)).toMatchObject({ subtotal: 80, discount_total: 8, tax_total: 14.4, total: 86.4 });
    const { rows } = await desk.workspace.api.get(`/quotes/${quote.id}/items`);
    expect(rows.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('has at most 200 items', async () => {
    const quote = await desk.draft({ items: Array.from({ length: 200 }, () => ITEM) });
    const answer = await desk.workspace.api.post(`/quotes/${quote.id}/items`, ITEM);
    expect([answer.status, answer.codes]).toEqual([422, { items: 'max' }]);
  });

  it('takes its number from a series that never repeats', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => desk.draft()));
    const [first] = made;
    (await desk.workspace.api.delete(`/quotes/${first?.id}`)).expect(200);
    const numbers = [...made, await desk.draft()].map(({ number }) => number);
    expect(new Set(numbers).size).toBe(6);
  });
});

it('is made, changed and sent by what Swagger UI fills in', async () => {
  const { paths } = await documentOfRun();
  const example = (path: string, method: 'post' | 'patch'): object => {
    const body = paths[path]?.[method]?.requestBody;
    if (!body || '$ref' in body) throw new Error(`${method} ${path} has no body.`);
    return body.content['application/json']?.example as object;
  };
  const { api } = desk.workspace;
  const { id } = (await api.post('/quotes', example('/quotes', 'post'))).expect(201).data;
  const items = '/quotes/{id}/items';
  const added = (await api.post(`/quotes/${id}/items`, example(items, 'post'))).expect(201).data;
  (await api.patch(`/quotes/${id}/items/${added.id}`, example(`${items}/{item_id}`, 'patch'))).expect(200);
  (await api.patch(`/quotes/${id}`, example('/quotes/{id}', 'patch'))).expect(200);
  (await api.post(`/quotes/${id}/status`, example('/quotes/{id}/status', 'post'))).expect(200);
  (await api.post(`/quotes/${id}/revise`)).expect(201);
});
