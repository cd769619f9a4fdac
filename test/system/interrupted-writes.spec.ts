import { Client } from 'pg';
import { api, type Api } from '../support/api';
import { startApp, useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { openGate } from '../support/network-gate';
import { testServices } from '../support/services';
import { useSql } from '../support/sql';
import { until } from '../support/until';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();
const { adminUrl, databaseUrl } = testServices();
const key = { 'idempotency-key': 'once' };
let workspace: TestWorkspace;

beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

const sessions: Client[] = [];

afterEach(async () => {
  await Promise.all(sessions.splice(0).map((client) => client.end()));
});

/** Another session that holds something until it is released. */
async function holding(
  text: string,
  values: unknown[],
): Promise<{ waiting(): Promise<void>; release(): Promise<void> }> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  sessions.push(client);
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  await client.query('BEGIN');
  await client.query(text, values);
  const pid = rows[0]?.pid ?? 0;
  return {
    waiting: () =>
      until('somebody waits for it', async () => {
        const found = await sql.rows(`SELECT FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))`, [pid]);
        return found.length > 0;
      }),
    release: async () => {
      await client.query('ROLLBACK');
    },
  };
}

const created = async (): Promise<unknown[]> =>
  (await workspace.api.get('/events?type=ticket.created')).expect(200).rows;
const total = async (client: Api): Promise<unknown> => (await client.get('/tickets')).expect(200).meta.total;

describe('the same request again, with its key, after the server went away', () => {
  it('in the middle of it: it is done once', async () => {
    const gate = await openGate(databaseUrl);
    const first = await startApp({ databaseUrl: gate.url });
    const body = { subject: 'Once', requester_email: 'ada@people.example' };
    // The requester's contact is about to be made by somebody else, so the request stops half-way.
    const other = await holding(`INSERT INTO contacts (workspace_id, email) VALUES ($1, 'ada@people.example')`, [
      workspace.id,
    ]);
    const cut = api(first.url, workspace.token).post('/tickets', body, key);
    await other.waiting();
    await gate.cut();
    expect((await cut).status).toBeGreaterThanOrEqual(500);
    await first.close();
    await gate.close();
    await other.release();
    expect(await total(workspace.api)).toBeLessThanOrEqual(1);

    const second = await startApp();
    try {
      const again = (await api(second.url, workspace.token).post('/tickets', body, key)).expect(201);
      const third = (await api(second.url, workspace.token).post('/tickets', body, key)).expect(201);
      expect([third.text, third.header('idempotent-replayed')]).toEqual([again.text, 'true']);
      expect(await total(workspace.api)).toBe(1);
      // An event is listed once no transaction of anybody's that began before it is left.
      await until('it is told', async () => (await created()).length > 0);
      expect(await created()).toHaveLength(1);
    } finally {
      await second.close();
    }
  });

  it('before the answer arrived: the answer is given again', async () => {
    const first = await startApp();
    const body = { subject: 'Once', requester_email: 'ada@people.example' };
    const ending = new AbortController();
    const lost = fetch(`${first.url}/v1/tickets`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { ...key, authorization: `Bearer ${workspace.token}`, 'content-type': 'application/json' },
      signal: ending.signal,
    }).catch((error: unknown) => error);
    await until('it is stored', async () => (await total(workspace.api)) === 1);
    ending.abort();
    await lost;
    await first.close();
    const again = (await workspace.api.post('/tickets', body, key)).expect(201);
    expect(again.header('idempotent-replayed')).toBe('true');
    expect(await total(workspace.api)).toBe(1);
  });
});

describe('a record that somebody else holds for too long', () => {
  it.each<[string, (id: number, other: number) => [method: string, path: string, body: object]]>([
    ['a change', (id) => ['PATCH', `/tickets/${id}`, { subject: 'Changed', tags: ['x'] }]],
    ['a comment', (id) => ['POST', `/tickets/${id}/comments`, { body: 'Hello' }]],
    ['an action', (id) => ['POST', `/tickets/${id}/escalate`, { reason: 'Now' }]],
    [
      'an atomic batch',
      (id, other) => [
        'POST',
        '/tickets/batch',
        {
          mode: 'atomic',
          operations: [
            { op: 'update', id: other, data: { subject: 'Changed' } },
            { op: 'update', id, data: { subject: 'Changed' } },
          ],
        },
      ],
    ],
  ])('%s is answered with 503, has written nothing, and is done when it is asked for again', async (_name, ask) => {
    const [other, ticket] = [await makeTicket(workspace.api), await makeTicket(workspace.api)];
    const [method, path, body] = ask(ticket.id, other.id);
    const state = async (): Promise<unknown> =>
      sql.rows(
        `SELECT (SELECT jsonb_agg(to_jsonb(t) ORDER BY id) FROM tickets t WHERE workspace_id = $1) AS tickets,
           (SELECT count(*) FROM events WHERE workspace_id = $1) AS events, (SELECT count(*) FROM idempotency_keys WHERE workspace_id = $1) AS keys,
           (SELECT count(*) FROM ticket_comments WHERE workspace_id = $1) AS comments`,
        [workspace.id],
      );
    const before = await state();
    const held = await holding('SELECT FROM tickets WHERE workspace_id = $1 AND id = $2 FOR UPDATE', [
      workspace.id,
      ticket.id,
    ]);
    const late = await workspace.api.send(method, path, { body, headers: key });
    expect([late.status, late.header('retry-after'), late.error.type]).toEqual([503, '1', 'service_unavailable']);
    expect(late.error.message).toBe('The record is locked by another request; try again.');
    await held.release();
    expect(await state()).toEqual(before);
    const again = await workspace.api.send(method, path, { body, headers: key });
    expect([again.status < 300, again.header('idempotent-replayed')]).toEqual([true, null]);
    expect(await state()).not.toEqual(before);
  });
});
