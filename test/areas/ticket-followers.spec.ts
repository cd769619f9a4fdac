import { copiesWith } from '../../src/areas/tickets/followers/copies';
import { MAX_MENTIONS, mentionsIn } from '../../src/areas/tickets/followers/mentions';
import { Tokens } from '../../src/platform/auth/tokens.service';
import { Api, type Answer, type Fields } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket, makeUser } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { drained } from '../support/jobs';
import { useSmtpServer } from '../support/mail-servers';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const smtp = useSmtpServer();
let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

const as = async (user: Fields): Promise<Api> => {
  const tokens = server.app.get(Tokens);
  const { token } = await tokens.create({ workspaceId: workspace.id, scopes: ['*'], name: 'own', userId: user.id });
  return new Api(server.url, token);
};
const follow = (id: number, user_id?: unknown): Promise<Answer> =>
  workspace.api.post(`/tickets/${id}/followers`, user_id === undefined ? {} : { user_id });
const followersOf = async (id: number): Promise<[unknown, unknown][]> =>
  (await workspace.api.get(`/tickets/${id}/followers`)).rows.map(({ user_id, reason }) => [user_id, reason]);
const note = (id: number, body: string, more: object = {}): Promise<Answer> =>
  workspace.api.post(`/tickets/${id}/comments`, { body, is_internal: true, ...more });

