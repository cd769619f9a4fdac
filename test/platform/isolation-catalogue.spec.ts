import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { newContext, runInContext } from '../../src/platform/context/current';
import { Database, poolOf } from '../../src/platform/database/database';
import { allResources } from '../../src/platform/resource/resource';
import { useApp } from '../support/app';
import { makeTicket } from '../support/cast';
import { testServices } from '../support/services';
import { useSql } from '../support/sql';
import { makeWorkspace } from '../support/workspace';

const server = useApp();
const sql = useSql();

const names = (rows: readonly Record<string, unknown>[]): unknown[] => rows.map(({ name }) => name);

/** Tables that carry the workspace of each row, `workspaces` itself included. */
const confinedTables = `
  SELECT c.oid, c.relname AS name, c.relrowsecurity, c.relforcerowsecurity, c.relowner FROM pg_class c
  JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p')
    AND (c.relname = 'workspaces' OR EXISTS (
      SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped))
`;

const invokerViews = `SELECT relname AS name FROM pg_class WHERE relkind = 'v' AND reloptions @> '{security_invoker=true}'`;

describe('the tables of workspaces', () => {
  it('are all there', async () => {
    const found = names(await sql.rows(confinedTables));
    // A view that runs as whoever asks is confined by the tables below it.
    const views = names(await sql.rows(invokerViews));
    for (const { table } of allResources()) expect([...found, ...views]).toContain(table);
    // Rows of a view have no version of their own, by which a page is known again.
    const shown = allResources().filter(({ table }) => views.includes(table));
    for (const { name, listed } of shown) expect([name, views]).toEqual([name, expect.arrayContaining([listed])]);
    expect(found).toEqual(
      expect.arrayContaining(['workspaces', 'tokens', 'events', 'idempotency_keys', 'quota_usage']),
    );
  });

  it('have row-level security, also for their owner', async () => {
    expect(
      await sql.rows(`SELECT name FROM (${confinedTables}) t WHERE NOT (relrowsecurity AND relforcerowsecurity)`),
    ).toEqual([]);
  });

  it('have exactly one policy for requests, on the current workspace, for reading and writing', async () => {
    const policies = await sql.rows<{
      name: string;
      command: string;
      reads: string | null;
      writes: string | null;
      permissive: boolean;
    }>(
      `SELECT t.name, p.polcmd AS command, p.polpermissive AS permissive,
              pg_get_expr(p.polqual, p.polrelid) AS reads, pg_get_expr(p.polwithcheck, p.polrelid) AS writes
       FROM (${confinedTables}) t JOIN pg_policy p ON p.polrelid = t.oid
       WHERE p.polroles @> ARRAY['helpdesk_app'::regrole::oid] OR p.polroles @> ARRAY[0::oid]`,
    );
    expect(policies.map(({ name }) => name).sort()).toEqual(names(await sql.rows(confinedTables)).sort());
    for (const { name, command, permissive, reads, writes } of policies) {
      expect([name, command, permissive]).toEqual([name, '*', true]);
      const column = name === 'workspaces' ? 'id' : 'workspace_id';
      const confined = new RegExp(
        `^\\(${column} = \\( ?SELECT \\(?current_setting\\('app\\.workspace_id'::text\\)\\)?::bigint`,
      );
      expect([name, reads]).toEqual([name, expect.stringMatching(confined)]);
      expect([name, writes ?? reads]).toEqual([name, reads]);
    }
  });

  it('refer to each other only inside one workspace: every foreign key starts with it', async () => {
    const keys = await sql.rows<{ name: string; from_column: string; to_column: string }>(
      `SELECT f.conname AS name, a.attname AS from_column, b.attname AS to_column FROM pg_constraint f
       JOIN (${confinedTables}) s ON s.oid = f.conrelid JOIN (${confinedTables}) t ON t.oid = f.confrelid
       JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = f.conkey[1]
       JOIN pg_attribute b ON b.attrelid = f.confrelid AND b.attnum = f.confkey[1]
       WHERE f.contype = 'f' AND t.name <> 'workspaces'`,
    );
    expect(keys.length).toBeGreaterThanOrEqual(20);
    for (const key of keys)
      expect(key).toEqual({ name: key.name, from_column: 'workspace_id', to_column: 'workspace_id' });
  });

  it('are unique per workspace only', async () => {
    const rows = await sql.rows(
      `SELECT i.relname AS name FROM pg_index x JOIN (${confinedTables}) t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
       LEFT JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = x.indkey[0]
       WHERE x.indisunique AND a.attname IS DISTINCT FROM 'workspace_id'
         AND t.name NOT IN ('workspaces', 'tokens', 'apps', 'subscriptions') ORDER BY 1`,
    );
    expect(names(rows)).toEqual([]);
  });
});

