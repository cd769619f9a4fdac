import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeRule } from '../support/automations';
import { ADA, apiChannel, handedIn } from '../support/channels';
import { eventsOf } from '../support/event-log';
import { drained, timePasses } from '../support/jobs';
import { makePerson } from '../support/people';
import { tracesOf } from '../support/person';
import { useReceiver } from '../support/receiver';
import { useSql } from '../support/sql';
import { until } from '../support/until';
import { subscribe } from '../support/webhooks';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
const receiver = useReceiver();
let workspace: TestWorkspace;
let channel: Fields;
let word: string;

beforeEach(async () => {
  workspace = await makeWorkspace(server);
  channel = await apiChannel(workspace.api, receiver.at('/out'));
  word = `4111-${workspace.slug}-1111`;
});

interface Said {
  ticket: Fields;
  thread: number;
  comment: string;
  message: Fields;
}

/** Ada writes; what she writes then is a comment on the ticket of that. */
async function said(body: string, more: object = {}): Promise<Said> {
  const first = await handedIn(workspace.api, channel, { external_message_id: 'm1', from: ADA, body: 'Help' });
  const { message, ticket } = await handedIn(workspace.api, channel, {
    ...{ external_message_id: 'm2', from: ADA, body, ...more },
  });
  const comment = `/tickets/${ticket?.id}/comments/${message?.comment_id as number}`;
  return { ticket: ticket as Fields, thread: first.message?.thread_id as number, comment, message: message as Fields };
}

/** An agent answers in the conversation; the other side is not there. */
async function answered(thread_id: number, body: string, more: object = {}): Promise<Fields> {
  return (await workspace.api.post('/teams/messages', { channel_id: channel.id, thread_id, body, ...more })).expect(201)
    .data;
}

const traces = (): Promise<string[]> => tracesOf(sql, workspace, word);
const read = async ({ id }: Fields): Promise<Fields> =>
  (await workspace.api.get(`/teams/messages/${id}`)).expect(200).data;
/** What was told of a message: what happened, and what of it. */
const toldOf = async (thread: number, { id }: Fields): Promise<[string, Fields][]> =>
  (await eventsOf(server, workspace, 'channel_thread', thread)).flatMap(({ type, related }): [string, Fields][] => {
    const message = related?.message as Fields | undefined;
    return message?.id === id ? [[type.replace('channel_thread.message_', ''), message]] : [];
  });
const outside = (): string =>
  receiver
    .received('/out')
    .map(({ body }) => body)
    .join();

it('a message goes with the comment that was made of it, and with all that tells of it', async () => {
  const { api } = workspace;
  receiver.answer(({ body }) => ({ status: 200, body }));
  const hook = await subscribe(workspace, receiver.at('/hook'), ['channel_thread.*', 'ticket.*']);
  await makeRule(workspace, {
    trigger: 'ticket.comment_added',
    conditions: { all: [{ field: 'comment.body', operator: 'contains', value: 'Card' }] },
    actions: [{ type: 'set_field', field: 'priority', value: 'high' }],
  });
  const { comment, thread, message } = await said(`Card ${word}.`, { metadata: { card: word } });
  (
    await api.patch(`/teams/messages/${message.id}`, { custom_fields: { card: word } }, { 'idempotency-key': 'm' })
  ).expect(200);
  await drained(server, workspace);
  expect(await traces()).toEqual(expect.arrayContaining(['channel_messages', 'events', 'webhook_deliveries']));

  (await api.delete(comment)).expect(200);
  await drained(server, workspace);
  expect(await traces()).toEqual([]);
  expect(await read(message)).toMatchObject({
    ...{ body: '', metadata: {}, custom_fields: {}, comment_id: null, status: 'received' },
    deleted_at: expect.any(String) as string,
  });
  const told = await toldOf(thread, message);
  expect(told.map(([type]) => type)).toEqual(['added', 'updated', 'deleted']);
  expect(told[0]?.[1]).toMatchObject({ body: null, redacted: true, author_type: 'contact' });
  const log = (await api.get(`/webhooks/${hook.id}/deliveries?per_page=100`)).expect(200);
  expect(log.rows.length).toBeGreaterThan(4);
  for (const { id } of log.rows)
    expect((await api.get(`/webhooks/${hook.id}/deliveries/${id}`)).expect(200).text).not.toContain(word);
  expect((await api.get(`/teams/threads/${thread}?expand=messages`)).text).not.toContain(word);
});

it('a word that was redacted in a comment is redacted in its message', async () => {
  const { api } = workspace;
  const { comment, thread, message } = await said(`Card ${word}, again ${word}$&.`);
  await drained(server, workspace);
  (await api.post(`${comment}/redact`, { text: word })).expect(200);
  const body = 'Card [redacted], again [redacted]$&.';
  expect((await api.get(comment)).data.body).toBe(body);
  const now = await read(message);
  expect(now).toMatchObject({ body, deleted_at: null, edited_at: expect.any(String) as string });
  expect(await traces()).toEqual([]);
  const told = await toldOf(thread, message);
  expect(told.map(([type, { body: text }]) => [type, text])).toEqual([
    ['added', null],
    ['updated', body],
  ]);
  expect(now.comment_id).toBe(message.comment_id);
});

