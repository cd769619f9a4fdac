import { MAX_MESSAGE } from '../../src/areas/ai-engine/conversations/conversation-values';
import { repeats } from '../../src/areas/ai-engine/conversations/message-redaction';
import type { Fields } from '../support/api';
import { desk, QUESTION } from '../support/ai-conversations';
import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { drained } from '../support/jobs';

const server = useApp();

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

it.each([
  ['One', 'One', true],
  ['One\n\nTwo\n\nThree', 'Two', true],
  ['One\n\nTwo\n\nThree', 'Two\n\nThree', true],
  ['One and Two', 'Two', false],
  ['One', 'One and Two', false],
  [`One\n\n${'x'.repeat(MAX_MESSAGE - 5)}`, 'x'.repeat(MAX_MESSAGE), true],
  [`One\n\n${'x'.repeat(MAX_MESSAGE - 5)}`, `y${'x'.repeat(MAX_MESSAGE)}`, false],
])('a message repeats a comment (%#)', (message, comment, expected) => {
  expect(repeats(message, comment)).toBe(expected);
});
