import fc from 'fast-check';
import { chosenStatus, type KnownStatus, type StatusPair } from '../../src/areas/tickets/statuses/status-choice';
import { TICKET_STATUSES } from '../../src/areas/tickets/ticket-values';
import { useApp } from '../support/app';
import { makeTicket, makeUser } from '../support/cast';
import type { Api, Fields } from '../support/api';
import { eventsOf } from '../support/event-log';
import { makeWorkspace } from '../support/workspace';

const server = useApp();

async function add(api: Api, name: string, status: string, body: Record<string, unknown> = {}): Promise<Fields> {
  return (await api.post('/ticket-statuses', { name, status, ...body })).expect(201).data;
}

const pairOf = ({ status, custom_status_id }: Fields): unknown => [status, custom_status_id];

it('a custom status sets the status, and the status its default one', async () => {
  const { api } = await makeWorkspace(server);
  const before = await makeTicket(api);
  const fresh = await add(api, 'New', 'open', { is_default: true });
  const parts = await add(api, 'Waiting for parts', 'on_hold');
  const customer = await add(api, 'Waiting for customer', 'on_hold', { is_default: true });
  expect(pairOf(before)).toEqual(['open', null]);
  const ticket = await makeTicket(api);
  expect(pairOf(ticket)).toEqual(['open', fresh.id]);
  expect(pairOf(await makeTicket(api, { custom_status_id: parts.id }))).toEqual(['on_hold', parts.id]);
  expect(pairOf(await makeTicket(api, { status: 'on_hold' }))).toEqual(['on_hold', customer.id]);
  const patch = async (body: object): Promise<unknown> =>
    pairOf((await api.patch(`/tickets/${ticket.id}`, body)).expect(200).data);
  expect(await patch({ custom_status_id: parts.id })).toEqual(['on_hold', parts.id]);
  expect(await patch({ custom_status_id: customer.id })).toEqual(['on_hold', customer.id]);
  expect(await patch({ custom_status_id: null })).toEqual(['on_hold', null]);
  expect(await patch({ status: 'resolved' })).toEqual(['resolved', null]);
  expect(await patch({ status: 'open', subject: 'y' })).toEqual(['open', fresh.id]);
  // A record that is sent back with one of the two changed is not one that contradicts itself.
  const record = (await api.get(`/tickets/${ticket.id}`)).data;
  expect(await patch({ ...record, status: 'on_hold' })).toEqual(['on_hold', customer.id]);
  const held = (await api.get(`/tickets/${ticket.id}`)).data;
  expect(await patch({ ...held, custom_status_id: fresh.id })).toEqual(['open', fresh.id]);
  const refused = async (body: object): Promise<unknown> =>
    (await api.patch(`/tickets/${ticket.id}`, body)).expect(422).codes;
  expect(await refused({ status: 'closed', custom_status_id: parts.id })).toEqual({ custom_status_id: 'conflict' });
  expect(await refused({ custom_status_id: 999_999 })).toEqual({ custom_status_id: 'not_found' });
  (await api.patch(`/ticket-statuses/${parts.id}`, { is_active: false })).expect(200);
  expect(await refused({ custom_status_id: parts.id })).toEqual({ custom_status_id: 'inactive' });
});

it('follows in every way that a ticket changes its status', async () => {
  const workspace = await makeWorkspace(server);
  const { api } = workspace;
  (await api.patch('/workspace', { settings: { auto_start_on_assign: true } })).expect(200);
  const begun = await add(api, 'Begun', 'in_progress', { is_default: true });
  const again = await add(api, 'Back again', 'open', { is_default: true });
  const user = await makeUser(api);
  const ticket = await makeTicket(api);
  const path = `/tickets/${ticket.id}`;
  expect(pairOf((await api.post(`${path}/assign`, { user_id: user.id })).expect(200).data)).toEqual([
    'in_progress',
    begun.id,
  ]);
  (await api.patch(path, { status: 'resolved' })).expect(200);
  expect(pairOf((await api.post(`${path}/reopen`)).expect(200).data)).toEqual(['open', again.id]);
  const history = await eventsOf(server, workspace, 'ticket', ticket.id);
  expect(history.at(-1)?.changes).toMatchObject({ custom_status_id: { from: null, to: again.id } });
});

