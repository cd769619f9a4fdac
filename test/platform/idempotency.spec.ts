import { Database } from '../../src/platform/database/database';
import { Tokens } from '../../src/platform/auth/tokens.service';
import { api } from '../support/api';
import { startApp, type TestApp, useApp } from '../support/app';
import { probeLog, probeModules } from '../support/probe.module';
import { useSql } from '../support/sql';
import { until } from '../support/until';
import { makeWorkspace, type TestWorkspace } from '../support/workspace';

const server = useApp({}, { modules: probeModules });
const sql = useSql();
let second: TestApp;
let workspace: TestWorkspace;
let serial = 0;

beforeAll(async () => {
  second = await startApp({}, { modules: probeModules });
});
afterAll(async () => {
  await second.close();
});
beforeEach(async () => {
  workspace = await makeWorkspace(server);
});

function body(): { subject: string; count: number } {
  return { subject: 'once', count: ++serial };
}

function key(value: string): { 'idempotency-key': string } {
  return { 'idempotency-key': value };
}

function timesDone(count: number): number {
  return probeLog.filter((name) => name === `once ${count}`).length;
}

/** How often the workspace was written to: the probe appends one sign per committed unit of work. */
async function writes(): Promise<number> {
  const rows = await server.app
    .get(Database)
    .system(async () =>
      server.app.get(Database).query<{ locale: string }>('SELECT locale FROM workspaces WHERE id = $1', [workspace.id]),
    );
  return (rows[0]?.locale ?? '').split('+').length - 1;
}

async function age(interval: string): Promise<void> {
  const database = server.app.get(Database);
  await database.system(() =>
    database.query(`UPDATE idempotency_keys SET expires_at = expires_at - $2::interval WHERE workspace_id = $1`, [
      workspace.id,
      interval,
    ]),
  );
}

/** What the database holds of the workspace's answers. */
async function storedBodies(): Promise<string[]> {
  const database = server.app.get(Database);
  const rows = await database.system(() =>
    database.query<{ body: Buffer }>('SELECT body FROM idempotency_keys WHERE workspace_id = $1', [workspace.id]),
  );
  return rows.map((row) => row.body.toString('utf8'));
}

