import { createHash } from 'node:crypto';
import { Pool, types } from 'pg';
import { patience } from './machine';
import { testServices } from './services';

/** The tests' own way into PostgreSQL: as the owner of the cluster, outside row-level security and outside the application. */
export interface Sql {
  /** Rows as objects; bigint as number. */
  rows<R extends object = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<R[]>;
}

const DEADLOCK = '40P01';

/** From so many characters on a statement takes longer to plan than to do: it is prepared, once for each connection. */
const LONG = 5_000;

/** A connection for the tests of a file. */
export function useSql(): Sql {
  const sql = openSql(testServices().adminUrl);
  afterAll(() => sql.end());
  return sql;
}

/** Connections to a database of a test's own, as the superuser; to be ended before that is dropped. */
export function openSql(url: string): Sql & { end(): Promise<void> } {
  types.setTypeParser(types.builtins.INT8, Number);
  const pool = new Pool({ connectionString: url, max: 2, connectionTimeoutMillis: patience(30_000) });
  return {
    rows: async <R extends object>(text: string, values: readonly unknown[] = []) => {
      for (;;) {
        try {
          const name = values.length > 0 && text.length > LONG ? { name: nameOf(text) } : {};
          return (await pool.query<R>({ text, values: [...values], ...name })).rows;
        } catch (error) {
          // Each statement stands alone: one that lost against the service has done nothing and may simply come again.
          if ((error as { code?: string }).code !== DEADLOCK) throw error;
        }
      }
    },
    end: () => pool.end(),
  };
}

function nameOf(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
