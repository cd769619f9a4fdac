import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { drained } from '../support/jobs';
import { tracesOf } from '../support/person';
import { useSql } from '../support/sql';
import { makeWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

it('a word that was redacted in a comment is nowhere any more, the rest of it is', async () => {
  const workspace = await makeWorkspace(server);
  const { api } = workspace;
  const { id } = await makeTicket(api);
  const path = `/tickets/${id}/comments`;
  const card = `4111-${workspace.slug}-1111`;
  const comment = (await api.post(path, { body: `Card ${card}, again ${card}.` }, { 'idempotency-key': 'c' })).expect(
    201,
  ).data;
  (await api.patch(`${path}/${comment.id}`, { body: `Card ${card}, once more ${card}$&.` })).expect(200);
  await drained(server, workspace);
  expect(await tracesOf(sql, workspace, card)).toEqual(['events', 'ticket_comments']);
  const answer = (await api.post(`${path}/${comment.id}/redact`, { text: card })).expect(200);
  expect(answer.data).toMatchObject({ id: comment.id, body: 'Card [redacted], once more [redacted]$&.' });
  expect(answer.header('etag')).not.toBe('"2"');
  expect(await tracesOf(sql, workspace, card)).toEqual([]);
  const again = (await api.post(path, { body: `Card ${card}, again ${card}.` }, { 'idempotency-key': 'c' })).expect(
    201,
  );
  expect(again.text).not.toContain(card);
  const told = (await eventsOf(server, workspace, 'ticket', id)).filter(({ type }) =>
    type.startsWith('ticket.comment'),
  );
  expect(told.map(({ type }) => type)).toEqual([
    'ticket.comment_added',
    'ticket.comment_updated',
    'ticket.comment_redacted',
  ]);
  expect(told[2]?.related).toEqual({ comment: { id: comment.id, body: answer.data.body } });
});

it('says no to what the comment does not say, and to who has another version of it', async () => {
  const { api } = await makeWorkspace(server);
  const { id } = await makeTicket(api);
  const path = `/tickets/${id}/comments`;
  const comment = (await api.post(path, { body: 'aaaa Bbbb' })).expect(201).data;
  const redact = async (body: object, headers = {}): Promise<unknown> =>
    (await api.post(`${path}/${comment.id}/redact`, body, headers)).expect(422).codes;
  expect(await redact({ text: 'bbbb' })).toEqual({ text: 'not_found' });
  expect(await redact({ text: '' })).toEqual({ text: 'min' });
  expect(await redact({})).toEqual({ text: 'required' });
  (await api.post(`${path}/${comment.id}/redact`, { text: 'aaaa' }, { 'if-match': '"9"' })).expect(412);
  (await api.post(`${path}/77/redact`, { text: 'aaaa' })).expect(404);
  const long = (await api.post(path, { body: 'ab'.repeat(30_000) })).expect(201).data;
  expect((await api.post(`${path}/${long.id}/redact`, { text: 'a' })).expect(422).codes).toEqual({ text: 'min' });
});
