import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { makeWorkspace } from '../support/workspace';

const server = useApp();

it.each([
  ['Chinese', '字'],
  ['Thai', 'ก'],
])('a question in one run of characters is answered, however long it is (%s)', async (_name, letter) => {
  const { api } = await makeWorkspace(server);
  const run = letter.repeat(1_500);
  const article = { title: 'Printer', body: `${run} printer`, status: 'published' };
  (await api.post('/kb/articles', article)).expect(201);
  const ticket = await makeTicket(api, { subject: run.slice(0, 255), description: run });
  const found = (await api.post('/ai-engine/retrieve', { query: `${run} printer`, min_score: 0 })).expect(200).data;
  expect(found.hits).toMatchObject([{ title: 'Printer' }]);
  (await api.post('/ai-engine/retrieve', { query: letter.repeat(255) })).expect(200);
  (await api.post('/ai-engine/suggest-reply', { ticket_id: ticket.id })).expect(200);
  (await api.post('/ai-engine/conversations', { message: run })).expect(201);
});
