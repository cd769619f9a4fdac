import { Client } from 'pg';
import type { Database } from '../../src/platform/database/database';
import type { Statement } from '../../src/platform/postgres/statement-batch';
import { visitedRows } from './visited-rows';

/** What a database is asked for, one row each, to be asked for once more with a count of the rows that it looks at. */
export interface WatchedReads {
  /** What was asked since the last look. */
  take(): Statement[];
  /** Rows of these tables that the statements since the last look have looked at, in a workspace. */
  visited(workspaceId: number, relations: readonly string[]): Promise<number>;
  close(): Promise<void>;
}

/** @param url of who may look at everything */
export async function watchReads(database: Database, url: string): Promise<WatchedReads> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const asked: Statement[] = [];
  const read = database.rawRead.bind(database);
  database.rawRead = (statement) => {
    asked.push(statement);
    return read(statement);
  };
  return {
    take: () => asked.splice(0),
    visited: async (workspaceId, relations) => {
      let sum = 0;
      await client.query('BEGIN');
      await client.query(`SELECT set_config('app.workspace_id', $1, true)`, [String(workspaceId)]);
      for (const statement of asked.splice(0)) sum += await visitedRows(client, statement, relations);
      await client.query('ROLLBACK');
      return sum;
    },
    close: () => client.end(),
  };
}
