import { Webhook as StandardWebhook } from 'standardwebhooks';
import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { make } from '../support/cast';
import { ADA, apiChannel, CHANNEL_SECRET, commentsOf, handedIn as handIn } from '../support/channels';
import { drained, timePasses } from '../support/jobs';
import { useReceiver } from '../support/receiver';
import { until } from '../support/until';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const receiver = useReceiver();
let workspace: TestWorkspace;

beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

const handedIn = (channel: Fields, told: Record<string, unknown>) => handIn(workspace.api, channel, told);
const sent = (): Record<string, unknown>[] =>
  receiver.received().map(({ body }) => JSON.parse(body) as Record<string, unknown>);
const sentTexts = (): unknown[] => sent().map(({ body }) => body);

it('is signed, in order, a comment on the ticket, and told how far it came', async () => {
  receiver.answer(() => ({ status: 200, body: JSON.stringify({ external_message_id: `out-${sent().length}` }) }));
  const channel = await apiChannel(workspace.api, receiver.url);
  const { message, ticket } = await handedIn(channel, { external_message_id: 'm1', from: ADA, body: 'Help' });
  const thread_id = message?.thread_id;
  for (const body of ['One', 'Two', 'Three'])
    (await workspace.api.post(`/teams/channels/${channel.id}/messages`, { thread_id, body })).expect(201);
  await drained(server, workspace);
  expect(sentTexts()).toEqual(['One', 'Two', 'Three']);
  const verifier = new StandardWebhook(Buffer.from(CHANNEL_SECRET).toString('base64'));
  for (const { body, headers } of receiver.received()) verifier.verify(body, headers as Record<string, string>);
  expect(sent()[0]).toMatchObject({ to: { address: ADA.email, name: 'Ada' }, conversation: ADA.email });
  const written = await commentsOf(workspace.api, ticket);
  expect(written.map((each) => (each as string[])[2])).toEqual(['One', 'Two', 'Three']);
  const { rows } = await workspace.api.get('/teams/messages?direction=outbound&sort=created_at');
  expect(rows.map(({ status, external_message_id }) => [status, external_message_id])).toEqual([
    ['sent', 'out-1'],
    ['sent', 'out-2'],
    ['sent', 'out-3'],
  ]);
  for (const status of ['read', 'delivered', 'read'])
    await handedIn(channel, { type: 'status', external_message_id: 'out-1', status });
  const first = `/teams/messages/${rows[0]?.id ?? 0}`;
  const read = (await workspace.api.get(first)).expect(200).data;
  expect(read).toMatchObject({
    status: 'read',
    read_at: expect.any(String) as string,
    delivered_at: expect.any(String) as string,
  });
  expect((await workspace.api.patch(first, { body: 'Other' })).expect(422).codes).toEqual({ body: 'sent' });
  expect((await workspace.api.get(`/tickets/${ticket?.id ?? 0}`)).data.first_response_at).not.toBeNull();
});

it('is what somebody writes on the ticket: public comments, once; not notes', async () => {
  const channel = await apiChannel(workspace.api, receiver.url);
  const { ticket } = await handedIn(channel, { external_message_id: 'm1', from: ADA, body: 'Help' });
  const path = `/tickets/${ticket?.id ?? 0}/comments`;
  (await workspace.api.post(path, { body: 'A note', is_internal: true })).expect(201);
  (await workspace.api.post(path, { body: 'An answer' })).expect(201);
  await drained(server, workspace);
  expect(sentTexts()).toEqual(['An answer']);
  // The token's name is nothing to the other side.
  expect(sent()[0]).toMatchObject({ author_name: null });
  const { rows } = await workspace.api.get('/teams/messages?direction=outbound');
  expect(rows).toMatchObject([{ body: 'An answer', status: 'sent', comment_id: expect.any(Number) as number }]);
});

