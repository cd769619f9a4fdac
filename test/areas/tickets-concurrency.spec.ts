import { Tokens } from '../../src/platform/auth/tokens.service';
import { api, type Answer, type Api } from '../support/api';
import { startApp, type TestApp, useApp } from '../support/app';
import { make, makeTicket, makeUser } from '../support/cast';
import { eventsOf } from '../support/event-log';
import { useSql } from '../support/sql';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
let second: TestApp;
let workspace: TestWorkspace;
beforeAll(async () => {
  second = await startApp();
});
afterAll(async () => {
  await second.close();
});
beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

/** How often a request is sent again. */
const MOST_REFUSALS = 60;

/**
 * The same request many times at once, alternating between two nodes. A busy machine may answer 503: then the request
 * is sent again, as clients do.
 */
function rush(count: number, send: (client: Api, index: number) => Promise<Answer>): Promise<Answer[]> {
  const clients = [server, second].map(({ url }) => api(url, workspace.token));
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      for (let refusals = 0; ; refusals++) {
        const answer = await send(clients[index % 2] as Api, index);
        if (answer.status !== 503 || refusals === MOST_REFUSALS) return answer;
        expect(answer.header('retry-after')).toBe('1');
        await new Promise((resolve) => setTimeout(resolve, 1_000));
      }
    }),
  );
}

describe('a hundred simultaneous creations with one idempotency key', () => {
  it('make one ticket, one contact and one event, and get a hundred equal answers', async () => {
    const body = { subject: 'Once', requester_email: 'once@example.com' };
    const answers = await rush(100, (client) => client.post('/tickets', body, { 'idempotency-key': 'once' }));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect(answers.filter((answer) => answer.header('idempotent-replayed') === null).length).toBe(1);
    const { rows, meta } = await workspace.api.get('/tickets');
    expect([rows.length, meta.total, (await workspace.api.get('/contacts')).meta.total]).toEqual([1, 1, 1]);
    expect((await eventsOf(server, workspace, 'ticket', rows[0]?.id ?? 0)).length).toBe(1);
  });
});

describe('fifty simultaneous changes of the same version', () => {
  it('have one winner, whose change is the one that stays', async () => {
    for (let round = 0; round < 3; round++) {
      const { id } = await makeTicket(workspace.api);
      const answers = await rush(50, (client, index) =>
        client.patch(`/tickets/${id}`, { subject: `by ${index}` }, { 'if-match': '"1"' }),
      );
      const winners = answers.filter(({ status }) => status === 200);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(49).fill(412)]);
      const stored = await workspace.api.get(`/tickets/${id}`);
      expect([stored.data, stored.header('etag')]).toEqual([winners[0]?.data, '"2"']);
      expect((await eventsOf(server, workspace, 'ticket', id)).length).toBe(2);
    }
  });

  it('without a precondition all happen, one after the other', async () => {
    const { id } = await makeTicket(workspace.api);
    const answers = await rush(30, (client, index) => client.patch(`/tickets/${id}`, { custom_fields: { index } }));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer.header('etag'))).size).toBe(30);
    expect((await workspace.api.get(`/tickets/${id}`)).header('etag')).toBe('"31"');
  });
});

describe('one of two simultaneous deletions', () => {
  it('finds the ticket, the other does not', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await makeTicket(workspace.api);
      const answers = await rush(2, (client) => client.delete(`/tickets/${id}`));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    }
  });
});

describe('what belongs together', () => {
  it('never contradicts itself while companies and users go as tickets come', async () => {
    const [company, user] = [await make(workspace.api, '/companies'), await makeUser(workspace.api)];
    const answers = await rush(30, (client, index) => {
      if (index === 14) return client.delete(`/companies/${company.id}?force=true`);
      if (index === 15) return client.delete(`/users/${user.id}?reassign_to=none`);
      return client.post(
        '/tickets',
        index % 2 ? { subject: 'x', company_id: company.id } : { subject: 'x', assigned_to: user.id },
      );
    });
    expect(answers.filter(({ status }) => ![200, 201, 422].includes(status))).toEqual([]);
    const { rows } = (await workspace.api.get('/tickets?per_page=100')).expect(200);
    expect(rows.length).toBe(answers.filter(({ status }) => status === 201).length);
    expect((await workspace.api.get(`/companies/${company.id}`)).status).toBe(404);
    expect(rows.filter((row) => row.company_id !== null)).toEqual([]);
    const [left] = await sql.rows<{ open: number }>(
      `SELECT count(*) AS open FROM tickets t JOIN users u ON u.workspace_id = t.workspace_id AND u.id = t.assigned_to
       WHERE t.workspace_id = $1 AND u.status = 'deactivated'`,
      [workspace.id],
    );
    expect(left).toEqual({ open: 0 });
  });

  it('of many references that name each other does not lock up', async () => {
    const tickets = await Promise.all(Array.from({ length: 6 }, () => makeTicket(workspace.api)));
    const answers = await rush(40, (client, index) => {
      const [one, two] = [tickets[index % 6]?.id, tickets[(index * 5 + 1) % 6]?.id];
      if (index % 4 === 0) return client.post(`/tickets/${one}/comments`, { body: 'x' });
      if (index % 4 === 1) return client.post(`/tickets/${one}/escalate`, {});
      const operations = [one, two].map((id) => ({ op: 'add_tags', id, data: { tags: `t${index}` } }));
      return client.post('/tickets/batch', { operations });
    });
    expect(answers.filter(({ status }) => status >= 500).map(({ text }) => text)).toEqual([]);
  });
});

describe('filters that mean the one who asks', () => {
  it('"me" is the user of the token, and needs one', async () => {
    const [me, other] = [await makeUser(workspace.api), await makeUser(workspace.api)];
    const [mine] = [
      await makeTicket(workspace.api, { assigned_to: me.id }),
      await makeTicket(workspace.api, { assigned_to: other.id }),
    ];
    const { token } = await server.app.get(Tokens).create({ workspaceId: workspace.id, scopes: ['*'], userId: me.id });
    const as = api(server.url, token);
    expect((await as.get('/tickets?assigned_to=me')).rows.map(({ id }) => id)).toEqual([mine.id]);
    expect((await as.get('/tickets?assigned_to=me')).meta.total).toBe(1);
    expect((await workspace.api.get('/tickets?assigned_to=me')).expect(422).codes).toEqual({
      assigned_to: 'not_found',
    });
    const comment = (await as.post(`/tickets/${mine.id}/comments`, { body: 'x' })).expect(201).data;
    expect(comment).toMatchObject({
      author_type: 'agent',
      author_id: me.id,
      author_name: me.name,
      author_email: me.email,
    });
  });
});
