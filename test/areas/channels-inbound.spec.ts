import { signatureHeaders } from '../../src/platform/outbound/signature';
import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { make } from '../support/cast';
import {
  ADA,
  apiChannel,
  CHANNEL_SECRET,
  commentsOf,
  handedIn as handIn,
  inboundAddress,
  tell,
} from '../support/channels';
import { drained } from '../support/jobs';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let workspace: TestWorkspace;

beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

const handedIn = (channel: Fields, told: Record<string, unknown>) => handIn(workspace.api, channel, told);

it('makes contact, conversation and ticket, then comments; told again it changes nothing', async () => {
  const channel = await apiChannel(workspace.api, null, { default_priority: 'high' });
  const told = { external_message_id: 'm1', from: ADA, body: 'The printer is jammed.\nHelp!' };
  const first = await handedIn(channel, told);
  expect(first).toMatchObject({
    duplicate: false,
    message: { direction: 'inbound', author_type: 'contact', author_name: 'Ada', position: 1, status: 'received' },
    ticket: { subject: 'The printer is jammed.', channel: 'chat', requester_email: ADA.email, priority: 'high' },
  });
  const again = await handedIn(channel, told);
  expect([again.duplicate, again.message?.id]).toEqual([true, first.message?.id]);
  const second = await handedIn(channel, { ...told, external_message_id: 'm2', body: 'It smokes.', in_reply_to: 'm1' });
  expect([second.ticket?.id, second.message?.reply_to_id]).toEqual([first.ticket?.id, first.message?.id]);
  expect(await commentsOf(workspace.api, first.ticket)).toEqual([['requester', 'Ada', 'It smokes.']]);
  const [thread] = (await workspace.api.get('/teams/threads')).rows;
  expect(thread).toMatchObject({ message_count: 2, unread_count: 2, peer_address: ADA.email, status: 'open' });
  const contact = (await workspace.api.get(`/contacts/${thread?.contact_id as number}`)).expect(200).data;
  expect(contact).toMatchObject({ email: ADA.email, name: 'Ada' });
});

it('finds somebody by a number or a handle, and makes a contact whose address cannot exist', async () => {
  const channel = await apiChannel(workspace.api, null);
  const known = await make(workspace.api, '/contacts', { phone: '+12025550142', name: 'Grace' });
  const phoned = await handedIn(channel, { external_message_id: 'p1', from: { phone: '+12025550142' }, body: 'Hello' });
  expect([phoned.message?.contact_id, phoned.ticket?.contact_id]).toEqual([known.id, known.id]);
  const from = { handle: 'u-1', name: 'Kim' };
  const one = await handedIn(channel, { external_message_id: 'h1', from, body: 'Hi' });
  const other = await handedIn(channel, { external_message_id: 'h2', from, body: 'Hi again' });
  expect(one.message?.contact_id).toBe(other.message?.contact_id);
  const contact_id = one.message?.contact_id as number;
  expect(one.ticket).toMatchObject({ requester_email: null, requester_name: 'Kim', contact_id });
  const contact = (await workspace.api.get(`/contacts/${contact_id}`)).expect(200).data;
  expect(contact.email).toMatch(/@contact\.invalid$/);
});

it('keeps the order of each conversation, and loses and doubles nothing, whatever comes twice at once', async () => {
  const channel = await apiChannel(workspace.api, null, { auto_create_ticket: false });
  const url = await inboundAddress(workspace.api, channel);
  const send = async (conversation: string): Promise<void> => {
    for (let n = 1; n <= 8; n++) {
      const from = { handle: conversation };
      const told = { external_message_id: `${conversation}${n}`, from, conversation, body: String(n) };
      const copies = n % 4 === 0 ? 3 : 1;
      const answers = await Promise.all(Array.from({ length: copies }, () => tell(url, told)));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    }
  };
  await Promise.all(['a', 'b', 'c'].map(send));
  const threads = (await workspace.api.get('/teams/threads')).rows;
  expect(threads).toHaveLength(3);
  for (const { id } of threads) {
    const { rows } = await workspace.api.get(`/teams/messages?thread_id=${id}&sort=created_at&per_page=100`);
    const expected = Array.from({ length: 8 }, (_, index) => [String(index + 1), index + 1]);
    expect(rows.map(({ body, position }) => [body, position])).toEqual(expected);
  }
});

