import { rmSync } from 'node:fs';
import { Client } from 'pg';
import { MIGRATIONS_TABLE } from '../../src/platform/database/migrate';
import { excessOf } from '../../src/embedded/connection-check';
import { type RunningServices, startServices } from '../../src/embedded/services';
import { adminUrl } from '../support/admin-url';
import { dataFolder } from '../support/folders';
import { migrate } from '../support/migrate';
import { administer } from '../support/scratch-database';
import { testServices } from '../support/services';

async function rows<R extends object>(url: string, ...statements: string[]): Promise<R[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    let last: R[] = [];
    for (const statement of statements) last = (await client.query<R>(statement)).rows;
    return last;
  } finally {
    await client.end();
  }
}

const whoAmI = `SELECT session_user AS login, current_user AS role, rolsuper AS super FROM pg_roles WHERE rolname = current_user`;
const nobody = { login: 'helpdesk_service', role: 'helpdesk_service', super: false };

describe('the role that the service logs in as', () => {
  const { databaseUrl } = testServices();

  it.each(['SET ROLE NONE', 'RESET ROLE', 'SET SESSION AUTHORIZATION DEFAULT', 'RESET SESSION AUTHORIZATION'])(
    'is left with nothing by %s',
    async (escape) => {
      expect(await rows(databaseUrl, 'SET ROLE helpdesk_app', escape, whoAmI)).toEqual([nobody]);
      await expect(rows(databaseUrl, 'SET ROLE helpdesk_app', escape, 'SELECT * FROM tickets')).rejects.toMatchObject({
        code: '42501',
      });
    },
  );

  it.each([
    'SET ROLE helpdesk',
    'SET ROLE helpdesk_owner',
    'SET SESSION AUTHORIZATION helpdesk',
    'SET SESSION AUTHORIZATION helpdesk_owner',
    'ALTER ROLE helpdesk_service SUPERUSER',
    'ALTER ROLE helpdesk_service BYPASSRLS',
    'CREATE ROLE helpdesk_mine',
    'GRANT helpdesk_owner TO helpdesk_service',
    'GRANT pg_read_all_data TO helpdesk_service',
    `COPY (SELECT 1) TO PROGRAM 'true'`,
    `COPY tickets FROM '/etc/passwd'`,
    `SELECT pg_read_file('/etc/passwd')`,
    `SELECT lo_import('/etc/passwd')`,
    'SET row_security = off; SELECT * FROM tickets',
    'ALTER TABLE tickets DISABLE ROW LEVEL SECURITY',
    'ALTER TABLE tickets NO FORCE ROW LEVEL SECURITY',
    'DROP POLICY tickets_workspace ON tickets',
    'ALTER TABLE tickets DISABLE TRIGGER ALL',
    'ALTER TABLE tickets ADD COLUMN mine text',
    'DROP TABLE tickets',
    'TRUNCATE tickets',
    'CREATE TABLE public.mine (a int)',
    'CREATE SCHEMA mine',
    'CREATE EXTENSION file_fdw',
    'ALTER DATABASE helpdesk OWNER TO helpdesk_service',
    'SET session_replication_role = replica',
    `DELETE FROM ${MIGRATIONS_TABLE}`,
  ])('may not %s, neither itself nor as the role of requests', async (statement) => {
    for (const role of ['NONE', 'helpdesk_app']) {
      const error = await rows(databaseUrl, `SET ROLE ${role}`, 'BEGIN', statement).catch((reason: unknown) => reason);
      // Not allowed, or (row_security = off) refused rather than shown.
      expect([role, (error as { code?: string }).code]).toEqual([role, '42501']);
    }
  });

  it('is a member of the two roles without login alone, inherits neither, and owns nothing', async () => {
    const { adminUrl: admin } = testServices();
    const [role] = await rows(
      admin,
      `SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls, rolinherit,
         (SELECT count(*)::int FROM pg_class WHERE relowner = r.oid) + (SELECT count(*)::int FROM pg_proc WHERE proowner = r.oid)
           + (SELECT count(*)::int FROM pg_database WHERE datdba = r.oid) AS owns
       FROM pg_roles r WHERE rolname = 'helpdesk_service'`,
    );
    expect(Object.values(role ?? {})).toEqual([false, false, false, false, false, false, 0]);
    const memberships = await rows(
      admin,
      `SELECT roleid::regrole::text AS role, admin_option AS admin, inherit_option AS inherits FROM pg_auth_members
       WHERE member = 'helpdesk_service'::regrole ORDER BY 1`,
    );
    expect(memberships).toEqual([
      { role: 'helpdesk_app', admin: false, inherits: false },
      { role: 'helpdesk_system', admin: false, inherits: false },
    ]);
  });

  it('is not complained about, while a superuser or one that may bypass row-level security is', async () => {
    const { adminUrl: admin, migrateDatabaseUrl } = testServices();
    const complaint = async (url: string): Promise<string | null> => {
      const client = new Client({ connectionString: url });
      await client.connect();
      return excessOf((sql) => client.query(sql)).finally(() => client.end());
    };
    expect(await complaint(databaseUrl)).toBeNull();
    expect(await complaint(migrateDatabaseUrl)).toBeNull();
    expect(await complaint(admin)).toMatch(/^"helpdesk", which is a superuser; /);
    await administer(admin, `CREATE ROLE helpdesk_beyond LOGIN BYPASSRLS PASSWORD 'pw'`);
    const beyond = new URL(admin);
    Object.assign(beyond, { username: 'helpdesk_beyond', password: 'pw' });
    expect(await complaint(beyond.href)).toMatch(/^"helpdesk_beyond", which may bypass row-level security; /);
    await administer(admin, 'DROP ROLE helpdesk_beyond');
  });
});

