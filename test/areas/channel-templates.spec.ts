import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { PROVIDERS, type Provider } from '../support/channel-providers';
import { inboundAddress } from '../support/channels';
import { drained } from '../support/jobs';
import { useReceiver } from '../support/receiver';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
const receiver = useReceiver();
const whatsapp = PROVIDERS.whatsapp as Provider;
let workspace: TestWorkspace;
let channel: Fields;
let url: string;

beforeEach(async () => {
  workspace = await makeWorkspace(server);
  const body = { type: 'whatsapp', name: 'Number', config: { ...whatsapp.config, api_url: receiver.url } };
  channel = (await workspace.api.post('/teams/channels', body)).expect(201).data;
  url = await inboundAddress(workspace.api, channel);
});

/** Ada says something. */
async function said(text: string, serial: number): Promise<Fields> {
  const { body, headers } = whatsapp.sign(whatsapp.message(text, serial), url);
  expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(200);
  const [message] = (await workspace.api.get('/teams/messages?direction=inbound')).rows;
  return message ?? { id: 0 };
}
const own = async (): Promise<Fields> => (await workspace.api.get(`/teams/channels/${channel.id}`)).data;
const sentTo = (path: string): object[] => receiver.received(path).map(({ body }) => JSON.parse(body) as object);

it('sends templates where nothing else is taken any more', async () => {
  receiver.answer({ status: 200, body: whatsapp.answer });
  const { api } = workspace;
  const template = { name: 'order_ready', language: 'en_US', parameters: ['Ada', 'A-1042'] };
  const begin = { channel_id: channel.id, to: { address: '+12025550142' }, body: 'Your order A-1042 is ready.' };
  // Nobody has written yet.
  expect((await api.post('/teams/messages', begin)).expect(422).codes).toEqual({ template: 'window_closed' });
  for (const wrong of [
    { name: 'Order Ready', language: 'en' },
    { name: 'x' },
    { ...template, parameters: ['', 'y'] },
    7,
  ])
    (await api.post('/teams/messages', { ...begin, template: wrong })).expect(422);
  const metadata = { order: 'A-1042' };
  const first = (await api.post('/teams/messages', { ...begin, template, metadata })).expect(201).data;
  expect(first).toMatchObject({ message_type: 'template', template, metadata, body: begin.body });
  await drained(server, workspace);
  expect(sentTo('/hook/4711/messages')).toMatchObject([
    {
      type: 'template',
      template: {
        name: 'order_ready',
        language: { code: 'en_US' },
        components: [{ type: 'body', parameters: [{ type: 'text', text: 'Ada' }, { text: 'A-1042' }] }],
      },
    },
  ]);
  const { thread_id, ticket_id } = await said('Thanks', 1);
  (await api.post('/teams/messages', { channel_id: channel.id, to: { ticket_id }, body: 'Welcome' })).expect(201);
  const unknown = { channel_id: channel.id, to: { ticket_id: 900_000 }, body: 'x' };
  expect((await api.post('/teams/messages', unknown)).expect(422).codes).toEqual({ 'to.ticket_id': 'not_found' });
  const aged = `UPDATE channel_threads SET last_inbound_at = now() - interval '25 hours' WHERE workspace_id = $1`;
  await drained(server, workspace);
  await sql.rows(aged, [workspace.id]);
  const late = { channel_id: channel.id, thread_id, body: 'Anything else?' };
  expect((await api.post('/teams/messages', late)).expect(422).codes).toEqual({ template: 'window_closed' });
  // What is said on the ticket is said; there it does not arrive.
  (await api.post(`/tickets/${String(ticket_id)}/comments`, { body: 'One more thing' })).expect(201);
  await drained(server, workspace);
  const [last] = (await api.get('/teams/messages?status=failed')).rows;
  expect(last).toMatchObject({ body: 'One more thing', error: { code: 'window_closed' } });
  const inside = (await api.post('/teams/channels', { type: 'internal', name: 'Us' })).expect(201).data;
  const refused = { channel_id: inside.id, body: 'x', template };
  expect((await api.post('/teams/messages', refused)).expect(422).codes).toEqual({ template: 'not_taken' });
  // A message that is deleted leaves nothing of it.
  const gone = (await api.delete(`/teams/messages/${first.id}`)).expect(200).data;
  expect(gone).toMatchObject({ body: '', metadata: {}, template: null });
});