it('is taken from the other side when it is signed, and not otherwise', async () => {
  const channel = await apiChannel(workspace.api, null);
  const url = await inboundAddress(workspace.api, channel);
  const told = { external_message_id: 'm1', from: ADA, body: 'Hello' };
  const [body, timestampSeconds] = [JSON.stringify(told), Math.floor(Date.now() / 1_000)];
  const signed = signatureHeaders({ id: 'x', timestampSeconds, body, secret: CHANNEL_SECRET });
  const refusals = [
    await tell(url, told, { secret: 'another-secret-of-24-characters' }),
    await tell(url, told, { atMs: Date.now() - 6 * 60_000 }),
    await tell(url, told, { atMs: Date.now() + 6 * 60_000 }),
    await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } }),
    await fetch(url, { method: 'POST', body: JSON.stringify({ ...told, body: 'Other' }), headers: signed }),
  ];
  expect(refusals.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  expect((await tell(`${url.slice(0, -1)}${url.endsWith('x') ? 'y' : 'x'}`, told)).status).toBe(404);
  expect((await workspace.api.get('/teams/messages')).meta.total).toBe(0);
  const taken = await tell(url, told);
  expect(taken.status).toBe(200);
  expect(await taken.json()).toMatchObject({ data: { taken: [{ duplicate: false, ignored: null }] } });
  const wrong = [
    { ...told, external_message_id: 'm2', body: `x${'\u0301'.repeat(130_000)}` },
    { ...told, external_message_id: 'm2', body: 'x'.repeat(65_537) },
    { ...told, external_message_id: 'm2', colour: 'red' },
    { external_message_id: 'm2', from: ADA },
    { external_message_id: 'm2', body: 'x', from: { ...ADA, phone: '+12025550142' } },
  ];
  for (const each of wrong) expect((await tell(url, each)).status).toBe(422);
  const marked = await tell(url, { ...told, external_message_id: 'm2', body: `x${'\u0301'.repeat(40)}` });
  expect([marked.status, await marked.json()]).toMatchObject([
    422,
    { error: { details: [{ field: 'body', code: 'too_many_marks' }] } },
  ]);
  expect((await tell(url, '[]')).status).toBe(422);
  expect((await tell(url, 'x'.repeat(1_100_000))).status).toBe(413);
  expect((await workspace.api.get('/teams/messages')).meta.total).toBe(1);
});

it('is passed over of who is blocked, and refused by a channel that is paused or deleted', async () => {
  const channel = await apiChannel(workspace.api, null);
  const url = await inboundAddress(workspace.api, channel);
  await make(workspace.api, '/contacts', { email: ADA.email, status: 'blocked' });
  const told = { external_message_id: 'm1', from: ADA, body: 'Hello' };
  expect(await handedIn(channel, told)).toMatchObject({ message: null, ticket: null, ignored: 'blocked' });
  (await workspace.api.patch(`/teams/channels/${channel.id}`, { status: 'paused' })).expect(200);
  expect((await tell(url, told)).status).toBe(409);
  (await workspace.api.delete(`/teams/channels/${channel.id}`)).expect(200);
  expect((await tell(url, told)).status).toBe(404);
  (await workspace.api.post(`/teams/channels/${channel.id}/inbound`, told)).expect(404);
  (await workspace.api.patch(`/teams/channels/${channel.id}`, { name: 'Back' })).expect(422);
});

it('begins anew after its ticket was closed or deleted, or its contact', async () => {
  const channel = await apiChannel(workspace.api, null);
  const say = (n: number) =>
    handedIn(channel, { external_message_id: `m${n}`, from: { handle: 'u-1' }, body: `Number ${n}` });
  const first = await say(1);
  (await workspace.api.patch(`/tickets/${first.ticket?.id ?? 0}`, { status: 'closed' })).expect(200);
  const second = await say(2);
  expect(second.ticket?.subject).toBe('Number 2');
  (await workspace.api.delete(`/tickets/${second.ticket?.id ?? 0}`)).expect(200);
  const third = await say(3);
  expect(third.ticket?.subject).toBe('Number 3');
  (await workspace.api.delete(`/contacts/${third.message?.contact_id as number}`)).expect(200);
  const fourth = await say(4);
  expect(fourth.ticket?.id).toBe(third.ticket?.id);
  expect(fourth.message?.contact_id).not.toBe(third.message?.contact_id);
  expect(fourth.message).toMatchObject({ thread_id: first.message?.thread_id, position: 4 });
});

it('is changed, deleted and reacted to from outside, on the ticket, too', async () => {
  const channel = await apiChannel(workspace.api, null);
  const { ticket } = await handedIn(channel, { external_message_id: 'm1', from: ADA, body: 'First' });
  const secret = { external_message_id: 'm2', from: ADA, body: 'My password is hunter2' };
  const { message } = await handedIn(channel, secret);
  await handedIn(channel, { type: 'edit', external_message_id: 'm2', body: 'Never mind' });
  expect(await commentsOf(workspace.api, ticket)).toEqual([['requester', 'Ada', 'Never mind']]);
  await handedIn(channel, { type: 'reaction', external_message_id: 'm2', from: ADA, emoji: '👍' });
  const shown = (await workspace.api.get(`/teams/messages/${message?.id ?? 0}`)).expect(200).data;
  expect(shown.reactions).toEqual([{ emoji: '👍', count: 1, user_ids: [] }]);
  await handedIn(channel, { type: 'deletion', external_message_id: 'm2' });
  expect(await commentsOf(workspace.api, ticket)).toEqual([]);
  const gone = (await workspace.api.get(`/teams/messages/${message?.id ?? 0}`)).expect(200).data;
  expect([gone.body, gone.deleted_at]).toEqual(['', expect.any(String)]);
  await drained(server, workspace);
  for (const object of ['channel_thread', 'ticket'])
    expect((await workspace.api.get(`/events?object=${object}&per_page=100`)).text).not.toContain('hunter2');
  const nobody = await handedIn(channel, { type: 'deletion', external_message_id: 'mX' });
  expect(nobody).toMatchObject({ ignored: 'unknown_message' });
});