describe('the owner of the tables', () => {
  it('sees no row of a workspace either, unless it becomes the system role', async () => {
    const { migrateDatabaseUrl } = testServices();
    const [role] = await rows(
      migrateDatabaseUrl,
      `SELECT session_user AS login, rolsuper AS super, rolbypassrls AS bypasses FROM pg_roles WHERE rolname = session_user`,
    );
    expect(role).toEqual({ login: 'helpdesk_owner', super: false, bypasses: false });
    expect(await rows(migrateDatabaseUrl, 'SELECT FROM workspaces')).toEqual([]);
  });
});

describe('a data directory of a version that logged in as the superuser', () => {
  const dataDir = dataFolder('helpdesk-test-former-');
  const lines: string[] = [];
  let running: RunningServices | null = null;
  const start = async (): Promise<RunningServices> => {
    const config = { dataDir, databaseUrl: null, redisUrl: testServices().redisUrl };
    return (running = await startServices(config, (line) => lines.push(line), { durable: false }));
  };

  afterAll(async () => {
    await running?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('is handed over on the next start, with all that is in it', async () => {
    const first = await start();
    const admin = adminUrl(dataDir, first.databaseUrl);
    const postgres = admin.replace(/\/helpdesk(?=$|\?)/, '/postgres');
    // As it was: one login role, who made everything.
    await administer(postgres, 'DROP DATABASE helpdesk', 'CREATE DATABASE helpdesk OWNER helpdesk');
    await administer(
      postgres,
      'REVOKE SET ON PARAMETER session_replication_role, wal_compression FROM helpdesk_owner',
      'DROP ROLE helpdesk_owner, helpdesk_service',
      'DROP ROLE helpdesk_app, helpdesk_system',
    );
    await migrate(admin);
    await administer(admin, 'SET ROLE helpdesk_system', `INSERT INTO tenants (name) VALUES ('kept')`);
    await first.stop();

    const { databaseUrl, migrateDatabaseUrl } = await start();
    expect(lines.join('\n')).toMatch(/handed over to a role that is no superuser \(\d+ objects\)/);
    expect(await rows(databaseUrl, 'SET ROLE helpdesk_system', 'SELECT name FROM tenants')).toEqual([{ name: 'kept' }]);
    expect(await rows(databaseUrl, 'SET ROLE helpdesk_app', 'RESET ROLE', whoAmI)).toEqual([nobody]);
    expect(await rows(admin, contents)).toEqual(
      await rows(testServices().adminUrl.replace(/\/helpdesk(?=$|\?)/, '/migrated_template'), contents),
    );
    // The owner can go on from here: undo and do again what made all of it.
    expect(await migrate(migrateDatabaseUrl)).toEqual([]);
    await administer(
      migrateDatabaseUrl,
      'ANALYZE tickets',
      'SELECT fold_tallies(1)',
      'ALTER TABLE tickets ADD COLUMN later text',
    );
    await running?.stop();

    lines.length = 0;
    await start();
    // A busy machine may say besides that it takes its time.
    expect(lines.filter((line) => !line.includes('is still starting'))).toEqual([]);
  });

  /** Who owns what, and who may do what with it, in the order of names. */
  const contents = `
    SELECT nspname || '.' || relname AS name, relkind::text AS kind, relowner::regrole::text AS owner,
      ARRAY(SELECT a::text FROM unnest(relacl) a WHERE a::text NOT LIKE 'helpdesk=%' ORDER BY 1) AS acl
    FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
    WHERE nspname IN ('public', 'counters') AND relkind IN ('r', 'p', 'v', 'm', 'S')
    UNION ALL
    SELECT p.oid::regprocedure::text, 'f', proowner::regrole::text, ARRAY(SELECT a::text FROM unnest(proacl) a WHERE a::text NOT LIKE 'helpdesk=%' ORDER BY 1)
    FROM pg_proc p WHERE pronamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
    UNION ALL
    SELECT c.oid::regcollation::text, 'c', collowner::regrole::text, ARRAY[]::text[]
    FROM pg_collation c WHERE collnamespace = 'public'::regnamespace
    UNION ALL
    SELECT nspname, 'n', nspowner::regrole::text, ARRAY(SELECT a::text FROM unnest(nspacl) a WHERE a::text NOT LIKE 'helpdesk=%' ORDER BY 1)
    FROM pg_namespace WHERE nspname IN ('public', 'counters')
    UNION ALL
    SELECT coalesce(defaclnamespace::regnamespace::text, ''), defaclobjtype::text, defaclrole::regrole::text, ARRAY[]::text[]
    FROM pg_default_acl WHERE defaclrole <> 'helpdesk'::regrole AND defaclnamespace <> 0
    ORDER BY 1, 2, 3`;
});
