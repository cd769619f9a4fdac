import { Client } from 'pg';
import { INDEX_PENDING_WORDS } from '../../src/platform/search/pending-words';
import { useApp } from '../support/app';
import { runJob } from '../support/jobs';
import { patience } from '../support/machine';
import { administer, type ScratchDatabase, scratchDatabase } from '../support/scratch-database';

const server = useApp();

let database: ScratchDatabase;
let client: Client;
beforeAll(async () => {
  database = await scratchDatabase({ migrated: true });
  await administer(
    database.url,
    // Nobody but the test is to clean up.
    'ALTER TABLE ticket_texts SET (autovacuum_enabled = false)',
    `WITH owner AS (INSERT INTO developers (name) VALUES ('words') RETURNING id)
     INSERT INTO workspaces (id, slug, name, kind, developer_id) SELECT 801, 'words', 'w', 'developer', owner.id FROM owner`,
    `INSERT INTO tickets (workspace_id, number, code, subject) SELECT 801, n, 'TCK-' || n, 'word' || n FROM generate_series(1, 400) n`,
  );
  client = new Client({ connectionString: database.serviceUrl, connectionTimeoutMillis: patience(30_000) });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const pages = async (role: string): Promise<number> => {
  await client.query(`SET ROLE ${role}`);
  const { rows } = await client.query<{ pages: string }>('SELECT index_pending_words() AS pages');
  return Number(rows[0]?.pages);
};

it('what was written lately is indexed, by the platform alone', async () => {
  await expect(pages('helpdesk_app')).rejects.toThrow('permission denied');
  expect(await pages('helpdesk_system')).toBeGreaterThan(0);
  expect(await pages('helpdesk_system')).toBe(0);
});

it('a job does it', async () => {
  await runJob(server, INDEX_PENDING_WORDS);
});
