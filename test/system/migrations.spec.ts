import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { pendingFiles } from '../../src/cli/schema';
import { MIGRATIONS_TABLE, pendingMigrations, runMigrations } from '../../src/platform/database/migrate';
import { migrate, migrations } from '../support/migrate';
import { administer, type ScratchDatabase, scratchDatabase } from '../support/scratch-database';
import { testServices } from '../support/services';

const names = migrations.map(({ name }) => name);
const made: ScratchDatabase[] = [];

async function emptyDatabase(): Promise<ScratchDatabase> {
  const scratch = await scratchDatabase({ migrated: false });
  made.push(scratch);
  return scratch;
}

afterEach(async () => {
  for (const scratch of made.splice(0)) await scratch.drop();
});

async function rows<R extends object>(url: string, sql: string): Promise<R[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<R>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('migrations', () => {
  it('are the files in the folder, each named by an area', async () => {
    const { url } = await emptyDatabase();
    const client = new Client({ connectionString: url });
    await client.connect();
    const pending = await pendingFiles(client).finally(() => client.end());
    // Those of plug-ins, `<plug-in>/<class>`, are in their folders.
    expect(pending.sort()).toEqual(names.filter((name) => !name.includes('/')).sort());
  });

  it('are applied once when several processes start together', async () => {
    const { url } = await emptyDatabase();
    const applied = await Promise.all([migrate(url), migrate(url), migrate(url)]);
    expect(applied.map((names) => names.length).sort((a, b) => a - b)).toEqual([0, 0, migrations.length]);
    expect(await pendingMigrations(names, (sql) => rows(url, sql))).toEqual([]);
  });

  it("of a newer version are named, and in nobody's way", async () => {
    const { url } = await emptyDatabase();
    await migrate(url);
    await rows(url, `INSERT INTO ${MIGRATIONS_TABLE} (timestamp, name) VALUES (1, 'ComeLater1900000000000')`);
    const said: string[] = [];
    expect(await runMigrations(url, migrations, (line) => said.push(line))).toEqual([]);
    expect(said).toEqual([
      'The database was migrated by a newer version, or a plug-in that is not loaded here: ComeLater1900000000000.',
    ]);
  });

  it('can be undone to nothing and applied again', async () => {
    const { url } = await emptyDatabase();
    await migrate(url);
    const dataSource = new DataSource({
      type: 'postgres',
      url,
      migrations: [...migrations],
      migrationsTableName: MIGRATIONS_TABLE,
      installExtensions: false,
    });
    await dataSource.initialize();
    try {
      for (const _ of migrations) await dataSource.undoLastMigration();
    } finally {
      await dataSource.destroy();
    }
    const left = await rows<{ name: string }>(
      url,
      `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm')
         AND relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace, 'pg_toast'::regnamespace)
       UNION ALL
       SELECT proname FROM pg_proc p WHERE pronamespace = 'public'::regnamespace
         AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`,
    );
    expect(left).toEqual([{ name: MIGRATIONS_TABLE }]);
    expect(await migrate(url)).toHaveLength(migrations.length);
  });

  it('work for an ordinary owner of the database, who then cannot see through row-level security either', async () => {
    const { name, url } = await emptyDatabase();
    const owner = `owner_${randomBytes(4).toString('hex')}`;
    const admin = testServices().adminUrl;
    await administer(admin, `CREATE ROLE ${owner} LOGIN PASSWORD 'pw'`, `ALTER DATABASE ${name} OWNER TO ${owner}`);
    const owned = new URL(url);
    owned.username = owner;
    owned.password = 'pw';
    await expect(migrate(owned.href)).rejects.toThrow(
      `have an administrator run once: GRANT helpdesk_app TO ${owner} WITH SET TRUE, INHERIT FALSE; GRANT helpdesk_system`,
    );
    await administer(
      admin,
      `GRANT helpdesk_app TO ${owner} WITH SET TRUE, INHERIT FALSE`,
      `GRANT helpdesk_system TO ${owner} WITH SET TRUE, INHERIT FALSE`,
    );
    expect(await migrate(owned.href)).toHaveLength(migrations.length);
    await administer(
      url,
      `SET ROLE helpdesk_system`,
      `INSERT INTO developers (name) VALUES ('d')`,
      `INSERT INTO workspaces (slug, name, kind, developer_id) SELECT 'w', 'W', 'developer', id FROM developers`,
    );
    expect(await rows(owned.href, 'SELECT * FROM workspaces')).toEqual([]);
    expect(await rows(url, 'SELECT slug FROM workspaces')).toEqual([{ slug: 'w' }]);
    await administer(url, `REASSIGN OWNED BY ${owner} TO CURRENT_USER`, `DROP OWNED BY ${owner}`);
    await administer(admin, `DROP ROLE ${owner}`);
  });
});

describe('the catalogue', () => {
  const { adminUrl: databaseUrl } = testServices();

  it('forces row-level security on every table that carries a workspace', async () => {
    const tables = await rows<{ name: string; enabled: boolean; forced: boolean; policies: string[] }>(
      databaseUrl,
      `SELECT c.relname AS name, c.relrowsecurity AS enabled, c.relforcerowsecurity AS forced,
              ARRAY(SELECT p.polname::text FROM pg_policy p WHERE p.polrelid = c.oid ORDER BY 1) AS policies
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')`,
    );
    expect(tables.length).toBeGreaterThan(5);
    for (const { name, enabled, forced, policies } of tables) {
      expect([name, enabled, forced]).toEqual([name, true, true]);
      expect(policies).toEqual(expect.arrayContaining([`${name}_system`, `${name}_workspace`]));
    }
  });

  it('links tables of a workspace by composite keys only', async () => {
    const single = await rows<{ name: string }>(
      databaseUrl,
      `SELECT k.conrelid::regclass || '.' || k.conname AS name
       FROM pg_constraint k
       JOIN pg_attribute own ON own.attrelid = k.conrelid AND own.attname = 'workspace_id'
       JOIN pg_attribute other ON other.attrelid = k.confrelid AND other.attname = 'workspace_id'
       WHERE k.contype = 'f' AND k.connamespace = 'public'::regnamespace
         AND NOT (own.attnum = ANY (k.conkey) AND (k.confrelid = 'workspaces'::regclass OR other.attnum = ANY (k.confkey)))`,
    );
    expect(single).toEqual([]);
  });

  it('gives requests no way around: no ownership, no bypass, no reading of tokens', async () => {
    const [role] = await rows<object>(
      databaseUrl,
      `SELECT rolsuper, rolbypassrls, rolcanlogin,
              has_table_privilege('helpdesk_app', 'tokens', 'SELECT') AS reads_tokens,
              has_table_privilege('helpdesk_app', 'developers', 'SELECT') AS reads_developers,
              (SELECT count(*)::int FROM pg_class WHERE relowner = r.oid) AS owns
       FROM pg_roles r WHERE rolname = 'helpdesk_app'`,
    );
    expect(role).toEqual({
      rolsuper: false,
      rolbypassrls: false,
      rolcanlogin: false,
      reads_tokens: false,
      reads_developers: false,
      owns: 0,
    });
  });

  it('pins the search path of every function that runs with other rights', async () => {
    const loose = await rows<{ name: string }>(
      databaseUrl,
      `SELECT p.proname AS name FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.prosecdef
         AND NOT 'search_path=pg_catalog, public, pg_temp' = ANY(coalesce(p.proconfig, '{}'))`,
    );
    expect(loose).toEqual([]);
  });

  it('runs triggers that touch tables as the system role, which no cascade of whatever owner is refused', async () => {
    const triggers = await rows<{ name: string; definer: boolean; owner: string; callers: string[] }>(
      databaseUrl,
      `SELECT p.proname AS name, p.prosecdef AS definer, p.proowner::regrole::text AS owner,
         ARRAY(SELECT r.name FROM unnest(ARRAY['public', 'helpdesk_app', 'helpdesk_service']) AS r (name)
           WHERE has_function_privilege(r.name, p.oid, 'EXECUTE')) AS callers
       FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.prorettype = 'trigger'::regtype
         AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e') ORDER BY 1`,
    );
    // These look at nothing but the row, or at nothing.
    const harmless = [
      'ai_settings_own_id',
      'announce_access_changed',
      'announce_people_changed',
      'announce_workspace_facts',
      'plan_automation',
      'quote_events_are_final',
      'work_is_due_later',
    ];
    expect(triggers.filter(({ definer }) => !definer).map(({ name }) => name)).toEqual(harmless);
    const others = triggers.filter(({ definer }) => definer);
    expect(others.length).toBeGreaterThan(50);
    for (const { name, owner, callers } of others)
      expect([name, owner, callers]).toEqual([name, 'helpdesk_system', []]);
  });
});
