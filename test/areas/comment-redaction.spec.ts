import type { Answer, Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeRule, runsOf } from '../support/automations';
import { runBatch } from '../support/batch';
import { makeTicket } from '../support/cast';
import { ada, useMailbox } from '../support/mailbox';
import { useSmtpServer } from '../support/mail-servers';
import { useReceiver } from '../support/receiver';
import { useSql } from '../support/sql';
import { subscribe } from '../support/webhooks';
import { drained } from '../support/jobs';

const server = useApp();
const sql = useSql();
const smtp = useSmtpServer();
const receiver = useReceiver();
const test = useMailbox(server);

const FIRST = 'firstsecret';
const SECOND = 'secondsecret';

/** Tables of the workspace in whose rows, as text, one of the words stands. */
async function tablesWith(words: readonly string[]): Promise<string[]> {
  const tables = await sql.rows<{ name: string }>(
    `SELECT DISTINCT table_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE table_schema = 'public' AND column_name = 'workspace_id' AND table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const hits = await sql.rows(
      `SELECT FROM ${name} x WHERE workspace_id = $1 AND EXISTS (SELECT FROM unnest($2::text[]) w WHERE x::text ILIKE '%' || w || '%')`,
      [test.workspace.id, words],
    );
    if (hits.length > 0) found.push(name);
  }
  return found.sort();
}

/** Everything that listens: an endpoint whose receiver echoes, a chat, a mail server, an automation that quotes and one that asks. */
async function listenersOf(): Promise<void> {
  const { workspace } = test;
  receiver.answer(({ body }) => ({ status: 200, body }));
  await subscribe(workspace, receiver.at('/hook'), ['ticket.*']);
  const post = async (body: object): Promise<void> =>
    void (await workspace.api.post('/integrations', body)).expect(201);
  await post({ provider: 'smtp', config: smtp.config() });
  await post({ provider: 'slack', config: { webhook_url: receiver.at('/chat') }, events: ['ticket.comment_added'] });
  await makeRule(workspace, {
    trigger: 'ticket.comment_added',
    conditions: { all: [{ field: 'comment.body', operator: 'contains', value: 'secret' }] },
    actions: [
      { type: 'set_field', field: 'priority', value: 'high' },
      { type: 'send_email', to: ['boss@acme.example'], subject: 'About {{comment.body}}', body: '{{comment.body}}' },
      { type: 'webhook', url: receiver.at('/rule'), method: 'POST', body: { said: '{{comment.body}}' } },
    ],
  });
}

it('what a deleted comment said is nowhere any more; that it was there stays', async () => {
  await listenersOf();
  const { workspace } = test;
  const { api } = workspace;
  test.imap.deliver(ada(), 'It burns.');
  await test.look();
  const [ticket] = await test.tickets();
  const id = ticket?.id ?? 0;
  const path = `/tickets/${id}/comments`;
  const key = { 'idempotency-key': 'comment' };
  const comment = (await api.post(path, { body: FIRST, custom_fields: { note: FIRST } }, key)).expect(201).data;
  (await api.patch(`${path}/${comment.id}`, { body: SECOND })).expect(200);
  (await api.post(`/tickets/${id}/assign?expand=comments`, { user_id: null }, { 'idempotency-key': 'assign' })).expect(
    200,
  );
  await drained(server, workspace);
  expect(receiver.received('/chat')).toHaveLength(1);
  expect(receiver.received('/rule')).toHaveLength(1);
  expect(smtp.taken).toHaveLength(2);
  expect(await tablesWith([FIRST, SECOND])).toEqual([
    'automation_runs',
    'events',
    'integration_logs',
    'outgoing_mails',
    'ticket_comments',
    'webhook_deliveries',
  ]);

  (await api.delete(`${path}/${comment.id}`)).expect(200);
  expect(await tablesWith([FIRST, SECOND])).toEqual([]);
  await drained(server, workspace);
  expect(await tablesWith([FIRST, SECOND])).toEqual([]);

  const seen = (answer: Answer): string => answer.expect(200).text;
  const history = await api.get(`/tickets/${id}/history?per_page=100`);
  for (const text of [
    seen(history),
    seen(await api.get('/events?per_page=100')),
    seen(await api.get('/audit-logs?per_page=100')),
    seen(await api.get(`/tickets/${id}?expand=comments`)),
    seen(await api.get(`/tickets/${id}/automation-runs`)),
  ])
    expect(text).not.toMatch(/firstsecret|secondsecret/);
  const told = history.rows.filter(({ related }) => (related as Fields | null)?.comment);
  expect(told.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['ticket.comment_added', 'ticket.comment_updated', 'ticket.comment_deleted']),
  );
  const added = told.find(({ type }) => type === 'ticket.comment_added')?.related as Record<string, Fields>;
  expect(added.comment).toMatchObject({ id: comment.id, body: null, redacted: true, author_type: 'agent' });
  const [run] = await runsOf(workspace, 'tickets', id);
  expect(run?.actions.map(({ type, status }) => [type, status])).toEqual([
    ['set_field', 'done'],
    ['send_email', 'done'],
    ['webhook', 'done'],
  ]);
  expect(run?.actions[0]?.after).toMatchObject({ priority: 'high' });

  // The same request again is answered again, without what is gone.
  const again = (await api.post(path, { body: FIRST, custom_fields: { note: FIRST } }, key)).expect(201);
  expect(again.header('idempotent-replayed')).toBe('true');
  expect(again.data).toMatchObject({ id: comment.id, body: '', custom_fields: {} });
  const assigned = await api.post(
    `/tickets/${id}/assign?expand=comments`,
    { user_id: null },
    { 'idempotency-key': 'assign' },
  );
  for (const { text } of [again, assigned]) expect(text).not.toMatch(/firstsecret|secondsecret/);
});

it('what has not been sent yet does not leave any more', async () => {
  const { workspace } = test;
  const { api } = workspace;
  await subscribe(workspace, receiver.at('/late'), ['ticket.comment_added']);
  receiver.answer(503);
  const { id } = await makeTicket(api);
  const comment = (await api.post(`/tickets/${id}/comments`, { body: FIRST })).expect(201).data;
  await drained(server, workspace);
  (await api.delete(`/tickets/${id}/comments/${comment.id}`)).expect(200);
  receiver.forget();
  receiver.answer(200);
  const [delivery] = (await api.get('/webhooks?fields=id')).rows;
  const [waiting] = (await api.get(`/webhooks/${delivery?.id ?? 0}/deliveries`)).rows;
  (await api.post(`/webhooks/${delivery?.id ?? 0}/deliveries/${waiting?.id ?? 0}/redeliver`)).expect(202);
  await drained(server, workspace);
  expect(receiver.received('/late').map(({ body }) => body.includes(FIRST))).toEqual([false]);
});

it('the comments of a deleted ticket go with it; other comments stay', async () => {
  const { api } = test.workspace;
  const [one, other] = [await makeTicket(api), await makeTicket(api)];
  const { results } = await runBatch(api, [
    { op: 'comment', id: one.id, data: { body: FIRST } },
    { op: 'comment', id: other.id, data: { body: SECOND } },
  ]);
  const second = (await api.post(`/tickets/${other.id}/comments`, { body: FIRST })).expect(201).data;
  (await api.delete(`/tickets/${one.id}`)).expect(200);
  (await api.delete(`/tickets/${other.id}/comments/${second.id}`)).expect(200);
  expect(await tablesWith([FIRST])).toEqual([]);
  expect(await tablesWith([SECOND])).toEqual(['events', 'ticket_comments']);
  expect((await api.get(`/tickets/${one.id}/history`)).expect(200).rows.length).toBeGreaterThan(1);
  expect(results).toHaveLength(2);
});

it.each(['the comment', 'the ticket'])(
  'an answer of which only parts were asked for is not given again when %s was deleted',
  async (which) => {
    const { api } = test.workspace;
    const { id } = await makeTicket(api);
    const key = { 'idempotency-key': which.replace(' ', '-') };
    const body = { body: SECOND, custom_fields: { note: FIRST } };
    const path = `/tickets/${id}/comments`;
    const post = (fields: string): Promise<Answer> => api.post(`${path}?fields=${fields}`, body, key);
    expect((await post('custom_fields')).expect(201).text).toContain(FIRST);
    const [comment] = (await api.get(path)).rows;
    (await api.delete(which === 'the ticket' ? `/tickets/${id}` : `${path}/${comment?.id ?? 0}`)).expect(200);
    const again = (await post('custom_fields')).expect(201);
    expect([again.header('idempotent-replayed'), again.data]).toEqual(['true', { custom_fields: {} }]);
  },
);

it('requests cannot change events', async () => {
  const rows = await sql.rows<{ may: boolean }>(
    `SELECT bool_or(has_table_privilege('helpdesk_app', 'events', p)) AS may FROM unnest(ARRAY['UPDATE', 'DELETE', 'TRUNCATE']) AS p`,
  );
  expect(rows).toEqual([{ may: false }]);
});

it('is done as well in the way of the release before, of one comment and of all', async () => {
  const { workspace } = test;
  const ticket = await makeTicket(workspace.api);
  const ids: unknown[] = [];
  for (const body of [FIRST, SECOND, 'third'])
    ids.push((await workspace.api.post(`/tickets/${ticket.id}/comments`, { body })).expect(201).data.id);
  const forgotten = async (id: unknown): Promise<unknown[]> => {
    const rows = await sql.rows<{ texts: string[] }>(
      `WITH bound AS MATERIALIZED (SELECT set_config('app.workspace_id', $1, true) AS id)
       SELECT r.texts FROM bound CROSS JOIN LATERAL redact_events('ticket', $2, CASE WHEN bound.id <> '' THEN 'comment' END, $3, ARRAY['body']) r`,
      [String(workspace.id), ticket.id, id],
    );
    // The first answer is told twice, once as such.
    return [...new Set(rows.flatMap(({ texts }) => texts))].sort();
  };
  expect(await forgotten(ids[1])).toEqual([SECOND]);
  expect(await forgotten(null)).toEqual([FIRST, 'third']);
});