it('waits behind what has to be tried again, and fails for good where it is refused', async () => {
  const channel = await apiChannel(workspace.api, receiver.url);
  const { message } = await handedIn(channel, { external_message_id: 'm1', from: ADA, body: 'Help' });
  receiver.answer(503);
  for (const body of ['One', 'Two'])
    await workspace.api.post('/teams/messages', { channel_id: channel.id, thread_id: message?.thread_id, body });
  await until('the first was tried', () => receiver.requests.length > 0);
  await drained(server, workspace);
  // On a slow machine the first may have been tried once more by now.
  expect([...new Set(sentTexts())]).toEqual(['One']);
  receiver.answer(({ body }) => (body.includes('"One"') ? 200 : 422));
  await timePasses(server, workspace);
  await until('the second was tried', () => sentTexts().includes('Two'));
  await drained(server, workspace);
  const { rows } = await workspace.api.get('/teams/messages?direction=outbound&sort=created_at');
  expect(rows.map(({ body, status }) => [body, status])).toEqual([
    ['One', 'sent'],
    ['Two', 'failed'],
  ]);
  expect(rows[1]?.error).toMatchObject({ code: 'http_422' });
});

it('begins with somebody by their address; a channel without one takes nothing', async () => {
  const channel = await apiChannel(workspace.api, receiver.url);
  const body = { channel_id: channel.id, to: { address: 'u-7', name: 'Kim' }, body: 'Hello Kim' };
  const first = (await workspace.api.post('/teams/messages', body)).expect(201).data;
  const second = (await workspace.api.post('/teams/messages', body)).expect(201).data;
  expect(second.thread_id).toBe(first.thread_id);
  (await workspace.api.post('/teams/messages', { channel_id: channel.id, body: 'To whom?' })).expect(422);
  const silent = await apiChannel(workspace.api, null);
  const answer = await workspace.api.post('/teams/messages', { ...body, channel_id: silent.id });
  expect([answer.status, answer.codes]).toEqual([422, { channel_id: 'receives_only' }]);
  await drained(server, workspace);
});

it('is answered by the channel itself, by its hours, once', async () => {
  const auto_reply = { enabled: true, message: 'We are on it.', outside_hours_message: 'We sleep.' };
  const day = await apiChannel(workspace.api, receiver.url, { auto_reply });
  const { message, ticket } = await handedIn(day, { external_message_id: 'm1', from: ADA, body: 'Help' });
  await handedIn(day, { external_message_id: 'm2', from: ADA, body: 'Help!' });
  await drained(server, workspace);
  expect(sent()).toMatchObject([{ body: 'We are on it.', thread_id: message?.thread_id }]);
  expect(await commentsOf(workspace.api, ticket)).toEqual([['requester', 'Ada', 'Help!']]);
  receiver.forget();
  const holidays = Array.from({ length: 3 }, (_, n) => ({
    date: new Date(Date.now() + (n - 1) * 86_400_000).toISOString().slice(0, 10),
  }));
  const never = await make(workspace.api, '/schedules', { weekly: { mon: [['03:00', '03:01']] }, holidays });
  const night = await apiChannel(workspace.api, receiver.url, { auto_reply, schedule_id: never.id });
  await handedIn(night, { external_message_id: 'm1', from: ADA, body: 'Help' });
  await drained(server, workspace);
  expect(sent()).toMatchObject([{ body: 'We sleep.' }]);
});

it('can be tried', async () => {
  const channel = await apiChannel(workspace.api, receiver.url);
  const path = `/teams/channels/${channel.id}/test`;
  expect((await workspace.api.post(path)).expect(200).data).toMatchObject({ status: 'success', response_status: 204 });
  receiver.answer(500);
  const failed = (await workspace.api.post(path)).expect(200).data;
  expect(failed).toMatchObject({ status: 'failed', error: { code: 'http_500' } });
  expect(channel.config).toEqual({ url: receiver.url, secret: '********', secret_set: true });
});
