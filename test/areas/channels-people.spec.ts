import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeRule } from '../support/automations';
import { make } from '../support/cast';
import { ADA, apiChannel, handedIn } from '../support/channels';
import { drained } from '../support/jobs';
import { useSmtpServer } from '../support/mail-servers';
import { makePerson, userApi } from '../support/people';
import { PIXEL, uploaded } from '../support/uploads';
import { Guest, webchat } from '../support/webchat';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const smtp = useSmtpServer();
let workspace: TestWorkspace;

beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

it('people are named, react, and have read as far as they have', async () => {
  const channel = await make(workspace.api, '/teams/channels', { type: 'internal' });
  const [eve, bob] = [await makePerson(server, workspace), await makePerson(server, workspace)];
  const write = async (body: string, more: object = {}): Promise<Fields> =>
    (await eve.api.post('/teams/messages', { channel_id: channel.id, body, ...more })).expect(201).data;
  const first = await write(`@[${bob.id}] have you seen this?`);
  expect(first).toMatchObject({ mentioned_ids: [bob.id], author_id: eve.id, status: 'sent', position: 1 });
  const second = await write('Never mind.', { reply_to_id: first.id });
  expect([second.thread_id, second.position]).toEqual([first.thread_id, 2]);
  const reactions = `/teams/messages/${first.id}/reactions`;
  for (const emoji of ['👍', '🎉', '👍']) (await bob.api.post(reactions, { emoji })).expect(200);
  const reacted = (await eve.api.post(reactions, { emoji: '👍' })).expect(200).data;
  expect(reacted.reactions).toEqual([
    { emoji: '👍', count: 2, user_ids: [bob.id, eve.id] },
    { emoji: '🎉', count: 1, user_ids: [bob.id] },
  ]);
  const back = await bob.api.post(reactions, { emoji: '🎉', removed: true });
  expect(back.expect(200).data.reactions).toHaveLength(1);
  expect((await bob.api.post(`/teams/messages/${first.id}/read`)).expect(200).data.read_by).toEqual([bob.id]);
  expect((await bob.api.get(`/teams/messages/${second.id}`)).data.read_by).toEqual([]);
  (await bob.api.patch(`/teams/messages/${first.id}`, { body: 'Not mine' })).expect(403);
  (await bob.api.delete(`/teams/messages/${first.id}`)).expect(403);
  (await eve.api.delete(`/teams/messages/${first.id}`)).expect(200);
  const convert = await eve.api.post(`/teams/messages/${second.id}/convert-to-ticket`, { subject: 'Odd' });
  const ticket = (await eve.api.get(`/tickets/${convert.expect(200).data.ticket_id as number}`)).expect(200).data;
  expect([ticket.subject, ticket.channel]).toEqual(['Odd', 'internal']);
  expect(ticket.description).toContain('Never mind.');
  (await eve.api.post(`/teams/threads/${second.thread_id as number}/convert-to-ticket`)).expect(422);
});

it('who is named is told by mail, once, unless they do not want it or do not see the channel', async () => {
  (await workspace.api.post('/integrations', { provider: 'smtp', config: smtp.config() })).expect(201);
  const [eve, bob, ann, far] = await Promise.all([1, 2, 3, 4].map(() => makePerson(server, workspace)));
  if (!eve || !bob || !ann || !far) throw new Error('Nobody is there.');
  (await workspace.api.patch(`/users/${ann.id}`, { notifications: { mentioned: 'none' } })).expect(200);
  const member_ids = [eve.id, bob.id, ann.id];
  const internal = { type: 'internal', name: 'Night shift' };
  const channel = await make(workspace.api, '/teams/channels', { ...internal, is_private: true, member_ids });
  const named = [bob, ann, far, eve].map(({ id }) => `@[${id}]`).join(' ');
  const said = await eve.api.post('/teams/messages', { channel_id: channel.id, body: `${named} who is on?` });
  const mails = async (): Promise<unknown[]> => {
    await drained(server, workspace);
    return smtp.taken.map(({ to, mail }) => [...to, mail.subject]);
  };
  const address = (await workspace.api.get(`/users/${bob.id}`)).data.email;
  expect(await mails()).toEqual([[address, '[Night shift] You are mentioned']]);
  expect(smtp.taken[0]?.mail.text).toMatch(/has mentioned you in a message/);
  expect(smtp.taken[0]?.mail.text).not.toContain('who is on');
  const path = `/teams/messages/${said.expect(201).data.id}`;
  (await eve.api.patch(path, { body: `${named} who is on tonight?` })).expect(200);
  expect(await mails()).toHaveLength(1);
  (await workspace.api.patch(`/teams/channels/${channel.id}`, { member_ids: [...member_ids, far.id] })).expect(200);
  (await eve.api.patch(path, { body: 'Nobody.' })).expect(200);
  (await eve.api.patch(path, { body: `@[${far.id}] perhaps?` })).expect(200);
  const theirs = (await workspace.api.get(`/users/${far.id}`)).data.email;
  expect((await mails()).slice(1)).toEqual([[theirs, '[Night shift] You are mentioned']]);
});

