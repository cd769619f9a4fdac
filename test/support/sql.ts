import { Pool, types } from 'pg';
import { testServices } from './services';

/** The tests' own way into PostgreSQL: as the owner of the cluster, outside row-level security and outside the application. */
export interface Sql {
  /** Rows as objects; bigint as number. */
  rows<R extends object = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<R[]>;
}

/** A connection for the tests of a file. */
export function useSql(): Sql {
  types.setTypeParser(types.builtins.INT8, Number);
  const pool = new Pool({ connectionString: testServices().databaseUrl, max: 2 });
  afterAll(async () => {
    await pool.end();
  });
  return {
    rows: async <R extends object>(text: string, values: readonly unknown[] = []) =>
      (await pool.query<R>(text, [...values])).rows,
  };
}