it('answers in Messenger for a day, and people for a week where Meta lets them', async () => {
  const facebook = PROVIDERS.facebook as Provider;
  receiver.answer({ status: 200, body: facebook.answer });
  const { api } = workspace;
  const config = { ...facebook.config, api_url: receiver.url };
  const page = (await api.post('/teams/channels', { type: 'facebook', name: 'Page', config })).expect(201).data;
  const path = `/teams/channels/${page.id}`;
  const cold = { channel_id: page.id, to: { address: '77' }, body: 'Hello' };
  expect((await api.post('/teams/messages', cold)).expect(422).codes).toEqual({ body: 'window_closed' });
  const address = await inboundAddress(api, page);
  const { body, headers } = facebook.sign(facebook.message('Help', 1), address);
  expect((await fetch(address, { method: 'POST', body, headers })).status).toBe(200);
  const [{ thread_id, ticket_id } = { thread_id: 0, ticket_id: 0 }] = (await api.get(`${path}/messages`)).rows;
  const aged = (age: string): Promise<object[]> =>
    sql.rows(`UPDATE channel_threads SET last_inbound_at = now() - $2::interval WHERE workspace_id = $1`, [
      workspace.id,
      age,
    ]);
  const answer = (text: string): ReturnType<typeof api.post> =>
    api.post('/teams/messages', { channel_id: page.id, thread_id, body: text });
  (await answer('At once')).expect(201);
  // Which window it is, is looked at when it leaves.
  await drained(server, workspace);
  await aged('25 hours');
  expect((await answer('Late')).expect(422).codes).toEqual({ body: 'window_closed' });
  (await api.patch(path, { config: { human_agent_tag: true } })).expect(200);
  (await answer('On the next day')).expect(201);
  await drained(server, workspace);
  await aged('169 hours');
  (await answer('After a week')).expect(422);
  await aged('25 hours');
  (await api.post(`/tickets/${String(ticket_id)}/comments`, { body: 'Are you there?' })).expect(201);
  await drained(server, workspace);
  expect(sentTo('/hook/me/messages')).toMatchObject([
    { messaging_type: 'RESPONSE', message: { text: 'At once' } },
    { messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT', message: { text: 'On the next day' } },
    { messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT', message: { text: 'Are you there?' } },
  ]);
});

it('counts its messages and those that nobody has read, and lists what is on one side of a message', async () => {
  const { api } = workspace;
  expect(await own()).toMatchObject({ message_count: 0, unread_count: 0 });
  for (const serial of [1, 2, 3]) await said(`Message ${serial}`, serial);
  expect(await own()).toMatchObject({ message_count: 3, unread_count: 3 });
  const path = `/teams/channels/${channel.id}/messages`;
  const ids = (await api.get(`${path}?sort=created_at`)).rows.map(({ id }) => id);
  const listed = async (query: string): Promise<unknown[]> =>
    (await api.get(`${path}?sort=created_at&${query}`)).expect(200).rows.map(({ id }) => id);
  expect(await listed(`before_id=${ids[1]}`)).toEqual(ids.slice(0, 1));
  expect(await listed(`after_id=${ids[1]}`)).toEqual(ids.slice(2));
  expect(await listed('after_id=0')).toEqual(ids);
  (await api.get(`${path}?before_id=x`)).expect(422);
  (await api.post(`/teams/messages/${ids[1]}/read`)).expect(200);
  expect(await own()).toMatchObject({ message_count: 3, unread_count: 1 });
  expect((await api.get(`/teams/channels?fields=id,message_count`)).rows).toEqual([
    { id: channel.id, message_count: 3 },
  ]);
  expect((await api.get(`${path}?per_page=1`)).meta.total).toBe(3);
});

it('asks for a rating in the conversation, once for each resolution', async () => {
  receiver.answer({ status: 200, body: whatsapp.answer });
  const { api } = workspace;
  for (const type of ['internal', 'email'])
    expect((await api.post('/teams/channels', { type, name: type, csat_enabled: true })).status).toBe(422);
  (await api.patch(`/teams/channels/${channel.id}`, { csat_enabled: true })).expect(200);
  const { ticket_id } = await said('Help', 1);
  const ticket = `/tickets/${String(ticket_id)}`;
  const asked = async (): Promise<Fields[]> => (await api.get('/teams/messages?author_type=bot')).rows;
  (await api.patch(ticket, { status: 'resolved' })).expect(200);
  await drained(server, workspace);
  const [question, ...others] = await asked();
  expect(others).toEqual([]);
  expect(question).toMatchObject({ status: 'sent', body: expect.stringContaining('/p/rate/') as string });
  const page = new URL(String(question?.body).split(' ').at(-1) ?? '');
  expect((await fetch(`${server.url}${page.pathname}`)).status).toBe(200);
  // Reopened and resolved again it is another resolution; rated, nobody is asked.
  for (const status of ['open', 'resolved']) (await api.patch(ticket, { status })).expect(200);
  await drained(server, workspace);
  expect((await asked()).length).toBe(2);
  (await api.patch(ticket, { status: 'open' })).expect(200);
  (await api.patch(`/teams/channels/${channel.id}`, { csat_enabled: false })).expect(200);
  (await api.patch(ticket, { status: 'resolved' })).expect(200);
  await drained(server, workspace);
  expect((await asked()).length).toBe(2);
});