it('lists filter, sort, expand and show it as tables do', async () => {
  const { api } = await makeWorkspace(server);
  const [late, early] = [
    await add(api, 'Late', 'on_hold', { position: 9 }),
    await add(api, 'Early', 'open', { position: 1 }),
  ];
  const none = await makeTicket(api);
  const one = await makeTicket(api, { custom_status_id: late.id });
  const two = await makeTicket(api, { custom_status_id: early.id });
  const ids = async (query: string): Promise<number[]> =>
    (await api.get(`/tickets?${query}&fields=id`)).expect(200).rows.map(({ id }) => id);
  expect(await ids(`custom_status_id=${late.id}`)).toEqual([one.id]);
  expect(await ids('custom_status_id=none')).toEqual([none.id]);
  expect(await ids('sort=custom_status_id')).toEqual([two.id, one.id, none.id]);
  expect(await ids('sort=-custom_status_id&per_page=1')).toEqual([one.id]);
  const [row] = (await api.get(`/tickets?ids=${one.id}&expand=custom_status`)).expect(200).rows;
  expect(row?.custom_status).toMatchObject({ id: late.id, name: 'Late', status: 'on_hold' });
});

it('there is one default for each status', async () => {
  const { api } = await makeWorkspace(server);
  const [one, two, other] = [
    await add(api, 'One', 'open', { is_default: true }),
    await add(api, 'Two', 'open', { is_default: true }),
    await add(api, 'Other', 'closed', { is_default: true }),
  ];
  const defaults = async (): Promise<number[]> =>
    (await api.get('/ticket-statuses?is_default=true&sort=id')).rows.map(({ id }) => id);
  expect(await defaults()).toEqual([two.id, other.id]);
  (await api.patch(`/ticket-statuses/${one.id}`, { is_default: true })).expect(200);
  expect(await defaults()).toEqual([one.id, other.id]);
  expect((await api.patch(`/ticket-statuses/${one.id}`, { is_active: false })).expect(422).codes).toEqual({
    is_default: 'invalid',
  });
  expect((await api.post('/ticket-statuses', { name: 'ONE', status: 'open' })).expect(422).codes).toEqual({
    name: 'duplicate',
  });
});

it('one that tickets have goes when another takes them over', async () => {
  const { api } = await makeWorkspace(server);
  const [one, two, other] = [
    await add(api, 'One', 'open'),
    await add(api, 'Two', 'open'),
    await add(api, 'X', 'closed'),
  ];
  const ticket = await makeTicket(api, { custom_status_id: one.id });
  const path = `/ticket-statuses/${one.id}`;
  expect((await api.delete(path)).expect(422).codes).toEqual({ id: 'in_use' });
  for (const [id, code] of [
    [one.id, 'invalid'],
    [other.id, 'invalid'],
    [999_999, 'not_found'],
  ] as const)
    // prettier-ignore
    expect((await api.delete(`${path}?reassign_to=${id}`)).expect(422).codes).toEqual({ reassign_to: code });
  (await api.delete(`${path}?reassign_to=${two.id}`)).expect(200);
  expect(pairOf((await api.get(`/tickets/${ticket.id}`)).data)).toEqual(['open', two.id]);
  (await api.delete(`/ticket-statuses/${two.id}?reassign_to=none`)).expect(200);
  expect(pairOf((await api.get(`/tickets/${ticket.id}`)).data)).toEqual(['open', null]);
});

it('both forms always agree, whatever is asked for', () => {
  const known: KnownStatus[] = TICKET_STATUSES.flatMap((status, index) => [
    { id: index * 2 + 1, status, is_default: index % 2 === 0, is_active: true },
    { id: index * 2 + 2, status, is_default: false, is_active: index !== 3 },
  ]);
  const id = fc.option(fc.integer({ min: 1, max: 10 }));
  const status = fc.constantFrom(...TICKET_STATUSES);
  const before = fc.option(fc.record({ status, custom_status_id: fc.constant(null) }));
  fc.assert(
    fc.property(before, fc.record({ status, custom_status_id: id }, { requiredKeys: [] }), (was, asked) => {
      const choose = (): StatusPair => chosenStatus(known, was, asked);
      const custom = known.find((each) => each.id === asked.custom_status_id);
      const isRefused = custom && (!custom.is_active || (asked.status ?? custom.status) !== custom.status);
      if ((isRefused && asked.status !== was?.status) || custom?.is_active === false) {
        expect(choose).toThrow();
        return;
      }
      const chosen = choose();
      const had = known.find((each) => each.id === chosen.custom_status_id);
      expect(had?.status ?? chosen.status).toBe(chosen.status);
      expect(chosenStatus(known, chosen, {})).toEqual(chosen);
      expect(chosenStatus(known, chosen, chosen)).toEqual(chosen);
    }),
  );
});
