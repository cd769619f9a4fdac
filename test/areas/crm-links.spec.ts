import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { eventsOf } from '../support/event-log';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let home: TestWorkspace;
beforeAll(async () => {
  home = await makeWorkspace(server);
});

const post = async (path: string, body: object): Promise<Fields> => (await home.api.post(path, body)).expect(201).data;

it('a deal knows its quotes, and they stay without it when it goes', async () => {
  const deal = await post('/crm/deals', { title: 'Seats' });
  const items = [{ name: 'Seat', unit_price: 10 }];
  const quotes = [
    await post('/quotes', { title: 'First', currency: 'EUR', deal_id: deal.id, items }),
    await post('/quotes', { title: 'Second', currency: 'EUR', deal_id: deal.id, items }),
  ];
  const ids = quotes.map(({ id }) => id);
  const shown = (await home.api.get(`/crm/deals/${deal.id}?expand=quotes`)).expect(200).data;
  expect([shown.quote_ids, (shown.quotes as Fields[]).map(({ id }) => id)]).toEqual([ids, ids]);
  (await home.api.delete(`/crm/deals/${deal.id}`)).expect(200);
  for (const id of ids) {
    expect((await home.api.get(`/quotes/${id}`)).expect(200).data.deal_id).toBeNull();
    expect((await eventsOf(server, home, 'quote', id)).at(-1)).toMatchObject({
      type: 'quote.updated',
      changes: { deal_id: { from: deal.id, to: null } },
    });
  }
});

it('a lead that goes leaves its deals behind, which say so', async () => {
  const lead = await post('/crm/leads', { name: 'Grace', phone: '1' });
  const deal = await post('/crm/deals', { title: 'Seats', lead_id: lead.id });
  (await home.api.delete(`/crm/leads/${lead.id}`)).expect(200);
  expect((await eventsOf(server, home, 'deal', deal.id)).at(-1)).toMatchObject({
    type: 'deal.updated',
    changes: { lead_id: { from: lead.id, to: null } },
  });
});

it('leads and deals of another workspace are 404, their stages and pipelines 422', async () => {
  const [deal, lead] = [
    await post('/crm/deals', { title: 'Ours' }),
    await post('/crm/leads', { name: 'Ours', phone: '1' }),
  ];
  const { api } = await makeWorkspace(server);
  for (const path of [`/crm/deals/${deal.id}`, `/crm/deals/${deal.id}/history`, `/crm/leads/${lead.id}`]) {
    expect((await api.get(path)).status).toBe(404);
  }
  expect((await api.post(`/crm/leads/${lead.id}/convert`, {})).status).toBe(404);
  for (const [name, id] of Object.entries({
    stage_id: deal.stage_id,
    pipeline_id: deal.pipeline_id,
    lead_id: lead.id,
  })) {
    expect((await api.post('/crm/deals', { title: 'Theirs', [name]: id })).expect(422).codes).toEqual({
      [name]: 'not_found',
    });
  }
});
