import fc from 'fast-check';
import { MAX_MESSAGE } from '../../src/areas/ai-engine/conversations/conversation-values';
import { consistsOf, repeats, TakenTexts } from '../../src/areas/ai-engine/conversations/repeated-texts';
import type { Fields } from '../support/api';
import { desk, QUESTION, say, start, UNKNOWN } from '../support/ai-conversations';
import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { drained } from '../support/jobs';
import { tracesOf } from '../support/person';
import { useReceiver } from '../support/receiver';
import { useSql } from '../support/sql';
import { Guest, webchat } from '../support/webchat';
import { subscribe } from '../support/webhooks';

const server = useApp();
const sql = useSql();
const receiver = useReceiver();

it('what is taken out of a comment, or goes with it, goes from the conversation of the engine', async () => {
  const home = await desk(server);
  const { api } = home;
  (await api.patch('/ai-engine/settings', { mode: 'auto_reply' })).expect(200);
  const said = async (ticket: Fields): Promise<unknown[]> => {
    const [led] = (await api.get(`/ai-engine/conversations?ticket_id=${ticket.id}`)).rows;
    const { rows } = (await api.get(`/ai-engine/conversations/${led?.id}/messages?role=user`)).expect(200);
    return rows.map(({ body }) => body).slice(1);
  };
  const paths: string[] = [];
  const tickets: Fields[] = [];
  for (const who of ['ada', 'bob']) {
    const ticket = await makeTicket(api, { subject: QUESTION, requester_email: `${who}@people.example` });
    await drained(server, home);
    const card = `My card is 4111 1111 1111 1111. ${QUESTION}`;
    const comments = `/tickets/${ticket.id}/comments`;
    const { data } = (await api.post(comments, { body: card, author_type: 'requester' })).expect(201);
    await drained(server, home);
    expect(await said(ticket)).toEqual([card]);
    tickets.push(ticket);
    paths.push(`${comments}/${data.id}`);
  }
  (await api.post(`${paths[0]}/redact`, { text: '4111 1111 1111 1111' })).expect(200);
  (await api.delete(String(paths[1]))).expect(200);
  for (const ticket of tickets) expect(await said(ticket)).toEqual(['[redacted]']);
});

it('what the engine passed on goes from its conversation: also what was put together, said first, and told by events', async () => {
  const home = await desk(server);
  const { api } = home;
  receiver.answer(({ body }) => ({ status: 200, body }));
  await subscribe(home, receiver.at('/hook'), ['ai_conversation.*']);
  const word = `4111-${home.slug}-1111`;
  const ticket = await makeTicket(api, { requester_email: 'ada@people.example' });
  const key = { 'idempotency-key': 'begin' };
  const message = `My card is ${word}. ${QUESTION}`;
  const begun = (await api.post('/ai-engine/conversations', { message, ticket_id: ticket.id }, key)).expect(201).data;
  await say(api, begun, 'Let me talk to a human');
  await say(api, begun, `It is ${word}.`);
  await drained(server, home);
  const comments = `/tickets/${ticket.id}/comments`;
  const [whole, after] = (await api.get(`${comments}?author_type=requester&sort=created_at`)).rows;
  expect([whole?.body, after?.body]).toEqual([`${message}\n\nLet me talk to a human`, `It is ${word}.`]);
  const path = `/ai-engine/conversations/${begun.id}`;
  const before = (await api.get(path)).data;
  (await api.post(`${comments}/${whole?.id}/redact`, { text: word })).expect(200);
  (await api.delete(`${comments}/${after?.id}`)).expect(200);
  expect(await tracesOf(sql, home, word)).toEqual([]);
  const shown = (await api.get(`${path}?expand=messages`)).expect(200).data;
  expect(shown).toMatchObject({ first_message: '[redacted]', reply: before.reply, turns: 3 });
  expect((shown.messages as Fields[]).filter(({ role }) => role === 'user').map(({ body }) => body)).toEqual([
    '[redacted]',
    '[redacted]',
    '[redacted]',
  ]);
  const told = await eventsOf(server, home, 'ai_conversation', begun.id);
  expect(told.map(({ data }) => data.first_message)).toEqual(told.map(() => '[redacted]'));
  expect(Object.keys(told[0]?.data ?? {})).toEqual(Object.keys(begun));
  const again = await api.post('/ai-engine/conversations', { message, ticket_id: ticket.id }, key);
  expect(again.header('idempotent-replayed')).toBe('true');
  expect(again.text).not.toContain(word);
});

it('what the engine said on a ticket goes from its conversation with the comment', async () => {
  const home = await desk(server);
  const { api } = home;
  (await api.patch('/ai-engine/settings', { mode: 'auto_reply', signature: 'Your desk' })).expect(200);
  const ticket = await makeTicket(api, { subject: QUESTION, requester_email: 'ada@people.example' });
  await drained(server, home);
  const [led] = (await api.get(`/ai-engine/conversations?ticket_id=${ticket.id}`)).rows;
  expect(led?.reply).toContain('Reset password');
  const [answer] = (await api.get(`/tickets/${ticket.id}/comments?author_type=ai`)).rows;
  (await api.delete(`/tickets/${ticket.id}/comments/${answer?.id}`)).expect(200);
  const shown = (await api.get(`/ai-engine/conversations/${led?.id}?expand=messages`)).expect(200).data;
  expect(shown).toMatchObject({ reply: '[redacted]', first_message: led?.first_message });
  expect((shown.messages as Fields[]).map(({ body }) => body)).toEqual([led?.first_message, '[redacted]']);
});