describe('Idempotency-Key', () => {
  it('keeps no secret in the clear that an answer shows once, and still repeats it', async () => {
    const endpoint = { url: 'http://127.0.0.1:9/', events: ['ticket.created'] };
    const first = (await workspace.api.post('/webhooks', endpoint, key('secret'))).expect(201);
    const { secret } = first.data as { id: number; secret: string };
    expect(secret).toMatch(/^whsec_/);
    const [stored = '', ...others] = await storedBodies();
    expect(others).toEqual([]);
    for (const text of [stored, Buffer.from(stored, 'base64').toString('latin1')]) {
      for (const shown of [secret, secret.slice('whsec_'.length), '"secret"', '127.0.0.1:9']) {
        expect(text).not.toContain(shown);
      }
    }
    const again = await workspace.api.post('/webhooks', endpoint, key('secret'));
    expect([again.status, again.text, again.header('idempotent-replayed')]).toEqual([201, first.text, 'true']);
  });

  it('still repeats an answer that was stored before answers were sealed', async () => {
    const sent = body();
    const first = (await workspace.api.post('/probes', sent, key('old'))).expect(201);
    const database = server.app.get(Database);
    await database.system(() =>
      database.query('UPDATE idempotency_keys SET body = $2 WHERE workspace_id = $1', [
        workspace.id,
        Buffer.from(first.text),
      ]),
    );
    expect((await workspace.api.post('/probes', sent, key('old'))).text).toBe(first.text);
  });

  it('replays the first answer byte for byte, with its headers', async () => {
    const sent = body();
    const first = await workspace.api.post('/probes', sent, key('a'));
    const again = await workspace.api.post('/probes', sent, key('a'));
    expect([first.status, first.header('idempotent-replayed')]).toEqual([201, null]);
    expect([again.status, again.header('idempotent-replayed')]).toEqual([201, 'true']);
    expect(again.text).toBe(first.text);
    for (const name of ['etag', 'location', 'content-type']) expect(again.header(name)).toBe(first.header(name));
    expect(again.header('x-request-id')).not.toBe(first.header('x-request-id'));
    expect(again.header('x-quota-used')).toBe('2');
    expect([timesDone(sent.count), await writes()]).toEqual([1, 1]);
  });

  it('makes one of a hundred simultaneous requests, on one node and on two', async () => {
    const sent = body();
    const [one, other] = [api(server.url, workspace.token), api(second.url, workspace.token)];
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? one : other).post('/probes', sent, key('race'))),
    );
    expect([...new Set(answers.map((answer) => `${answer.status} ${answer.text}`))]).toHaveLength(1);
    expect(answers[0]?.status).toBe(201);
    expect(answers.filter((answer) => answer.header('idempotent-replayed') === null).length).toBe(1);
    expect([timesDone(sent.count), await writes()]).toEqual([1, 1]);
  });

  it('claimed with the first statement of the handler is still claimed before it', async () => {
    const [one, other] = [api(server.url, workspace.token), api(second.url, workspace.token)];
    const sent = { subject: 'once' };
    const number = (code: unknown): number => Number(/\d+$/.exec(String(code))?.[0]);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : other).post('/tickets', sent, key('late'))),
    );
    expect([...new Set(answers.map((answer) => `${answer.status} ${answer.text}`))]).toHaveLength(1);
    expect(answers.filter((answer) => answer.header('idempotent-replayed') === null).length).toBe(1);
    for (const another of [{ subject: 'twice' }, { subject: 7 }]) {
      expect((await one.post('/tickets', another, key('late'))).codes).toEqual({
        'Idempotency-Key': 'idempotency_key_reuse',
      });
    }
    expect((await one.post('/tickets', { subject: 7 }, key('bad'))).status).toBe(422);
    await age('25 hours');
    const later = await one.post('/tickets', sent, key('late'));
    expect([later.status, later.header('idempotent-replayed')]).toEqual([201, null]);
    // Nobody else took a number.
    expect(number(later.data.code)).toBe(number(answers[0]?.data.code) + 1);
  });

  it('keeps the answer to a creation as its event, where it is nothing but the record', async () => {
    const parent_id = (await workspace.api.post('/tickets', { subject: 'whole' })).expect(201).data.id;
    const sent = { subject: 'kept', requester_email: 'kim@people.example' };
    for (const [path, more, isKept] of [
      ['/tickets', {}, true],
      ['/tickets', { priority: 'high', requester_email: 'kim@people.example' }, true],
      ['/tickets?fields=id,code', {}, false],
      ['/tickets?expand=contact', {}, false],
      ['/tickets', { parent_id }, false],
    ] as const) {
      const name = JSON.stringify([path, more]);
      const first = (await workspace.api.post(path, { ...sent, ...more }, key(name))).expect(201);
      const again = await workspace.api.post(path, { ...sent, ...more }, key(name));
      expect([again.status, again.text, again.header('idempotent-replayed')]).toEqual([201, first.text, 'true']);
      for (const header of ['etag', 'content-type']) expect(again.header(header)).toBe(first.header(header));
      const rows = await sql.rows(
        `SELECT event_uid IS NOT NULL AS by, body IS NULL AS bare FROM idempotency_keys WHERE key = $1`,
        [name],
      );
      expect(rows).toEqual([{ by: isKept, bare: isKept }]);
    }
    expect((await workspace.api.get('/tickets?q=kept')).meta.total).toBe(5);
  });

  it('takes the quoted form as the same key', async () => {
    const sent = body();
    const first = await workspace.api.post('/probes', sent, key('abc'));
    expect((await workspace.api.post('/probes', sent, key('"abc"'))).text).toBe(first.text);
  });

  it.each([
    ['another body', (): Promise<{ status: number; codes: object }> => workspace.api.post('/probes', body(), key('m'))],
    [
      'another query',
      (): Promise<{ status: number; codes: object }> =>
        workspace.api.post('/probes?fields=id', { subject: 'same', count: 1 }, key('m')),
    ],
    [
      'another path',
      (): Promise<{ status: number; codes: object }> => workspace.api.post('/probes/1/act', undefined, key('m')),
    ],
  ])('refuses %s', async (_name, send) => {
    (await workspace.api.post('/probes', { subject: 'same', count: 1 }, key('m'))).expect(201);
    const answer = await send();
    expect([answer.status, answer.codes]).toEqual([422, { 'Idempotency-Key': 'idempotency_key_reuse' }]);
  });

  it('belongs to the workspace: another one may use it, and another token of the same one replays', async () => {
    const sent = body();
    const first = await workspace.api.post('/probes', sent, key('shared'));
    const other = await makeWorkspace(server);
    const elsewhere = await other.api.post('/probes', sent, key('shared'));
    expect([elsewhere.status, elsewhere.header('idempotent-replayed')]).toEqual([201, null]);
    const { token } = await server.app.get(Tokens).create({ workspaceId: workspace.id, scopes: ['write'] });
    expect((await api(server.url, token).post('/probes', sent, key('shared'))).text).toBe(first.text);
  });

  it.each([
    ['an invalid body', { subject: 'a' }, 422],
    ['a refusal by the handler', { subject: 'fail', count: 1 }, 409],
    ['a crash of the handler', { subject: 'break', count: 1 }, 500],
  ])('stores nothing after %s', async (_name, bad, status) => {
    expect((await workspace.api.post('/probes', bad, key('retry'))).status).toBe(status);
    const sent = body();
    expect((await workspace.api.post('/probes', sent, key('retry'))).status).toBe(201);
    expect(await writes()).toBe(1);
  });

  it('stores nothing when the token may not write', async () => {
    expect((await workspace.readApi.post('/probes', body(), key('scope'))).status).toBe(403);
    expect((await workspace.api.post('/probes', body(), key('scope'))).status).toBe(201);
  });

  it('lasts 24 hours by the clock of the database', async () => {
    const first = body();
    (await workspace.api.post('/probes', first, key('day'))).expect(201);
    await age('23 hours 59 minutes');
    expect((await workspace.api.post('/probes', first, key('day'))).header('idempotent-replayed')).toBe('true');
    await age('2 minutes');
    const later = await workspace.api.post('/probes', body(), key('day'));
    expect([later.status, later.header('idempotent-replayed')]).toEqual([201, null]);
  });

  it.each(['a b', 'x'.repeat(256), '""'])('is refused as %j', async (value) => {
    const answer = await workspace.api.post('/probes', body(), key(value));
    expect([answer.status, answer.codes]).toEqual([422, { 'Idempotency-Key': 'format' }]);
  });

  it('works on actions that take no body', async () => {
    const first = await workspace.api.post('/probes/5/act', undefined, key('act'));
    const again = await workspace.api.post('/probes/5/act', undefined, key('act'));
    expect([first.status, again.status, again.header('idempotent-replayed')]).toEqual([200, 200, 'true']);
    expect(again.text).toBe(first.text);
  });

  it('is ignored where it has no meaning', async () => {
    expect((await workspace.api.get('/me', key('a b'))).status).toBe(200);
  });

  it('held by a unit of work that dies is free for the next one', async () => {
    const client = await server.app.get(Database).connect();
    await client.query('BEGIN');
    await client.query(`SELECT set_config('app.workspace_id', $1, true)`, [String(workspace.id)]);
    await client.query(
      `INSERT INTO idempotency_keys (workspace_id, key, fingerprint, expires_at) VALUES ($1, 'held', '\\x00', now() + interval '1 day')`,
      [workspace.id],
    );
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const waiting = workspace.api.post('/probes', body(), key('held'));
    await until('the request waits for it', async () => {
      const found = await sql.rows('SELECT FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))', [
        rows[0]?.pid,
      ]);
      return found.length > 0;
    });
    client.release(new Error('as if the process had died'));
    expect((await waiting).status).toBe(201);
  });
});
