import { Client } from 'pg';
import { patience } from './machine';
import { administer, scratchDatabase, type ScratchDatabase } from './scratch-database';

/** The only workspace of such a database. */
export const SCRATCH_WORKSPACE = 801;

/**
 * A migrated database that a spec has to itself, with one workspace (`SCRATCH_WORKSPACE`), and a session in it as a request has one.
 *
 * @param statements what fills it, each by itself, as the superuser
 */
export function useScratchWorkspace(statements: readonly string[]): { readonly client: Client } {
  let database: ScratchDatabase;
  let client: Client;
  beforeAll(async () => {
    database = await scratchDatabase({ migrated: true });
    await administer(
      database.url,
      `WITH owner AS (INSERT INTO developers (name) VALUES ('scratch') RETURNING id)
       INSERT INTO workspaces (id, slug, name, kind, developer_id) SELECT ${SCRATCH_WORKSPACE}, 'scratch', 'w', 'developer', owner.id FROM owner`,
      ...statements,
    );
    client = new Client({ connectionString: database.serviceUrl, connectionTimeoutMillis: patience(30_000) });
    await client.connect();
    await client.query(`SET ROLE helpdesk_app; SET app.workspace_id = ${SCRATCH_WORKSPACE}`);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });
  return {
    get client() {
      return client;
    },
  };
}