describe('the role of requests', () => {
  it('can neither log in nor step out of row-level security, and owns nothing', async () => {
    const [role] = await sql.rows(
      `SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication FROM pg_roles WHERE rolname = 'helpdesk_app'`,
    );
    expect(Object.values(role ?? {})).toEqual(Array(6).fill(false));
    const owned = `SELECT relname AS name FROM pg_class WHERE relowner = 'helpdesk_app'::regrole
                   UNION ALL SELECT proname FROM pg_proc WHERE proowner = 'helpdesk_app'::regrole`;
    expect(await sql.rows(owned)).toEqual([]);
    expect(await sql.rows(`SELECT FROM pg_auth_members WHERE member = 'helpdesk_app'::regrole`)).toEqual([]);
  });

  it('sees no secret and no account', async () => {
    const readable = await sql.rows(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
         AND relname IN ('tokens', 'plans', 'apps', 'developers', 'tenants', 'subscriptions', 'quota_usage')
         AND has_any_column_privilege('helpdesk_app', oid, 'SELECT, INSERT, UPDATE')`,
    );
    expect(names(readable)).toEqual([]);
  });

  it('may call no function of the platform but those meant for it', async () => {
    const callable = await sql.rows(
      `SELECT proname AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef
         AND has_function_privilege('helpdesk_app', oid, 'EXECUTE') ORDER BY 1`,
    );
    expect(names(callable)).toEqual([
      'attachment_limit_mb',
      'auth_lookup',
      'auth_named_user',
      'next_number',
      'redact_event_records',
      'redact_events',
      'redact_related_events',
      'redacted_since',
      'settle_quota',
      'touch_tokens',
      'users_with_tokens',
    ]);
  });

  it('is that of every connection of the application', async () => {
    const pool = poolOf(server.app.get(DataSource));
    const clients = await Promise.all(Array.from({ length: Math.min(5, pool.options.max) }, () => pool.connect()));
    try {
      for (const client of clients) {
        const { rows } = await client.query<{ login: string; role: string; bound: string | null }>(
          `SELECT session_user AS login, current_user AS role, nullif(current_setting('app.workspace_id', true), '') AS bound`,
        );
        expect(rows).toEqual([{ login: 'helpdesk_service', role: 'helpdesk_app', bound: null }]);
      }
    } finally {
      for (const client of clients) client.release();
    }
  });

  it('cannot even ask without a workspace', async () => {
    const pool = poolOf(server.app.get(DataSource));
    await makeTicket((await makeWorkspace(server)).api);
    const refusal = /app\.workspace_id|invalid input syntax for type bigint/;
    await expect(pool.query('SELECT count(*) FROM tickets')).rejects.toThrow(refusal);
    for (const { name } of await sql.rows<{ name: string }>(
      `SELECT name FROM (${confinedTables}) t WHERE has_table_privilege('helpdesk_app', oid, 'SELECT')`,
    )) {
      // Where a table is empty, PostgreSQL may never come to ask whose rows it may show.
      const seen = await pool.query<{ count: number }>(`SELECT count(*) FROM ${name}`).then(
        ({ rows }) => rows,
        (error: unknown) => (error as Error).message,
      );
      expect([name, seen]).toEqual([name, typeof seen === 'string' ? expect.stringMatching(refusal) : [{ count: 0 }]]);
    }
    const database = server.app.get(Database);
    await expect(runInContext(newContext('test'), () => database.read({ text: 'SELECT 1' }))).rejects.toMatchObject({
      type: 'unauthorized',
    });
    await expect(database.read({ text: 'SELECT 1' })).rejects.toThrow('No request or job context');
  });

  it('cannot write into another workspace, whatever it names', async () => {
    const [one, two] = [await makeWorkspace(server), await makeWorkspace(server)];
    const ticket = await makeTicket(two.api);
    const client = new Client({ connectionString: testServices().databaseUrl, options: '-c role=helpdesk_app' });
    await client.connect();
    await client.query(`SELECT set_config('app.workspace_id', $1, false)`, [one.id]);
    await expect(
      client.query(`INSERT INTO teams (workspace_id, name) VALUES ($1, 'x')`, [two.id]),
    ).rejects.toMatchObject({ code: '42501' });
    expect((await client.query(`UPDATE tickets SET subject = 'x' WHERE id = $1`, [ticket.id])).rowCount).toBe(0);
    expect((await client.query(`DELETE FROM tickets WHERE id = $1`, [ticket.id])).rowCount).toBe(0);
    const own = await makeTicket(one.api);
    await expect(
      client.query('UPDATE tickets SET workspace_id = $2 WHERE id = $1', [own.id, two.id]),
    ).rejects.toMatchObject({ code: '42501' });
    await expect(
      client.query('UPDATE tickets SET merged_into_id = $2 WHERE id = $1', [own.id, ticket.id]),
    ).rejects.toMatchObject({ code: '23503' });
    await client.end();
  });
});

describe('search views', () => {
  it('yield only rows of the current workspace, and nothing without one', async () => {
    const [one, two] = [await makeWorkspace(server), await makeWorkspace(server)];
    for (const { api } of [one, two])
      await makeTicket(api, { requester_email: 'a@b.example', custom_fields: { floor: 3 } });
    const views = names(
      await sql.rows(`SELECT viewname AS name FROM pg_views WHERE schemaname = 'public' ORDER BY 1`),
    ) as string[];
    expect(views).toEqual(expect.arrayContaining(['tickets_search', 'users_search', 'contacts_search']));
    const client = new Client({ connectionString: testServices().databaseUrl, options: '-c role=helpdesk_app' });
    await client.connect();
    for (const view of views) {
      await client.query('BEGIN');
      // One over a table without records that it could show never comes to ask which workspace it is.
      const refused = (error: Error): unknown => /app\.workspace_id|bigint/.test(error.message) || error;
      const seen = client.query(`SELECT FROM ${view}`).then(({ rowCount }) => rowCount === 0, refused);
      expect([view, await seen]).toEqual([view, true]);
      await client.query('ROLLBACK');
      await client.query('BEGIN');
      await client.query(`SELECT set_config('app.workspace_id', $1, true)`, [one.id]);
      const { rows } = await client.query<{ workspace_id: string }>(`SELECT DISTINCT workspace_id FROM ${view}`);
      expect(rows.filter((row) => Number(row.workspace_id) !== one.id)).toEqual([]);
      await client.query('COMMIT');
    }
    await client.end();
  });
});
