import type { Statement } from '../postgres/statement-batch';

/** Where the functions of the workspace's clock are found before PostgreSQL's own, and where not. */
const MOVED_PATH = 'workspace_clock, pg_catalog, public';
const USUAL_PATH = '"$user", public';

/**
 * From here on everything in the transaction is dated by a clock that is so far ahead: `now()` and `clock_timestamp()` mean those
 * of the schema `workspace_clock`, whoever wrote the statement. 0: by the real one.
 *
 * Statements under such a clock are prepared apart: under the names of the others they would be planned anew whenever a connection
 * goes from one to the other.
 */
export function setClock(aheadMs: number): Statement {
  return {
    text: `SELECT set_config('search_path', $1, true), set_config('app.clock_ahead', $2, true)`,
    values: aheadMs > 0 ? [MOVED_PATH, aheadText(aheadMs)] : [USUAL_PATH, ''],
  };
}

/** An interval of PostgreSQL. */
export function aheadText(aheadMs: number): string {
  return `${aheadMs} milliseconds`;
}

/** Tables of the platform that are dated by the real clock, whatever that of the workspace is. */
const REAL_TIME = [
  'apps',
  'event_outbox',
  'idempotency_keys',
  'quota_usage',
  'sandboxes',
  'subscriptions',
  'tokens',
  'work',
  'workspaces',
];

/**
 * Lets what tables of workspaces say of themselves by default (`created_at`) follow the clock of the workspace, those of plug-ins
 * and of later migrations, too: run after migrations, as the owner of the tables. Does nothing where all is done.
 */
export const FOLLOW_CLOCK = `
  DO $$ DECLARE v_column record; BEGIN
    IF to_regnamespace('workspace_clock') IS NULL THEN RETURN; END IF;
    FOR v_column IN
      SELECT c.oid::regclass AS "table", a.attname AS name, pg_get_expr(d.adbin, d.adrelid) AS expression
      FROM pg_attrdef d
      JOIN pg_class c ON c.oid = d.adrelid AND c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
      JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
      WHERE pg_get_expr(d.adbin, d.adrelid) IN ('now()', 'clock_timestamp()')
        AND EXISTS (SELECT FROM pg_attribute w WHERE w.attrelid = c.oid AND w.attname = 'workspace_id' AND NOT w.attisdropped)
        AND c.relname <> ALL (ARRAY[${REAL_TIME.map((table) => `'${table}'`).join(', ')}])
    LOOP
      EXECUTE format('ALTER TABLE %s ALTER %I SET DEFAULT workspace_clock.%s', v_column."table", v_column.name, v_column.expression);
    END LOOP;
  END $$`;
