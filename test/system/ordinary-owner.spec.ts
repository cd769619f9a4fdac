import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { MIGRATIONS_TABLE } from '../../src/platform/database/migrate';
import { startApp, type TestApp } from '../support/app';
import { furnish } from '../support/belongings';
import { migrate, migrations } from '../support/migrate';
import { administer, type ScratchDatabase, scratchDatabase } from '../support/scratch-database';
import { testServices } from '../support/services';
import { targets } from '../support/sla';
import { runJob } from '../support/jobs';
import { makeWorkspace } from '../support/workspace';

const { adminUrl } = testServices();
const owner = `owner_${randomBytes(4).toString('hex')}`;
let scratch: ScratchDatabase;
let ownerUrl: string;
let server: TestApp | undefined;

/** Records that own others, or are counted, by where they are. */
const DELETED = [
  ...['tickets', 'quotes', 'meetings', 'assets', 'contacts', 'companies'].map((kind) => [kind, `/${kind}`] as const),
  ...[['deals', '/crm/deals'] as const, ['leads', '/crm/leads'] as const, ['articles', '/kb/articles'] as const],
];

/** As the superuser, in the database that the owner without `BYPASSRLS` has made. */
const sql = {
  rows: async (text: string, values: readonly unknown[] = []): Promise<never[]> => {
    const client = new Client({ connectionString: scratch.url });
    await client.connect();
    try {
      return (await client.query<never>(text, [...values])).rows;
    } finally {
      await client.end();
    }
  },
};

beforeAll(async () => {
  scratch = await scratchDatabase({ migrated: false });
  await administer(
    adminUrl,
    `CREATE ROLE ${owner} LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD 'pw'`,
    `GRANT helpdesk_app, helpdesk_system TO ${owner} WITH SET TRUE, INHERIT FALSE`,
    `ALTER DATABASE ${scratch.name} OWNER TO ${owner}`,
  );
  const url = new URL(scratch.url);
  Object.assign(url, { username: owner, password: 'pw' });
  ownerUrl = url.href;
  await migrate(ownerUrl);
});

afterAll(async () => {
  await server?.close();
  await scratch.drop();
  await administer(adminUrl, `DROP ROLE ${owner}`);
});

it('an owner without BYPASSRLS is enough: whatever is deleted takes along what belongs to it', async () => {
  server = await startApp({ databaseUrl: scratch.serviceUrl });
  const workspace = await makeWorkspace(server);
  const { api } = workspace;
  (await api.post('/sla', { name: 'All', is_default: true, targets: targets(10, 20) })).expect(201);
  const own = await furnish(api, sql, 'mark');
  const answered = (await api.post(`/tickets/${own.tickets}/comments`, { body: 'Yes.' })).expect(201);
  expect(answered.data.id).toBeGreaterThan(0);
  (await api.patch(`/tickets/${own.tickets}`, { status: 'resolved', asset_ids: [own.assets] })).expect(200);
  (await api.post(`/tickets/${own.tickets}/rate`, { score: 5 })).expect(200);
  const counted = (await api.get('/stats')).expect(200).text;
  expect(counted).toMatch(/"resolved":[1-9]/);
  for (const [kind, path] of DELETED) {
    const { status, text } = await api.delete(`${path}/${own[kind]}`);
    expect([path, status < 300 ? 200 : text]).toEqual([path, 200]);
  }
  expect(await sql.rows('SELECT FROM sla_clocks WHERE ticket_id = $1', [own.tickets])).toEqual([]);
  // What was counted of them is no longer, once everything is folded: in pieces, differences of one record are apart.
  await runJob(server, 'fold-counters');
  const totals = await sql.rows(
    `SELECT resource, sum(n)::int AS n FROM (SELECT resource, d1, d2, d3, n FROM resource_tally_deltas WHERE workspace_id = $1
       UNION ALL SELECT resource, d1, d2, d3, n FROM resource_tallies WHERE workspace_id = $1) t
     WHERE resource IN ('quotes', 'assets', 'leads', 'deals', 'kb_articles', 'kb_article_feedback') AND d1 <> '' GROUP BY 1 HAVING sum(n) <> 0`,
    [workspace.id],
  );
  expect(totals).toEqual([]);
});

it('can undo the newest migrations and apply them again', async () => {
  await server?.close();
  server = undefined;
  const dataSource = new DataSource({
    ...{ type: 'postgres', url: ownerUrl, migrations: [...migrations] },
    ...{ migrationsTableName: MIGRATIONS_TABLE, installExtensions: false },
  });
  await dataSource.initialize();
  try {
    for (const _ of migrations) await dataSource.undoLastMigration();
  } finally {
    await dataSource.destroy();
  }
  expect(await migrate(ownerUrl)).toHaveLength(migrations.length);
});
