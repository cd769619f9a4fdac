import { publish } from '../support/ai-conversations';
import type { Api, Fields } from '../support/api';
import { useApp } from '../support/app';
import { make, makeUser } from '../support/cast';
import { drained } from '../support/jobs';
import { ada, useMailbox } from '../support/mailbox';
import { useSmtpServer } from '../support/mail-servers';

const server = useApp();
const test = useMailbox(server);
const smtp = useSmtpServer();
const BODY = 'Open the account page and choose Reset password. A link is sent to your phone.';
const byTurn = { way: 'team', strategy: 'round_robin', candidates: 1, presence: 'offline' };
let api: Api;
let team: Fields;
let only: Fields;

beforeEach(async () => {
  ({ api } = test.workspace);
  (await api.post('/integrations', { provider: 'smtp', config: smtp.config() })).expect(201);
  await publish(api, 'Reset your password', BODY);
  team = await make(api, '/teams', { assignment: { method: 'round_robin' } });
  only = await makeUser(api, { team_ids: [team.id] });
});

/** A mail of Ada's comes in, and everything that follows of it is done. */
async function adaWrites(text: string, headers: Record<string, string>): Promise<void> {
  test.imap.deliver(ada(headers), text);
  await test.look();
  await drained(server, test.workspace);
}

async function reasonOf(id: number): Promise<unknown> {
  const { rows } = (await api.get(`/tickets/${id}/history`)).expect(200);
  return rows.find(({ reason }) => reason !== null)?.reason ?? null;
}

it('gives what comes by mail to whose turn it is: its mailbox names a team, or a category that has one, or a rule does', async () => {
  const conditions = { all: [{ field: 'subject', operator: 'eq', value: 'By a rule' }] };
  const actions = [{ type: 'set_field', field: 'team_id', value: team.id }];
  await make(api, '/automations', { trigger: 'ticket.created', conditions, actions });
  await adaWrites('It burns.', { Subject: 'By a rule', 'Message-ID': '<one@people.example>' });
  const category = await make(api, '/categories', { default_team_id: team.id });
  const body = { type: 'email', name: 'Support', config: { integration_id: test.mailbox.id }, team_id: team.id };
  const channel = await make(api, '/teams/channels', body);
  await adaWrites('It burns.', { Subject: 'By its mailbox', 'Message-ID': '<two@people.example>' });
  (await api.patch(`/teams/channels/${channel.id}`, { team_id: null, default_category_id: category.id })).expect(200);
  await adaWrites('It burns.', { Subject: 'By its category', 'Message-ID': '<three@people.example>' });
  const tickets = await test.tickets();
  expect(tickets.map(({ subject, assigned_to }) => [subject, assigned_to])).toEqual([
    ['By a rule', only.id],
    ['By its mailbox', only.id],
    ['By its category', only.id],
  ]);
  for (const { id } of tickets) expect(await reasonOf(id)).toEqual(byTurn);
});

it('answers a mail by mail, goes on with the reply, and gives it to whose turn it is where it is not sure', async () => {
  const settings = {
    mode: 'auto_reply',
    channels: ['email'],
    handover_team_id: team.id,
    signature: 'The service desk',
  };
  (await api.patch('/ai-engine/settings', settings)).expect(200);
  await adaWrites('Reset my password, please.', { Subject: 'How can I reset my password?' });
  const [ticket] = await test.tickets();
  const [sent, ...others] = smtp.taken.filter(({ mail }) => mail.text?.includes('choose Reset password'));
  expect(others).toEqual([]);
  expect(sent?.to).toContain('ada@people.example');
  expect(sent?.mail.text).toContain('The service desk');
  const led = async (): Promise<Fields | undefined> =>
    (await api.get(`/ai-engine/conversations?ticket_id=${ticket?.id ?? 0}`)).rows[0];
  expect(await led()).toMatchObject({ channel: 'email', action: 'answer', answers: 1, turns: 1 });
  const reply = { 'In-Reply-To': sent?.mail.messageId ?? '', Subject: 'Re: How can I reset my password?' };
  await adaWrites('Which zeppelin flies to Samarkand?', { ...reply, 'Message-ID': '<second@people.example>' });
  expect(await test.tickets()).toHaveLength(1);
  expect(await led()).toMatchObject({ status: 'handed_over', handover_reason: 'no_sources', turns: 2 });
  const handed = (await api.get(`/tickets/${ticket?.id ?? 0}`)).expect(200).data;
  expect(handed).toMatchObject({ team_id: team.id, assigned_to: only.id });
  expect(await reasonOf(handed.id)).toEqual(byTurn);
  const count = smtp.taken.length;
  await adaWrites('How can I reset my password?', { ...reply, 'Message-ID': '<third@people.example>' });
  expect((await led())?.turns).toBe(2);
  expect(smtp.taken).toHaveLength(count);
});

it('resolves by mail what the reply says was right', async () => {
  (await api.patch('/ai-engine/settings', { mode: 'auto_reply', channels: ['email'] })).expect(200);
  await adaWrites('Reset my password, please.', { Subject: 'How can I reset my password?' });
  const sent = smtp.taken.find(({ mail }) => mail.text?.includes('choose Reset password'));
  const reply = { 'In-Reply-To': sent?.mail.messageId ?? '', Subject: 'Re: it' };
  await adaWrites('Thanks, that solved it', { ...reply, 'Message-ID': '<second@people.example>' });
  const [ticket] = await test.tickets();
  expect(ticket).toMatchObject({ status: 'resolved', channel: 'email' });
  expect((await api.get(`/ai-engine/conversations?ticket_id=${ticket?.id ?? 0}`)).rows).toMatchObject([
    { status: 'resolved', resolution_state: 'confirmed', outcome: 'verified_resolution' },
  ]);
});