it('what was said in a chat that the engine leads, or led, goes from its conversation', async () => {
  const home = await desk(server);
  const { api } = home;
  const word = `4111-${home.slug}-1111`;
  const channel = await webchat(api, { ai: 'auto' });
  const guest = await Guest.of(server, api, channel);
  await guest.begin({ name: 'Ada' });
  const says = async (body: string, id: string): Promise<void> => {
    expect((await guest.say(body, id)).status).toBe(200);
    await drained(server, home);
  };
  await says(`My card is ${word}. ${QUESTION}`, 'client-01');
  const thread = (await api.get(`/teams/threads?channel_id=${channel.id}`)).rows[0] as Fields;
  const inbound = async (): Promise<Fields[]> =>
    (await api.get(`/teams/messages?thread_id=${thread.id}&direction=inbound&sort=created_at`)).rows;
  (await api.delete(`/teams/messages/${(await inbound())[0]?.id}`)).expect(200);
  const led = (await api.get(`/ai-engine/conversations?thread_id=${thread.id}&expand=messages`)).rows[0] as Fields;
  const said = (led.messages as Fields[]).filter(({ role }) => role === 'user').map(({ body }) => body);
  expect([led.first_message, said, led.ticket_id]).toEqual(['[redacted]', ['[redacted]'], null]);
  expect(await tracesOf(sql, home, word)).toEqual([]);

  // A person has it from here: what is said is a comment.
  (await api.post(`/ai-engine/conversations/${led.id}/handover`, {})).expect(200);
  await says(`It is ${word}.`, 'client-03');
  await says(UNKNOWN, 'client-04');
  const [, second] = await inbound();
  const ticket = second?.ticket_id as number;
  (await api.post(`/tickets/${ticket}/comments/${second?.comment_id as number}/redact`, { text: word })).expect(200);
  expect((await guest.seen()).slice(-2)).toEqual([
    ['visitor', 'It is [redacted].'],
    ['visitor', UNKNOWN],
  ]);
  expect(await tracesOf(sql, home, word)).toEqual([]);
});

it('what was heard is forgotten though the events of the comment are not kept any more', async () => {
  const home = await desk(server);
  const { api } = home;
  const word = `4111-${home.slug}-1111`;
  const ticket = await makeTicket(api, { requester_email: 'ada@people.example' });
  const begun = await start(api, 'Let me talk to a human', { ticket_id: ticket.id });
  await say(api, begun, `It is ${word}.`);
  await drained(server, home);
  await sql.rows('DELETE FROM events WHERE workspace_id = $1', [home.id]);
  const [, said] = (await api.get(`/tickets/${ticket.id}/comments?author_type=requester&sort=created_at`)).rows;
  (await api.delete(`/tickets/${ticket.id}/comments/${said?.id}`)).expect(200);
  expect(await tracesOf(sql, home, word)).toEqual([]);
});

it.each([
  ['One', 'One', true],
  ['One\n\nTwo\n\nThree', 'Two', true],
  ['One\n\nTwo\n\nThree', 'Two\n\nThree', true],
  ['One and Two', 'Two', false],
  ['One', 'One and Two', false],
  [`One\n\n${'x'.repeat(MAX_MESSAGE - 5)}`, 'x'.repeat(MAX_MESSAGE), true],
  [`One\n\n${'x'.repeat(MAX_MESSAGE - 5)}`, `y${'x'.repeat(MAX_MESSAGE)}`, false],
  [`${'x'.repeat(MAX_MESSAGE - 5)}\n\nTwo`, 'x'.repeat(MAX_MESSAGE), true],
  [`${'x'.repeat(MAX_MESSAGE - 5)}\n\nTwo`, `${'x'.repeat(MAX_MESSAGE)}y`, false],
  ['x'.repeat(MAX_MESSAGE), `yy${'x'.repeat(MAX_MESSAGE)}`, true],
  ['x'.repeat(MAX_MESSAGE), `y${'x'.repeat(MAX_MESSAGE)}y`, false],
])('a message repeats a comment (%#)', (message, comment, expected) => {
  expect(repeats(message, comment)).toBe(expected);
});

it.each([
  ['One\n\nTwo\n\nThree', 'Two', true],
  ['One and Two', 'Two', false],
  ['Two', 'One\n\nTwo', false],
])('a text is put together of another (%#)', (whole, part, expected) => {
  expect(consistsOf(whole, part)).toBe(expected);
});

it('many texts are found in a message as each of them is', () => {
  const line = fc.constantFrom('', 'One', 'Two', 'One and Two', 'x'.repeat(20));
  const text = fc.array(line, { minLength: 1, maxLength: 6 }).map((lines) => lines.join('\n'));
  // As long as a message gets, cut at either end.
  const long = fc.tuple(text, text).map(([head, tail]) => `${head}${'x'.repeat(MAX_MESSAGE)}${tail}`);
  const message = fc.oneof(
    text,
    long.map((each) => each.slice(0, MAX_MESSAGE)),
    long.map((each) => each.slice(-MAX_MESSAGE)),
  );
  fc.assert(
    fc.property(fc.array(fc.oneof({ weight: 4, arbitrary: text }, long), { maxLength: 6 }), message, (texts, said) => {
      const taken = new TakenTexts(texts);
      expect(taken.areRepeatedBy(said)).toBe(texts.some((each) => repeats(said, each)));
      if (texts.some((each) => consistsOf(each, said))) expect(taken.consistOf(said)).toBe(true);
    }),
  );
});
