import { Tokens } from '../../src/platform/auth/tokens.service';
import { Api } from '../support/api';
import { useApp } from '../support/app';
import { makeTicket, makeUser } from '../support/cast';
import { drained } from '../support/jobs';
import { makePerson } from '../support/people';
import { until } from '../support/until';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
let home: TestWorkspace;
beforeAll(async () => {
  home = await makeWorkspace(server);
});

const acting = (user: number | string): Record<string, string> => ({ 'x-on-behalf-of': String(user) });

describe('a token of a user', () => {
  it('acts as that person: in comments, events and the audit log, and as `me`', async () => {
    const person = await makePerson(server, home, { role: 'admin' });
    const ticket = await makeTicket(person.api, { assigned_to: person.id });
    const comment = (await person.api.post(`/tickets/${ticket.id}/comments`, { body: 'Hello' })).expect(201).data;
    expect(comment).toMatchObject({ author_id: person.id, author_name: person.name, author_email: person.email });
    const actor = { type: 'user', id: person.id, name: person.name };
    expect((await person.api.get(`/tickets/${ticket.id}/history`)).expect(200).rows.map((row) => row.actor)).toEqual(
      Array.from({ length: 2 }, () => actor),
    );
    const mine = (await person.api.get('/tickets?assigned_to=me')).expect(200);
    expect([mine.rows.map(({ id }) => id), mine.meta.total]).toEqual([[ticket.id], 1]);
    await drained(server, home);
    await until('the audit log has it', async () => {
      const { rows } = await home.api.get(`/audit-logs?resource=ticket&resource_id=${ticket.id}&actor_id=${person.id}`);
      return rows.length > 0 && rows.every((row) => (row.actor as { id: number }).id === person.id);
    });
  });

  it('ends with the user, on every node within a moment', async () => {
    for (const status of ['suspended', 'deactivated']) {
      const person = await makePerson(server, home);
      (await person.api.get('/me')).expect(200);
      (await home.api.patch(`/users/${person.id}`, { status })).expect(200);
      await until('the token is refused', async () => (await person.api.get('/me')).status === 401);
    }
  });

  it('acts as nobody else', async () => {
    const [person, other] = [await makePerson(server, home, { role: 'owner' }), await makeUser(home.api)];
    expect((await person.api.get('/tickets', acting(other.id))).expect(403).error).toMatchObject({
      type: 'insufficient_scope',
      details: [{ field: 'X-On-Behalf-Of', code: 'permission', permission: 'impersonate' }],
    });
  });
});

describe('a token without a user', () => {
  it('has no `me`, and says so', async () => {
    for (const path of ['/tickets?assigned_to=me', '/stats?assigned_to=me', '/assets?assigned_to=me'])
      expect((await home.api.get(path)).expect(422).codes).toEqual({ assigned_to: 'not_found' });
  });

  it('acts for a user by id or address, and both are told', async () => {
    const user = await makeUser(home.api, { role: 'agent' });
    const ticket = (await home.api.post('/tickets', { subject: 'x' }, acting(user.id))).expect(201).data;
    const [created] = (await home.api.get(`/tickets/${ticket.id}/history`)).expect(200).rows;
    expect(created?.actor).toEqual({
      ...{ type: 'user', id: user.id, name: user.name },
      via: { type: 'token', id: home.tokenId, name: '*' },
    });
    const email = String(user.email).toUpperCase();
    const { data } = (await home.api.get('/me', acting(email))).expect(200);
    expect(data.user).toMatchObject({ id: user.id, role: 'agent', is_on_behalf: true });
    await drained(server, home);
    const logged = async (): Promise<unknown> =>
      (await home.api.get(`/audit-logs?resource=ticket&resource_id=${ticket.id}`)).rows[0];
    await until('the audit log has it', async () => (await logged()) !== undefined);
    expect(await logged()).toMatchObject({ actor: { type: 'user', id: user.id }, token_id: home.tokenId });
  });

  it('is bound by the role of that user, for that request alone', async () => {
    const user = await makeUser(home.api, { role: 'light_agent' });
    expect((await home.api.get('/webhooks', acting(user.id))).expect(403).error.details).toMatchObject([
      { code: 'permission', permission: 'webhooks.read' },
    ]);
    (await home.api.get('/webhooks')).expect(200);
  });

  it('acts for nobody who is unknown, elsewhere, or not active', async () => {
    const abroad = await makeWorkspace(server);
    const stranger = await makeUser(abroad.api);
    for (const name of [
      999_999_999,
      'nobody@example.com',
      stranger.id,
      stranger.email as string,
      '',
      'x'.repeat(1_000),
    ])
      expect((await home.api.get('/tickets', acting(name))).expect(422).codes).toEqual({
        'X-On-Behalf-Of': 'not_found',
      });
    const user = await makeUser(home.api);
    (await home.api.get('/tickets', acting(user.id))).expect(200);
    (await home.api.delete(`/users/${user.id}`)).expect(200);
    await until('the user is gone', async () => (await home.api.get('/tickets', acting(user.id))).status === 422);
    expect((await home.api.get('/tickets', acting(user.id))).codes).toEqual({ 'X-On-Behalf-Of': 'inactive' });
  });

  it('needs the permission for it, which a scope of its own gives', async () => {
    const user = await makeUser(home.api, { role: 'admin' });
    const tokens = server.app.get(Tokens);
    const with_ = async (scopes: ('read' | 'write' | 'impersonate')[]): Promise<Api> =>
      new Api(server.url, (await tokens.create({ workspaceId: home.id, scopes })).token);
    const plain = await with_(['read', 'write']);
    expect((await plain.get('/tickets', acting(user.id))).expect(403).codes).toEqual({
      'X-On-Behalf-Of': 'permission',
    });
    const app = await with_(['read', 'impersonate']);
    (await app.get('/tickets', acting(user.id))).expect(200);
    expect((await app.post('/tickets', { subject: 'x' }, acting(user.id))).expect(403).error.details).toMatchObject([
      { code: 'scope' },
    ]);
  });

  it('repeats nothing of one user for another', async () => {
    const [ada, bob] = [await makeUser(home.api), await makeUser(home.api)];
    const body = { subject: 'once' };
    const send = (user: number | null): ReturnType<Api['post']> =>
      home.api.post('/tickets', body, { 'idempotency-key': 'acting-1', ...(user === null ? {} : acting(user)) });
    const first = (await send(ada.id)).expect(201);
    expect((await send(ada.id)).expect(201).text).toBe(first.text);
    for (const other of [bob.id, null])
      expect((await send(other)).expect(422).codes).toEqual({ 'Idempotency-Key': 'idempotency_key_reuse' });
  });

  it('says of every operation that takes a token who acts, in the document', async () => {
    const document = (await home.api.get('/openapi.json')).body as unknown as {
      paths: Record<string, Record<string, { description?: string; 'x-permission'?: string } | undefined>>;
      components: { parameters: Record<string, { name: string }> };
    };
    expect(document.components.parameters['OnBehalfOf']?.name).toBe('X-On-Behalf-Of');
    expect(JSON.stringify(document.paths['/tickets'])).toContain('#/components/parameters/OnBehalfOf');
    const remove = document.paths['/tickets/{id}']?.delete;
    expect([remove?.['x-permission'], remove?.description]).toEqual([
      'tickets.delete',
      expect.stringContaining('Permission: `tickets.delete`.'),
    ]);
    expect(document.paths['/health']?.get?.['x-permission']).toBeUndefined();
  });
});
