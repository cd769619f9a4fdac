import { Client } from 'pg';
import { companySearch } from '../../src/areas/companies/company-search';
import { groupStatement } from '../../src/areas/search/group-statement';
import { termsOf } from '../../src/platform/search/terms';
import { patience } from '../support/machine';
import { administer, scratchDatabase, type ScratchDatabase } from '../support/scratch-database';
import { visitedRows } from '../support/visited-rows';

const COMPANIES = 5_000;
const WORKSPACE = 801;

let database: ScratchDatabase;
let client: Client;
beforeAll(async () => {
  database = await scratchDatabase({ migrated: true });
  await administer(
    database.url,
    `WITH owner AS (INSERT INTO developers (name) VALUES ('plans') RETURNING id)
     INSERT INTO workspaces (id, slug, name, kind, developer_id) SELECT ${WORKSPACE}, 'plans', 'w', 'developer', owner.id FROM owner`,
    `INSERT INTO companies (workspace_id, name, created_at)
     SELECT ${WORKSPACE}, (ARRAY['North', 'South'])[1 + n % 2] || ' Works ' || n, now() - n * interval '1 minute' FROM generate_series(1, ${COMPANIES}) n
     UNION ALL SELECT ${WORKSPACE}, 'NORTH', now() - interval '1 year' UNION ALL SELECT ${WORKSPACE}, '+++', now() - interval '1 year'`,
    'VACUUM (ANALYZE) companies',
  );
  client = new Client({ connectionString: database.serviceUrl, connectionTimeoutMillis: patience(30_000) });
  await client.connect();
  await client.query(`SET ROLE helpdesk_app; SET app.workspace_id = ${WORKSPACE}`);
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const statementOf = (text: string): ReturnType<typeof groupStatement> =>
  groupStatement(companySearch, text, termsOf(text), WORKSPACE, new Set());

it.each([
  ['zzqx', 0],
  ['works 77', 11],
])('a search goes through no company that has nothing of it: %s', async (text, total) => {
  const { text: sql, values = [] } = statementOf(text);
  const { rows } = await client.query<{ total: string }>(sql, [...values]);
  expect(Number(rows[0]?.total)).toBe(total);
  expect(await visitedRows(client, { text: sql, values })).toBeLessThan(COMPANIES / 5);
});

it.each([
  ['North', 1 + COMPANIES / 2, 'NORTH'],
  ['+++', 1, '+++'],
])('who has that very name is counted once, and is the first: %s', async (text, total, name) => {
  const { text: sql, values = [] } = statementOf(text);
  const { rows } = await client.query<{ total: string; hits: { title: string }[] }>(sql, [...values]);
  expect(Number(rows[0]?.total)).toBe(total);
  expect(rows[0]?.hits[0]?.title).toBe(name);
});
