import type { Api, Fields } from '../support/api';
import { useApp } from '../support/app';
import { runBatch } from '../support/batch';
import { make, makeTicket } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { useSql } from '../support/sql';
import { until } from '../support/until';
import { userApi } from '../support/people';
import { makeWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

const save = async (api: Api, actions: unknown[], body: object = {}): Promise<Fields> =>
  (await api.post('/macros', { name: 'Macro', actions, ...body })).expect(201).data;

const RESTART = [
  { type: 'set_field', field: 'priority', value: 'high' },
  { type: 'add_tags', tags: 'restart' },
  { type: 'add_comment', body: 'Hello {{requester.name}}, restart {{ticket.code}}.' },
];

it('does its actions as whoever applies it, and leaves one entry that names it', async () => {
  const workspace = await makeWorkspace(server);
  const { user, api } = await userApi(server, workspace, { name: 'Ines Ortega' });
  const ticket = await makeTicket(api, { requester_email: 'ada@people.example', requester_name: 'Ada' });
  const macro = await save(api, RESTART, { name: 'Restart' });
  const { data } = (await api.post(`/tickets/${ticket.id}/macros/${macro.id}`)).expect(200);
  const text = `Hello Ada, restart ${String(ticket.code)}.`;
  expect(data).toMatchObject({
    preview: false,
    macro: { id: macro.id, name: 'Restart' },
    changes: { priority: { from: 'medium', to: 'high' }, tags: { from: '', to: 'restart' } },
    comments: [{ body: text, is_internal: false }],
    ticket: { id: ticket.id, priority: 'high', tags: 'restart', reply_count: 1 },
  });
  expect((data.actions as Fields[]).map(({ type, status }) => [type, status])).toEqual([
    ['set_field', 'done'],
    ['add_tags', 'done'],
    ['add_comment', 'done'],
  ]);
  expect((await api.get(`/tickets/${ticket.id}`)).data).toEqual(data.ticket);
  const [comment] = (await api.get(`/tickets/${ticket.id}/comments`)).rows;
  expect(comment).toMatchObject({ body: text, author_type: 'agent', author_id: user.id, author_name: 'Ines Ortega' });
  const history = (await api.get(`/tickets/${ticket.id}/history`)).rows;
  const told = history.filter(({ type }) => type === 'ticket.macro_applied');
  expect(told).toMatchObject([
    { actor: { type: 'user', id: user.id }, related: { macro: { id: macro.id, name: 'Restart' } } },
  ]);
  expect(history.every(({ actor }) => (actor as Fields).id === user.id)).toBe(true);
  expect((await api.get(`/macros/${macro.id}`)).data.use_count).toBe(1);
});

it('shows beforehand what it would change and say, and does nothing', async () => {
  const workspace = await makeWorkspace(server);
  const { api } = workspace;
  const ticket = await makeTicket(api, { requester_email: 'ada@people.example' });
  const macro = await save(api, [...RESTART, { type: 'send_email', to: 'requester', subject: 'Hi', body: 'Restart' }]);
  const events = await eventsOf(server, workspace, 'ticket', ticket.id);
  const { data } = (await api.post(`/tickets/${ticket.id}/macros/${macro.id}?preview=true`)).expect(200);
  expect(data).toMatchObject({ preview: true, changes: { priority: { to: 'high' } }, ticket: { tags: 'restart' } });
  expect(data.comments).toHaveLength(1);
  expect((data.actions as Fields[]).at(-1)).toMatchObject({
    status: 'queued',
    after: { to: ['ada@people.example'], subject: 'Hi' },
  });
  expect((await api.get(`/tickets/${ticket.id}`)).data).toEqual(ticket);
  expect(await eventsOf(server, workspace, 'ticket', ticket.id)).toEqual(events);
  expect((await api.get(`/macros/${macro.id}`)).data.use_count).toBe(0);
});

it('is done whole or not at all, and what fails is named', async () => {
  const { api } = await makeWorkspace(server);
  const ticket = await makeTicket(api);
  const category = await make(api, '/categories');
  const macro = await save(api, [...RESTART, { type: 'set_field', field: 'category_id', value: category.id }]);
  (await api.delete(`/categories/${category.id}`)).expect(200);
  const refused = (await api.post(`/tickets/${ticket.id}/macros/${macro.id}`)).expect(422);
  expect(refused.codes).toEqual({ 'actions[3]': 'failed' });
  expect((await api.get(`/tickets/${ticket.id}`)).data).toEqual(ticket);
  expect((await api.get(`/tickets/${ticket.id}/comments`)).rows).toEqual([]);
  const { data } = (await api.post(`/tickets/${ticket.id}/macros/${macro.id}?preview=true`)).expect(200);
  expect((data.actions as Fields[]).map(({ status }) => status)).toEqual(['done', 'done', 'done', 'failed']);
});

it('heeds If-Match, happens once per key, and only while it is active', async () => {
  const { api } = await makeWorkspace(server);
  const ticket = await makeTicket(api);
  const macro = await save(api, RESTART);
  const path = `/tickets/${ticket.id}/macros/${macro.id}`;
  (await api.post(path, undefined, { 'if-match': '"99"' })).expect(412);
  const key = { 'idempotency-key': 'restart-once' };
  const first = (await api.post(path, undefined, key)).expect(200);
  expect((await api.post(path, undefined, key)).text).toBe(first.text);
  expect((await api.get(`/tickets/${ticket.id}/comments`)).rows).toHaveLength(1);
  (await api.patch(`/macros/${macro.id}`, { is_active: false })).expect(200);
  (await api.post(path)).expect(409);
  (await api.post(`${path}?preview=true`)).expect(200);
  (await api.post(`/tickets/8999999999999/macros/${macro.id}`)).expect(404);
  (await api.post(`/tickets/${ticket.id}/macros/8999999999999`)).expect(404);
});

it('sends what it is to send after its commit, once', async () => {
  const workspace = await makeWorkspace(server);
  const { api } = workspace;
  const ticket = await makeTicket(api, { requester_email: 'ada@people.example' });
  const macro = await save(api, [
    { type: 'send_email', to: 'requester', subject: 'Hi', body: 'Restart {{ticket.code}}' },
  ]);
  (await api.post(`/tickets/${ticket.id}/macros/${macro.id}`)).expect(200);
  await until('the mail is queued', async () => {
    const mails = await sql.rows(`SELECT FROM outgoing_mails WHERE workspace_id = $1`, [workspace.id]);
    return mails.length === 1;
  });
  const runs = (await api.get(`/tickets/${ticket.id}/automation-runs`)).rows;
  expect(runs.map(({ automation_name, event, status }) => [automation_name, event, status])).toEqual([
    ['Macro', 'macro.applied', 'executed'],
  ]);
});

it('is one of the operations of a batch', async () => {
  const { api } = await makeWorkspace(server);
  const ids = [(await makeTicket(api)).id, (await makeTicket(api)).id];
  const macro = await save(api, RESTART);
  const operations = [
    { op: 'macro', ids, data: { macro_id: macro.id } },
    { op: 'macro', id: ids[0], data: { macro_id: 8_999_999_999_999 } },
  ];
  const { results } = await runBatch(api, operations, {}, '?fields=id,tags');
  expect(results.map(({ status, data }) => [status, data])).toEqual([
    [200, { id: ids[0], tags: 'restart' }],
    [200, { id: ids[1], tags: 'restart' }],
    [404, undefined],
  ]);
});

it('is checked like the actions of automations, and seen by whom it is shared with', async () => {
  const workspace = await makeWorkspace(server);
  const { api } = workspace;
  const unknown = await api.post('/macros', { name: 'x', actions: [{ type: 'zzz' }, { type: 'assign', user_id: 99 }] });
  expect(Object.keys(unknown.expect(422).codes)).toContain('actions[0].type');
  const [one, two] = [await userApi(server, workspace), await userApi(server, workspace)];
  const macro = await save(one.api, RESTART, { sharing: 'private' });
  const ticket = await makeTicket(api);
  (await two.api.post(`/tickets/${ticket.id}/macros/${macro.id}`)).expect(404);
  (await one.api.post(`/tickets/${ticket.id}/macros/${macro.id}`)).expect(200);
});
