import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { bounceReport } from '../support/bounce-report';
import { make } from '../support/cast';
import { drained } from '../support/jobs';
import { ada, useMailbox } from '../support/mailbox';
import { useSmtpServer } from '../support/mail-servers';

const server = useApp();
const test = useMailbox(server);
const smtp = useSmtpServer();
let team: Fields;
let channel: Fields;

const config = (): object => ({ integration_id: test.mailbox.id });

beforeEach(async () => {
  const { api } = test.workspace;
  (await api.post('/integrations', { provider: 'smtp', config: smtp.config() })).expect(201);
  team = await make(api, '/teams', { name: 'Support' });
  const body = { type: 'email', name: 'Support', config: config(), team_id: team.id, default_priority: 'high' };
  channel = await make(api, '/teams/channels', body);
});

/** What stands in the conversations of the channel: place, direction, author, text, how far it came. */
async function said(): Promise<unknown[]> {
  const { rows } = await test.workspace.api.get(`/teams/messages?channel_id=${channel.id}&sort=created_at`);
  return rows.map(({ position, direction, author_type, body, status }) => [
    position,
    direction,
    author_type,
    body,
    status,
  ]);
}

const threads = async (): Promise<Fields[]> =>
  (await test.workspace.api.get(`/teams/threads?channel_id=${channel.id}&sort=created_at`)).rows;

it('shows a mailbox as conversations: what came in, once, and what went out, by how far the mail came', async () => {
  const { api } = test.workspace;
  expect(channel.address).toBe('support@acme.example');
  test.imap.deliver(ada(), 'It burns.');
  test.imap.deliver(ada(), 'It burns.');
  await test.look();
  const [ticket] = await test.tickets();
  expect(ticket).toMatchObject({ channel: 'email', team_id: team.id, priority: 'high' });
  const [thread] = await threads();
  expect(thread).toMatchObject({
    ...{ ticket_id: ticket?.id, subject: 'Printer on fire', contact_id: ticket?.contact_id },
    ...{ peer_address: 'ada@people.example', peer_name: 'Ada Lovelace', unread_count: 1 },
  });
  expect((await api.get(`/teams/messages?thread_id=${thread?.id ?? 0}`)).rows).toMatchObject([
    { external_message_id: '<first@people.example>', author_name: 'Ada Lovelace', body: 'It burns.' },
  ]);
  // Said in the conversation, and on the ticket: each goes out once.
  const reply = { channel_id: channel.id, thread_id: thread?.id, body: 'Have you tried water?' };
  expect((await api.post('/teams/messages', reply)).expect(201).data).toMatchObject({ status: 'queued' });
  await drained(server, test.workspace);
  (await api.post(`/tickets/${ticket?.id ?? 0}/comments`, { body: 'Or sand?' })).expect(201);
  await drained(server, test.workspace);
  expect(smtp.taken).toHaveLength(2);
  const answered = smtp.taken.at(-1)?.mail.messageId ?? '';
  test.imap.deliver(ada({ 'Message-ID': '<second@people.example>', 'In-Reply-To': answered }), 'It does not burn.');
  await test.look();
  expect(await said()).toEqual([
    [1, 'inbound', 'contact', 'It burns.', 'received'],
    [2, 'outbound', 'agent', 'Have you tried water?', 'sent'],
    [3, 'outbound', 'agent', 'Or sand?', 'sent'],
    [4, 'inbound', 'contact', 'It does not burn.', 'received'],
  ]);
  expect((await api.get(`/teams/messages?external_message_id=${encodeURIComponent(answered)}`)).rows).toMatchObject([
    { body: 'Or sand?' },
  ]);
  expect((await test.comments(ticket?.id ?? 0)).map(({ body }) => body)).toContain('It does not burn.');
  // What comes back failed, once.
  for (const id of ['dsn-1', 'dsn-2']) test.imap.deliverRaw(bounceReport(answered, 'ada@people.example', { id }));
  await test.look();
  expect((await said())[2]).toEqual([3, 'outbound', 'agent', 'Or sand?', 'failed']);
  const [lost] = (await api.get(`/teams/messages?channel_id=${channel.id}&status=failed`)).rows;
  expect(lost?.error).toMatchObject({ code: 'bounced' });
});

it('is one mailbox of the workspace, which answers by the words of mail and begins with tickets', async () => {
  const { api } = test.workspace;
  const made = (body: object) => api.post('/teams/channels', { type: 'email', name: 'x', ...body });
  const refused = async (body: object): Promise<unknown> => (await made(body)).expect(422).body.error;
  expect(await refused({ config: config() })).toMatchObject({ details: [{ code: 'in_use', id: channel.id }] });
  expect(await refused({ config: { integration_id: 4_711 } })).toMatchObject({ details: [{ code: 'not_found' }] });
  expect(await refused({ config: {} })).toMatchObject({ missing: ['config.integration_id'] });
  const auto_reply = { enabled: true, message: 'x' };
  (await api.patch(`/teams/channels/${channel.id}`, { auto_reply })).expect(422);
  (await api.patch(`/teams/channels/${channel.id}`, { name: 'Help', config: config() })).expect(200);
  (
    await api.post('/teams/messages', { channel_id: channel.id, body: 'x', to: { address: 'ada@people.example' } })
  ).expect(422);
  const told = { external_message_id: 'm-1', from: { email: 'ada@people.example' }, body: 'x' };
  (await api.post(`/teams/channels/${channel.id}/inbound`, told)).expect(422);
  // Without its channel a mailbox is read all the same.
  (await api.delete(`/teams/channels/${channel.id}`)).expect(200);
  test.imap.deliver(ada(), 'It burns.');
  await test.look();
  expect(await test.tickets()).toMatchObject([{ team_id: null, priority: 'medium' }]);
  expect(await threads()).toEqual([]);
  (await made({ config: config() })).expect(201);
});