describe('following', () => {
  it('is begun by oneself or another, is listed, filters tickets, tells of itself, and ends', async () => {
    const [user, other] = [await makeUser(workspace.api), await makeUser(workspace.api)];
    const [ticket, unseen] = [await makeTicket(workspace.api), await makeTicket(workspace.api)];
    const api = await as(user);
    const mine = (await api.post(`/tickets/${ticket.id}/followers`, {})).expect(201);
    expect(mine.data).toMatchObject({ ticket_id: ticket.id, user_id: user.id, reason: 'manual' });
    (await follow(ticket.id, other.id)).expect(201);
    expect(await followersOf(ticket.id)).toEqual([
      [user.id, 'manual'],
      [other.id, 'manual'],
    ]);
    expect((await api.get('/tickets?followed_by=me&fields=id')).rows).toEqual([{ id: ticket.id }]);
    expect((await api.get(`/tickets/${unseen.id}/followers?expand=user`)).rows).toEqual([]);
    const path = `/tickets/${ticket.id}/followers/${mine.data.id}`;
    expect((await api.get(`${path}?expand=user`)).data).toMatchObject({ user: { id: user.id } });
    expect((await api.delete(path, { 'if-match': mine.header('etag') ?? '' })).expect(200).data).toEqual(mine.data);
    expect((await api.delete(path)).status).toBe(404);
    const told = (await eventsOf(server, workspace, 'ticket', ticket.id)).slice(1);
    expect(told.map(({ type }) => type)).toEqual(['ticket.followed', 'ticket.followed', 'ticket.unfollowed']);
    expect((await workspace.api.get(`/tickets/${ticket.id}`)).header('etag')).toBe('"1"');
  });

  it('is for active users, once, and not of merged tickets', async () => {
    const [user, gone] = [await makeUser(workspace.api), await makeUser(workspace.api)];
    const [ticket, target] = [await makeTicket(workspace.api), await makeTicket(workspace.api)];
    (await workspace.api.delete(`/users/${gone.id}`)).expect(200);
    expect((await follow(ticket.id)).expect(422).error.missing).toEqual(['user_id']);
    expect((await follow(ticket.id, gone.id)).expect(422).codes).toEqual({ user_id: 'inactive' });
    expect((await follow(ticket.id, 8_999_999_999_999)).expect(422).codes).toEqual({ user_id: 'not_found' });
    expect((await follow(8_999_999_999_999, user.id)).status).toBe(404);
    const answers = await Promise.all([follow(ticket.id, user.id), follow(ticket.id, user.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
    (await workspace.api.post(`/tickets/${ticket.id}/merge`, { into_id: target.id })).expect(200);
    expect((await follow(ticket.id, user.id)).expect(422).codes).toEqual({ id: 'merged' });
    const foreign = await makeWorkspace(server);
    expect((await foreign.api.get(`/tickets/${target.id}/followers`)).status).toBe(404);
  });
});

describe('a note that names users', () => {
  it('lets them follow, by id, address or the beginning of one that is alone, but for code, strangers and its author', async () => {
    const make = (email: string): Promise<Fields> => makeUser(workspace.api, { email });
    const [ida, eve, max] = [
      await make('ida@one.example'),
      await make('eve@one.example'),
      await make('max@one.example'),
    ];
    await make('max@two.example');
    const { id } = await makeTicket(workspace.api);
    const written = await note(
      id,
      `@[${ida.id}] and @EVE@one.example: not \`@${String(max.email)}\`, nor @max, nor @nobody`,
    );
    expect(written.expect(201).data.mentioned_ids).toEqual([ida.id, eve.id]);
    expect(await followersOf(id)).toEqual([
      [ida.id, 'mention'],
      [eve.id, 'mention'],
    ]);
    const path = `/tickets/${id}/comments/${written.data.id}`;
    const edited = await workspace.api.patch(path, { body: `@eve @max@one.example` });
    expect(edited.expect(200).data.mentioned_ids).toEqual([eve.id, max.id]);
    const told = (await eventsOf(server, workspace, 'ticket', id)).at(-1);
    expect(told).toMatchObject({ type: 'ticket.comment_updated', related: { comment: { mentioned_ids: [max.id] } } });
    expect((await note(id, '@eve', { is_internal: false })).expect(201).data.mentioned_ids).toEqual([]);
    const own = await (await as(eve)).post(`/tickets/${id}/comments`, { body: '@eve @ida', is_internal: true });
    expect(own.expect(201).data.mentioned_ids).toEqual([ida.id]);
    const named = await workspace.api.post(`/tickets/${id}/comments`, { body: 'x', mentioned_ids: [max.id] });
    expect(named.expect(422).codes).toEqual({ mentioned_ids: 'immutable' });
  });

  it('is told to them by mail, once, and to those who follow as what it is', async () => {
    (await workspace.api.post('/integrations', { provider: 'smtp', config: smtp.config() })).expect(201);
    const [ida, eve] = [await makeUser(workspace.api), await makeUser(workspace.api)];
    const far = await makeUser(workspace.api, { ticket_scope: 'assigned' });
    const { id, code } = await makeTicket(workspace.api, { subject: 'Jam' });
    (await follow(id, eve.id)).expect(201);
    await drained(server, workspace);
    smtp.taken.length = 0;
    const mails = async (): Promise<string[]> => {
      await drained(server, workspace);
      const taken = smtp.taken.splice(0);
      expect(taken.some(({ raw }) => raw.includes('Secret words'))).toBe(false);
      return taken.map(({ to, mail }) => `${to.join()} ${mail.subject ?? ''}`).sort();
    };
    const subject = (user: Fields, what: string): string => `${String(user.email)} [${String(code)}] ${what}: Jam`;
    await note(id, `Secret words for @[${ida.id}] and @[${far.id}]`);
    expect(await mails()).toEqual([subject(ida, 'You are mentioned'), subject(eve, 'Comment')].sort());
    (await workspace.api.patch(`/users/${ida.id}`, { notifications: { followed: 'none' } })).expect(200);
    (await workspace.api.patch(`/tickets/${id}`, { status: 'resolved' })).expect(200);
    expect(await mails()).toEqual([subject(eve, 'Resolved')]);
    (await (await as(eve)).post(`/tickets/${id}/comments`, { body: 'mine', is_internal: true })).expect(201);
    expect(await mails()).toEqual([]);
  });
});

describe('the rules', () => {
  it.each([
    ['@[12] @[12] @[7]', { ids: [12, 7], emails: [], handles: [] }],
    [
      '(@Ada.Lovelace), @ada@acme.example. @x_',
      { ids: [], emails: ['ada@acme.example'], handles: ['ada.lovelace', 'x'] },
    ],
    ['ada@acme.example a@b @ @@ @. foo@[3]', { ids: [], emails: [], handles: [] }],
    ['```\n@eve\n```\n~~~ js\n@max\n~~~\n`@ida` ``a ` @bob``\n\n- @kim', { ids: [], emails: [], handles: ['kim'] }],
    ['```\n@never closed', { ids: [], emails: [], handles: [] }],
    ['> @quoted **@bold** [@link](https://x.example)', { ids: [], emails: [], handles: ['quoted', 'bold', 'link'] }],
  ])('%j names %j', (text, found) => {
    expect(mentionsIn(text)).toEqual(found);
  });

  it('a note names so many, and hostile ones cost little', () => {
    const many = Array.from({ length: 500 }, (_, index) => `@u${index}`).join(' ');
    expect(mentionsIn(many).handles).toHaveLength(MAX_MENTIONS);
    for (const text of ['@'.repeat(65_536), '`@'.repeat(32_768), `@${'a.'.repeat(32_000)}`, '@[1'.repeat(20_000)])
      expect(mentionsIn(text).ids).toEqual([]);
  });

  it('copies are kept once, without the requester, and no more than there is room for', () => {
    expect(copiesWith(['a@x.example'], ['b@x.example', 'a@x.example', null, 'r@x.example'], 'r@x.example')).toEqual([
      'a@x.example',
      'b@x.example',
    ]);
    const full = Array.from({ length: 19 }, (_, index) => `u${index}@x.example`);
    expect(copiesWith(full, ['y@x.example', 'z@x.example'], null)).toHaveLength(20);
  });
});