it('what waits does not leave any more, or leaves without the word', async () => {
  const { api } = workspace;
  receiver.answer(503);
  const { thread, ticket } = await said('And?');
  const gone = await answered(thread, `Your card is ${word}.`);
  const reworded = await answered(thread, `Again: ${word}.`);
  // What is said on the ticket becomes a message.
  const note = (await api.post(`/tickets/${ticket.id}/comments`, { body: `Last: ${word}.` })).expect(201).data;
  await until('the first was tried', () => outside().includes(word));
  await drained(server, workspace);
  receiver.forget();
  (await api.delete(`/tickets/${ticket.id}/comments/${gone.comment_id as number}`)).expect(200);
  for (const id of [reworded.comment_id as number, note.id])
    (await api.post(`/tickets/${ticket.id}/comments/${id}/redact`, { text: word })).expect(200);
  expect(await traces()).toEqual([]);
  expect(await read(gone)).toMatchObject({ body: '', status: 'failed', error: { code: 'withdrawn' } });
  receiver.answer(200);
  await timePasses(server, workspace);
  await until('the last was sent', () => outside().includes('Last: [redacted].'));
  await drained(server, workspace);
  expect(outside()).not.toContain(word);
  expect(outside()).toContain('Again: [redacted].');
  const { rows } = await api.get('/teams/messages?direction=outbound&sort=created_at');
  expect(rows.map(({ status }) => status)).toEqual(['failed', 'sent', 'sent']);
});

it('a message that says something else by now loses the word alone', async () => {
  const { api } = workspace;
  const { comment, message } = await said(`Card ${word}.`);
  (await api.patch(comment, { body: `The card is ${word}.` })).expect(200);
  (await api.post(`${comment}/redact`, { text: word })).expect(200);
  expect((await read(message)).body).toBe('Card [redacted].');
  expect(await traces()).toEqual([]);
});

it('a message that is deleted takes its comment along, once, and says so once', async () => {
  const { api } = workspace;
  const { thread, ticket, message } = await said(`Card ${word}.`);
  (await api.delete(`/teams/messages/${message.id}`)).expect(200);
  expect(await traces()).toEqual([]);
  expect((await toldOf(thread, message)).map(([type]) => type)).toEqual(['added', 'deleted']);
  const types = (await eventsOf(server, workspace, 'ticket', ticket.id)).map(({ type }) => type);
  expect(types.filter((type) => type === 'ticket.comment_deleted')).toHaveLength(1);
  expect((await api.get(`/tickets/${ticket.id}`)).data.comment_count).toBe(0);
});

it('messages go with the comments of a deleted ticket, and of one that was merged into another', async () => {
  const { api } = workspace;
  const { thread, ticket, message } = await said(`Card ${word}.`);
  const target = (await api.post('/tickets', { subject: 'All of it', requester_email: ADA.email })).expect(201).data;
  (await api.post(`/tickets/${ticket.id}/merge`, { into_id: target.id })).expect(200);
  const later = await answered(thread, `Later ${word}.`);
  await drained(server, workspace);
  (await api.delete(`/tickets/${target.id}`)).expect(200);
  await drained(server, workspace);
  for (const each of [message, later])
    expect(await read(each)).toMatchObject({ body: '', deleted_at: expect.any(String) as string });
  expect(await traces()).toEqual([]);
});

it('of a ticket that goes, each message goes with a version and an event of its own, and what waits does not leave', async () => {
  const { api } = workspace;
  receiver.answer(503);
  const { thread, ticket, message } = await said(`Card ${word}.`);
  const waiting = await answered(thread, `Later ${word}.`);
  await drained(server, workspace);
  const tag = async (): Promise<string | null> => (await api.get(`/teams/messages/${message.id}`)).header('etag');
  const before = await tag();
  (await api.delete(`/tickets/${ticket.id}`)).expect(200);
  expect(await read(waiting)).toMatchObject({ body: '', status: 'failed', error: { code: 'withdrawn' } });
  expect(await read(message)).toMatchObject({ status: 'received', error: null, attachments: [], template: null });
  expect(await tag()).not.toBe(before);
  for (const each of [message, waiting]) {
    const told = await toldOf(thread, each);
    expect(told.map(([type]) => type)).toEqual(['added', 'deleted']);
    expect(told.map(([, { redacted = false }]) => redacted)).toEqual([true, false]);
  }
  // What became the description was no comment.
  const { rows } = (await api.get(`/teams/messages?thread_id=${thread}&sort=created_at`)).expect(200);
  expect(rows.map(({ body }) => body)).toEqual(['Help', '', '']);
  expect(await traces()).toEqual([]);
});

it('who deletes a comment need not see the conversation', async () => {
  const { api } = workspace;
  channel = await apiChannel(api, null, { is_private: true });
  const { comment, thread, message } = await said(`Card ${word}.`);
  const agent = await makePerson(server, workspace, { role: 'supervisor' });
  (await agent.api.get(`/teams/messages/${message.id}`)).expect(404);
  (await agent.api.delete(comment)).expect(200);
  expect(await traces()).toEqual([]);
  expect((await toldOf(thread, message)).at(-1)?.[0]).toBe('deleted');
});

it('events that are not kept any more keep nobody from forgetting', async () => {
  const { comment, thread, message } = await said(`Card ${word}.`);
  await drained(server, workspace);
  await sql.rows('DELETE FROM events WHERE workspace_id = $1', [workspace.id]);
  (await workspace.api.delete(comment)).expect(200);
  expect(await traces()).toEqual([]);
  expect((await toldOf(thread, message)).map(([type]) => type)).toEqual(['deleted']);
});

it('templates and what programs add lose the word, too', async () => {
  const { api } = workspace;
  receiver.answer(503);
  const { thread } = await said('And?');
  const metadata = { card: word, count: 2 };
  const message = await answered(thread, `Card ${word}.`, { metadata });
  (
    await api.post(`/tickets/${message.ticket_id as number}/comments/${message.comment_id as number}/redact`, {
      text: word,
    })
  ).expect(200);
  expect(await read(message)).toMatchObject({ body: 'Card [redacted].', metadata: { card: '[redacted]', count: 2 } });
  expect(await traces()).toEqual([]);
});
