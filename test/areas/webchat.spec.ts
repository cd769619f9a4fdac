import fc from 'fast-check';
import { allowsOrigin } from '../../src/areas/channels/webchat/allowed-origin';
import { readIdentity } from '../../src/areas/channels/webchat/site-identity';
import { sessionOf, sessionText } from '../../src/areas/channels/webchat/visitor';
import { createHmac } from 'node:crypto';
import type { Fields } from '../support/api';
import { useApp } from '../support/app';
import { commentsOf } from '../support/channels';
import { drained } from '../support/jobs';
import { Guest, IDENTITY_SECRET, identityOf, SITE, webchat } from '../support/webchat';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await makeWorkspace(server);
});

const guestOf = (channel: Fields, origin?: string | null): Promise<Guest> =>
  Guest.of(server, workspace.api, channel, origin);

/** The conversation that somebody of the workspace finds. */
async function threadOf(channel: Fields): Promise<Fields> {
  const { rows } = await workspace.api.get(`/teams/threads?channel_id=${channel.id}`);
  expect(rows).toHaveLength(1);
  return rows[0] as Fields;
}

describe('a visitor', () => {
  it('is known by nobody until they say something, which makes a ticket and is answered in the chat alone', async () => {
    const channel = await webchat(
      workspace.api,
      { ask_email: 'off' },
      { auto_reply: { enabled: true, message: 'One moment.' } },
    );
    const guest = await guestOf(channel);
    expect((await guest.ask('')).data).toMatchObject({
      is_open: true,
      ask: { name: 'optional', email: 'off' },
      attachments: null,
    });
    expect((await guest.begin({ name: 'Ada' })).data).toMatchObject({ name: 'Ada', email: null, is_identified: false });
    expect(await guest.seen()).toEqual([]);
    expect((await workspace.api.get(`/teams/threads?channel_id=${channel.id}`)).rows).toEqual([]);
    const first = await guest.say('The printer <b>is</b> jammed.', 'client-0001', {
      page: 'https://shop.example/cart',
    });
    expect([first.status, first.data]).toEqual([
      200,
      expect.objectContaining({
        position: 1,
        client_id: 'client-0001',
        from: 'visitor',
        body: 'The printer <b>is</b> jammed.',
      }),
    ]);
    const thread = await threadOf(channel);
    expect(thread).toMatchObject({ peer_name: 'Ada', unread_count: 1 });
    const ticket = { id: thread.ticket_id } as Fields;
    expect((await workspace.api.get(`/tickets/${ticket.id}`)).data).toMatchObject({
      channel: 'chat',
      requester_email: null,
    });
    const reply = { thread_id: thread.id, body: 'Have you tried turning it off?' };
    const sent = (await workspace.api.post(`/teams/channels/${channel.id}/messages`, reply)).expect(201).data;
    expect(sent).toMatchObject({ status: 'sent', sent_at: sent.created_at });
    await workspace.api.post(`/tickets/${ticket.id}/comments`, { body: 'Or on?' });
    await workspace.api.post(`/tickets/${ticket.id}/comments`, { body: 'A hopeless case.', is_internal: true });
    await drained(server, workspace);
    await guest.say('It is off.', 'client-0002');
    expect(await guest.seen()).toEqual([
      ['visitor', 'The printer <b>is</b> jammed.'],
      ['bot', 'One moment.'],
      ['agent', 'Have you tried turning it off?'],
      ['agent', 'Or on?'],
      ['visitor', 'It is off.'],
    ]);
    expect(await commentsOf(workspace.api, ticket)).toContainEqual(['requester', 'Ada', 'It is off.']);
    const notes = (await workspace.api.get(`/teams/messages?thread_id=${thread.id}&direction=internal`)).rows;
    expect(notes.map(({ body }) => body)).toEqual(['The chat was begun on https://shop.example/cart']);
    expect((await guest.ask('/read', { position: 9 })).data).toEqual({ read: 3 });
    expect((await workspace.api.get(`/teams/messages/${sent.id}`)).data).toMatchObject({ status: 'read' });
  });

  it('says everything once, however often and however close together it is told', async () => {
    const channel = await webchat(workspace.api);
    const guest = await guestOf(channel);
    await guest.begin();
    const told = await Promise.all(Array.from({ length: 6 }, () => guest.say('Hello', 'client-same')));
    expect(new Set(told.map(({ status, data }) => `${status} ${data.position as number}`))).toEqual(new Set(['200 1']));
    expect(await guest.seen()).toEqual([['visitor', 'Hello']]);
    expect((await guest.say('', 'client-0003')).status).toBe(422);
    expect((await guest.say('x', 'short')).status).toBe(422);
    expect((await guest.say('x'.repeat(10_001), 'client-0004')).status).toBe(422);
    expect((await guest.say(`Marks${'\u0301'.repeat(130_000)}`, 'client-0005')).status).toBe(422);
  });

  it('reads what was said page by page', async () => {
    const channel = await webchat(workspace.api);
    const guest = await guestOf(channel);
    await guest.begin();
    await guest.say('First', 'client-0001');
    const { id } = await threadOf(channel);
    for (let n = 2; n <= 55; n++)
      await workspace.api.post('/teams/messages', { channel_id: channel.id, thread_id: id, body: `${n}` });
    const last = (await guest.ask('/messages')).data;
    const positions = (last.messages ?? []).map(({ position }) => position as number);
    expect([positions[0], positions.at(-1), positions.length, last.has_more]).toEqual([6, 55, 50, true]);
    const before = (await guest.ask(`/messages?before=${positions[0] ?? 0}`)).data;
    expect([before.messages?.[0]?.body, before.has_more]).toEqual(['First', false]);
    expect((await guest.ask(`/messages?after=${positions.at(-2) ?? 0}`)).data.messages).toHaveLength(1);
    expect((await guest.ask('/messages?after=x')).status).toBe(422);
  });

  it('is stopped where somebody blocked them, or wrote a flood', async () => {
    const channel = await webchat(workspace.api);
    const guest = await guestOf(channel);
    await guest.begin();
    await guest.say('Hello', 'client-0001');
    const { contact_id } = await threadOf(channel);
    (await workspace.api.patch(`/contacts/${contact_id as number}`, { status: 'blocked' })).expect(200);
    expect((await guest.say('Again', 'client-0002')).status).toBe(403);
    const flood = await Promise.all(Array.from({ length: 40 }, (_, n) => guest.say('Again', `client-1${n}00`)));
    const refused = flood.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('sends files where the channel takes them: their own, and each once', async () => {
    const closed = await guestOf(await webchat(workspace.api));
    await closed.begin();
    const bytes = Buffer.from('%PDF-1.4 a paper');
    const named = { 'content-type': 'application/pdf', 'content-disposition': 'attachment; filename="a.pdf"' };
    expect((await closed.ask('/files', bytes, named)).status).toBe(403);
    const channel = await webchat(workspace.api, { attachments: true });
    const [guest, other] = [await guestOf(channel), await guestOf(channel)];
    expect((await guest.ask('/files', bytes, named)).status).toBe(401);
    await guest.begin();
    await other.begin();
    const stored = await guest.ask('/files', bytes, named);
    expect([stored.status, stored.data]).toEqual([
      200,
      expect.objectContaining({ filename: 'a.pdf', size: bytes.length }),
    ]);
    const files = [stored.data.file];
    expect((await other.ask('/messages', { client_id: 'client-0001', files })).status).toBe(422);
    const said = await guest.ask('/messages', { client_id: 'client-0001', files });
    expect([said.status, said.data.body]).toEqual([200, '(file)']);
    const [file] = said.data.files as { url: string; filename: string }[];
    expect(await (await fetch(file?.url ?? '')).text()).toBe(bytes.toString());
    expect((await guest.ask('/messages', { client_id: 'client-0002', files })).status).toBe(422);
    const thread = await threadOf(channel);
    expect((await workspace.api.get(`/attachments?ticket_id=${thread.ticket_id as number}`)).rows).toMatchObject([
      { filename: 'a.pdf' },
    ]);
  });
});

describe('who they are', () => {
  it('is what they say, unless somebody has that address already: then it proves nothing', async () => {
    const channel = await webchat(workspace.api, { ask_email: 'required' });
    await workspace.api.post('/contacts', { name: 'Grace', email: 'grace@example.com' });
    const [newcomer, claimant] = [await guestOf(channel), await guestOf(channel)];
    expect((await newcomer.begin()).error).toMatchObject({ missing: ['email'] });
    await newcomer.begin({ email: 'New@Example.com', name: 'New' });
    await newcomer.say('Hello', 'client-0001');
    expect(await threadOf(channel)).toMatchObject({ peer_name: 'New' });
    const [ticket] = (await workspace.api.get('/tickets?requester_email=new@example.com')).rows;
    expect(ticket).toMatchObject({ requester_email: 'new@example.com' });
    await claimant.begin({ email: 'grace@example.com' });
    await claimant.say('I am Grace', 'client-0001');
    expect((await workspace.api.get('/tickets?requester_email=grace@example.com')).rows).toEqual([]);
    const [note] = (await workspace.api.get(`/teams/messages?channel_id=${channel.id}&direction=internal`)).rows;
    expect(note?.body).toContain('grace@example.com, which another contact has: nothing proves it.');
    expect(await claimant.seen()).toEqual([['visitor', 'I am Grace']]);
  });

  it('is proven by their site, which ends with its secret; nobody else gets in where only they do', async () => {
    const config = { identity_secret: IDENTITY_SECRET, identified_only: true };
    const channel = await webchat(workspace.api, config);
    const contact = (await workspace.api.post('/contacts', { name: 'Ida', email: 'ida@example.com' })).data;
    const [one, two] = [await guestOf(channel), await guestOf(channel)];
    expect((await one.begin()).status).toBe(401);
    for (const identity of [
      identityOf({ email: 'ida@example.com' }, `${IDENTITY_SECRET}!`),
      identityOf({ email: 'ida@example.com' }, IDENTITY_SECRET, 'none'),
      identityOf({ email: 'ida@example.com', exp: 1 }),
      identityOf({ email: 'ida@example.com', exp: 4e9 }),
      identityOf({}),
      'x.y.z',
    ])
      expect((await one.begin({ identity })).status).toBe(401);
    const identity = identityOf({ email: 'Ida@example.com', sub: '7', name: 'Ida' });
    expect((await one.begin({ identity })).data).toMatchObject({ is_identified: true, email: 'ida@example.com' });
    await one.say('From here', 'client-0001');
    await two.begin({ identity });
    await two.say('And from there', 'client-0001b');
    expect(await one.seen()).toEqual([
      ['visitor', 'From here'],
      ['visitor', 'And from there'],
    ]);
    expect(await threadOf(channel)).toMatchObject({ contact_id: contact.id });
    (
      await workspace.api.patch(`/teams/channels/${channel.id}`, {
        config: { identity_secret: `${IDENTITY_SECRET}-2` },
      })
    ).expect(200);
    expect((await one.ask('/messages')).status).toBe(401);
  });

  it('is of one channel, one workspace and nobody else', async () => {
    const [here, there] = [await webchat(workspace.api), await webchat(workspace.api)];
    const other = await makeWorkspace(server);
    const foreign = await webchat(other.api);
    const guest = await guestOf(here);
    await guest.begin();
    await guest.say('Hello', 'client-0001');
    for (const [api, channel] of [
      [workspace.api, there],
      [other.api, foreign],
    ] as const) {
      const elsewhere = await Guest.of(server, api, channel);
      elsewhere.session = guest.session;
      expect((await elsewhere.ask('/messages')).status).toBe(401);
    }
    const [text = '', mac = ''] = (guest.session ?? '').split('.');
    const forged = Buffer.from(JSON.stringify({ k: 'ida@example.com', i: true, e: 4e9 })).toString('base64url');
    for (const session of ['', 'x', `${forged}.${mac}`, `${text}.`, `${text}.${mac}.`, `${text}.${mac.slice(1)}x`]) {
      guest.session = session;
      expect([session, (await guest.ask('/messages')).status]).toEqual([session, 401]);
    }
    const link = guest.link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    expect((await new Guest(server, link).ask('')).status).toBe(404);
    const internal = (await workspace.api.post('/teams/channels', { type: 'internal', name: 'Us' })).data;
    (await workspace.api.get(`/teams/channels/${internal.id}/widget`)).expect(422);
    (await workspace.api.patch(`/teams/channels/${here.id}`, { status: 'paused' })).expect(200);
    expect((await guest.ask('')).status).toBe(409);
    (await workspace.api.delete(`/teams/channels/${here.id}`)).expect(200);
    expect((await guest.ask('')).status).toBe(404);
  });
});

describe('the pages that it stands on', () => {
  it('are those that the channel allows, before they call and when they do', async () => {
    const channel = await webchat(workspace.api, { allowed_origins: [SITE, 'https://*.example.net'] });
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-chat-session' };
    for (const [origin, isAllowed] of [
      [SITE, true],
      ['https://a.b.example.net', true],
      ['https://example.net', false],
      ['http://shop.example', false],
      ['https://evil.example', false],
      ['null', false],
    ] as const) {
      const guest = await guestOf(channel, origin);
      const before = await fetch(guest.address('/messages'), { method: 'OPTIONS', headers: { origin, ...asked } });
      const allowed = isAllowed ? origin : null;
      expect([origin, before.headers.get('access-control-allow-origin')]).toEqual([origin, allowed]);
      const answer = await guest.ask('');
      expect([origin, answer.status]).toEqual([origin, isAllowed ? 200 : 403]);
      expect(answer.headers.get('access-control-allow-origin')).toBe(allowed);
    }
    const script = await fetch(`${server.url}/v1/chat/widget.js`, { headers: { origin: 'https://any.example' } });
    expect([script.status, script.headers.get('cache-control')]).toEqual([200, 'public, max-age=3600']);
    for (const allowed_origins of [
      [],
      ['shop.example'],
      ['https://shop.example/'],
      ['https://*'],
      'https://shop.example',
    ])
      (await workspace.api.post('/teams/channels', { type: 'webchat', name: 'x', config: { allowed_origins } })).expect(
        422,
      );
  });

  it('match as a whole', () => {
    expect(allowsOrigin(['https://*.example.com'], 'https://a.example.com')).toBe(true);
    for (const origin of [
      'https://evilexample.com',
      'https://a.example.com.evil',
      'https://x@a.example.com',
      'http://a.example.com',
      'https://.example.com',
    ])
      expect([origin, allowsOrigin(['https://*.example.com'], origin)]).toEqual([origin, false]);
    expect(allowsOrigin(['*'], 'null')).toBe(true);
  });
});

it('takes no session and no identity that were not signed here', () => {
  const sign = (text: string): Buffer => createHmac('sha256', 'k').update(text).digest();
  const session = { key: 'v-1', name: 'Ä "', email: null, isIdentified: false, expiresAt: 2_000 };
  expect(sessionOf(sessionText(session, sign), sign, 1_000_000)).toEqual(session);
  expect(sessionOf(sessionText(session, sign), sign, 2_000_001)).toBeNull();
  fc.assert(fc.property(fc.string(), (text) => sessionOf(text, sign, 0) === null));
  fc.assert(fc.property(fc.string(), (text) => typeof readIdentity(text, 'k', 0) === 'string'));
  expect(readIdentity(identityOf({ sub: 'x\0' }, 'k'), 'k', Date.now())).toMatch('"sub"');
});
