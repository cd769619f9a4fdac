import type { Client } from 'pg';

/**
 * Remembers what all tables of a database hold and which of them change from now on, so that the beginning can be had again
 * and again without a new database. Sequences go on.
 */
export class Restore {
  private constructor(
    private readonly client: Client,
    private readonly columns: ReadonlyMap<string, string>,
  ) {}

  /** @param client connected as a role that may do anything, to a database that nobody else uses at the moment */
  static async of(client: Client): Promise<Restore> {
    const { rows } = await client.query<{ table: string; columns: string }>(
      `SELECT c.relname AS "table", string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition GROUP BY 1`,
    );
    await client.query(
      `CREATE SCHEMA kept;
       CREATE UNLOGGED TABLE kept.touched (name text PRIMARY KEY);
       CREATE FUNCTION kept.touch() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
         $$ BEGIN INSERT INTO kept.touched VALUES (TG_TABLE_NAME) ON CONFLICT DO NOTHING; RETURN NULL; END $$;`,
    );
    for (const { table } of rows)
      await client.query(
        `CREATE TRIGGER zz_touched BEFORE INSERT OR UPDATE OR DELETE ON public."${table}" EXECUTE FUNCTION kept.touch()`,
      );
    // At one moment: what folds counters, say, moves rows from one table to another all the time.
    const copies = rows.map(
      ({ table, columns }) => `CREATE UNLOGGED TABLE kept."${table}" AS SELECT ${columns} FROM public."${table}";`,
    );
    await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ; ${copies.join('\n')} COMMIT`);
    return new Restore(client, new Map(rows.map(({ table, columns }) => [table, columns])));
  }

  /** Puts back what has changed since the beginning; answers the names of those tables. */
  async now(): Promise<string[]> {
    // Nobody is in the middle of a change, and nobody begins one.
    await this.client.query('BEGIN; LOCK TABLE kept.touched IN EXCLUSIVE MODE');
    const { rows } = await this.client.query<{ name: string }>('SELECT name FROM kept.touched ORDER BY name');
    const statements = rows.map(({ name }) => {
      const columns = this.columns.get(name) ?? '';
      return `DELETE FROM public."${name}"; INSERT INTO public."${name}" (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM kept."${name}";`;
    });
    await this.client.query(
      `SET LOCAL session_replication_role = replica; ${statements.join('\n')} DELETE FROM kept.touched; COMMIT`,
    );
    return rows.map(({ name }) => name);
  }
}