it('what came in is unread until somebody has read it', async () => {
  const channel = await apiChannel(workspace.api, null, { auto_create_ticket: false });
  const told = { from: ADA, body: 'Hello' };
  const first = await handedIn(workspace.api, channel, { ...told, external_message_id: 'm1' });
  await handedIn(workspace.api, channel, { ...told, external_message_id: 'm2' });
  const thread = `/teams/threads/${first.message?.thread_id as number}`;
  expect((await workspace.api.get(thread)).data.unread_count).toBe(2);
  (await workspace.api.post(`/teams/messages/${first.message?.id ?? 0}/read`)).expect(200);
  expect((await workspace.api.get(thread)).data.unread_count).toBe(1);
});

it('files are of their message, seen by who sees that, and go with it', async () => {
  const channel = await make(workspace.api, '/teams/channels', { type: 'internal', is_private: true });
  const other = await makePerson(server, workspace);
  const file = await uploaded(workspace.api, PIXEL, 'pixel.png', 'image/png');
  const body = { channel_id: channel.id, body: 'Look', attachment_ids: [file.id] };
  const message = (await workspace.api.post('/teams/messages', body)).expect(201).data;
  expect(message.attachments).toMatchObject([{ id: file.id, filename: 'pixel.png' }]);
  expect((await workspace.api.post('/teams/messages', body)).codes).toEqual({ attachment_ids: 'in_use' });
  (await other.api.get(`/attachments/${file.id}`)).expect(404);
  (await workspace.api.delete(`/teams/messages/${message.id}`)).expect(200);
  (await workspace.api.get(`/attachments/${file.id}`)).expect(404);
});

it('what is private, or of a ticket that one does not see, is not there', async () => {
  const channel = await apiChannel(workspace.api, 'https://shop.example/messages');
  const [member, other] = [await makePerson(server, workspace), await makePerson(server, workspace)];
  const narrow = await makePerson(server, workspace, { ticket_scope: 'assigned' });
  const told = { external_message_id: 'm1', from: ADA, body: 'Help' };
  const { message } = await handedIn(workspace.api, channel, told);
  const path = `/teams/messages/${message?.id ?? 0}`;
  (await other.api.get(path)).expect(200);
  (await narrow.api.get(path)).expect(404);
  expect((await narrow.api.get('/teams/threads')).meta.total).toBe(0);
  const reply = { channel_id: channel.id, thread_id: message?.thread_id, body: 'Hello' };
  expect((await narrow.api.post('/teams/messages', reply)).codes).toEqual({ thread_id: 'not_found' });
  const light = await makePerson(server, workspace, { role: 'light_agent' });
  (await light.api.post('/teams/messages', reply)).expect(403);
  const closed = { type: 'internal', is_private: true, member_ids: [member.id] };
  const secret = await make(workspace.api, '/teams/channels', closed);
  const psst = { channel_id: secret.id, body: 'Psst' };
  const said = (await member.api.post('/teams/messages', psst)).expect(201).data;
  const places = [`channels/${secret.id}`, `messages/${said.id}`, `threads/${said.thread_id as number}`];
  for (const place of places) {
    (await member.api.get(`/teams/${place}`)).expect(200);
    (await other.api.get(`/teams/${place}`)).expect(404);
  }
  expect((await other.api.get('/teams/messages?q=psst')).meta.total).toBe(0);
  expect((await other.api.post('/teams/messages', psst)).codes).toEqual({ channel_id: 'not_found' });
});

it('visitors of a chat read the names of people, never that of a token or a rule', async () => {
  const channel = await webchat(workspace.api, { ask_email: 'off' });
  const guest = await Guest.of(server, workspace.api, channel);
  await guest.begin({ name: 'Ada' });
  await guest.say('Nobody knows the reason.', 'client-0001');
  const [thread] = (await workspace.api.get(`/teams/threads?channel_id=${channel.id}`)).rows;
  const comments = `/tickets/${String(thread?.ticket_id)}/comments`;
  const actions = [{ type: 'add_comment', body: 'A rule says so.' }];
  await makeRule(workspace, { name: 'Calm down VIPs', trigger: 'ticket.updated', actions });
  const ines = await userApi(server, workspace, { name: 'Ines Ortega' });
  (await ines.api.post(comments, { body: 'I do.' })).expect(201);
  (await workspace.api.post(comments, { body: 'So does a program.' })).expect(201);
  (
    await workspace.api.post('/teams/messages', { channel_id: channel.id, thread_id: thread?.id, body: 'Here.' })
  ).expect(201);
  await drained(server, workspace);
  (await workspace.api.patch(`/tickets/${String(thread?.ticket_id)}`, { priority: 'high' })).expect(200);
  await drained(server, workspace);
  const { messages = [] } = (await guest.ask('/messages')).data;
  const names = new Map(messages.map(({ body, author_name }) => [body, author_name]));
  expect(Object.fromEntries(names)).toEqual({
    'Nobody knows the reason.': 'Ada',
    'I do.': 'Ines Ortega',
    'So does a program.': null,
    'Here.': null,
    'A rule says so.': channel.name,
  });
});
