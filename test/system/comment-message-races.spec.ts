import { say, start } from '../support/ai-conversations';
import type { Fields } from '../support/api';
import { startApp, type TestApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { ADA, apiChannel, handedIn, handIn } from '../support/channels';
import { eventsOf } from '../support/event-log';
import { drained } from '../support/jobs';
import { type ScratchDatabase, scratchDatabase } from '../support/scratch-database';
import { openSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const ROUNDS = 12;
let scratch: ScratchDatabase;
let server: TestApp;
let workspace: TestWorkspace;
let sql: ReturnType<typeof openSql>;

// On a database of its own: its deadlocks are those of this file.
beforeAll(async () => {
  scratch = await scratchDatabase({ migrated: true });
  server = await startApp({ databaseUrl: scratch.serviceUrl });
  sql = openSql(scratch.url);
  workspace = await makeWorkspace(server);
});
afterAll(async () => {
  await sql.end();
  await server.close();
  await scratch.drop();
});

const deadlocks = async (): Promise<number> => {
  const [row] = await sql.rows<{ n: number }>(
    'SELECT deadlocks::integer AS n FROM pg_stat_database WHERE datname = current_database()',
  );
  return row?.n ?? 0;
};

interface Said {
  message: Fields;
  ticket: number;
  comment: string;
}

/** A ticket with something that Ada said and something that was answered, both to be deleted; what is answered waits. */
async function said(channel: Fields, round: number, word: string): Promise<Said[]> {
  const { api } = workspace;
  const from = { ...ADA, email: `ada-${round}@example.com` };
  await handedIn(api, channel, { external_message_id: `${round}-1`, from, body: 'Help' });
  const inbound = (await handedIn(api, channel, { external_message_id: `${round}-2`, from, body: `In ${word}` }))
    .message;
  const answer = { channel_id: channel.id, thread_id: inbound?.thread_id, body: `Out ${word}` };
  const outbound = (await api.post('/teams/messages', answer)).expect(201).data;
  return [inbound as Fields, outbound].map((message) => {
    const ticket = message.ticket_id as number;
    return { message, ticket, comment: `/tickets/${ticket}/comments/${message.comment_id as number}` };
  });
}

it('comments and their messages are deleted, redacted and changed from both sides at once, in one order of locks', async () => {
  const { api } = workspace;
  const channel = await apiChannel(api, 'http://127.0.0.1:9/', {});
  const before = await deadlocks();
  const word = `4111-${workspace.slug}`;
  for (let round = 0; round < ROUNDS; round++) {
    const [inbound, outbound] = (await said(channel, round, word)) as [Said, Said];
    const name = { external_message_id: `${round}-2` };
    const isKept = round % 3 === 0;
    const answers = await Promise.all([
      handIn(api, channel, { ...name, type: 'edit', body: 'In other words' }),
      api.patch(`/teams/messages/${outbound.message.id}`, { body: 'Out in other words' }),
      api.patch(outbound.comment, { body: 'Another comment' }),
      ...[inbound, outbound].flatMap(({ comment, message }) => [
        api.post(`${comment}/redact`, { text: word }),
        ...(isKept ? [] : [api.delete(comment), api.delete(`/teams/messages/${message.id}`)]),
      ]),
      ...(isKept ? [] : [handIn(api, channel, { ...name, type: 'deletion' })]),
      handIn(api, channel, {
        external_message_id: `${round}-3`,
        from: { email: `ada-${round}@example.com` },
        body: 'And?',
      }),
      api.post(`/tickets/${inbound.ticket}/comments`, { body: 'I am on it.' }),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => ![200, 201, 404, 422].includes(status))).toEqual([]);
    for (const { comment, message } of [inbound, outbound]) {
      const left = (await api.get(`/teams/messages/${message.id}`)).expect(200).data;
      const isThere = (await api.get(comment)).status === 200;
      expect([isThere, left.deleted_at === null, left.body !== '']).toEqual([isKept, isKept, isKept]);
      const told = await eventsOf(server, workspace, 'channel_thread', message.thread_id as number);
      const deleted = told.filter(
        ({ type, related }) =>
          type === 'channel_thread.message_deleted' && (related?.message as Fields | undefined)?.id === message.id,
      );
      expect(deleted).toHaveLength(isKept ? 0 : 1);
    }
    if (round % 4 === 1)
      await Promise.all([
        api.delete(`/tickets/${inbound.ticket}`),
        handIn(api, channel, {
          external_message_id: `${round}-4`,
          from: { email: `ada-${round}@example.com` },
          body: 'So?',
        }),
        api.post(`/tickets/${inbound.ticket}/comments`, { body: 'Gone?' }),
      ]).then((all) => expect(all.filter(({ status }) => status >= 500)).toEqual([]));
  }
  await drained(server, workspace);
  const rows = await sql.rows(
    `SELECT m.id FROM channel_messages m LEFT JOIN ticket_comments c ON c.workspace_id = m.workspace_id AND c.id = m.comment_id
     WHERE m.workspace_id = $1 AND m.comment_id IS NOT NULL AND (c.id IS NULL OR m.deleted_at IS NOT NULL)`,
    [workspace.id],
  );
  expect(rows).toEqual([]);
  expect((await deadlocks()) - before).toBe(0);
});

it('comments go while their conversation with the AI engine goes on, in one order of locks', async () => {
  const { api } = workspace;
  const before = await deadlocks();
  const ticket = await makeTicket(api, { requester_email: 'eve@people.example' });
  const begun = await start(api, 'Let me talk to a human', { ticket_id: ticket.id });
  const comments = `/tickets/${ticket.id}/comments`;
  for (let round = 0; round < ROUNDS; round++) {
    await say(api, begun, `Secret ${round}`);
    const [last] = (await api.get(`${comments}?author_type=requester&sort=-created_at&per_page=1`)).rows;
    const path = `/ai-engine/conversations/${begun.id}/messages`;
    const answers = await Promise.all([
      api.post(path, { message: 'And then?' }),
      round % 2 === 0
        ? api.delete(`${comments}/${last?.id}`)
        : api.post(`${comments}/${last?.id}/redact`, { text: 'Secret' }),
      api.post(path, { message: 'And now?' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  }
  const { rows } = await api.get(`/ai-engine/conversations/${begun.id}/messages?role=user&per_page=100`);
  expect(rows).toHaveLength(1 + 3 * ROUNDS);
  expect(rows.filter(({ body }) => body === '[redacted]')).toHaveLength(ROUNDS);
  expect((await deadlocks()) - before).toBe(0);
});
