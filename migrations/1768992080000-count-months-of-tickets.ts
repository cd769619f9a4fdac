import type { MigrationInterface, QueryRunner } from 'typeorm';
import { confine, SYSTEM_ROLE, systemFunctions } from './support/v1/row-level-security';
import { STAT_MEASURES } from './support/v1/ticket-stats';

/**
 * From here on what is counted by day is counted by month, too, so that figures of years do not go through each of their days. What there
 * is already is counted by the next migration: by then no fold that is running is one of before.
 */
export class CountMonthsOfTickets1768992080000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE ticket_stat_months (
      workspace_id bigint NOT NULL,
      team_id bigint NOT NULL,
      assigned_to bigint NOT NULL,
      month date NOT NULL,
      ${STAT_MEASURES.map((name) => `${name} integer NOT NULL DEFAULT 0`).join(', ')},
      PRIMARY KEY (workspace_id, team_id, assigned_to, month)
    ) WITH (fillfactor = 70)`);
    await runner.query(confine('ticket_stat_months'));
    await runner.query(systemFunctions([folding(BUCKETS, `${MONTHS}${BUCKETS}`), forgetMonths]));
    await runner.query(`
      CREATE TRIGGER workspaces_forget_stat_months AFTER DELETE ON workspaces FOR EACH ROW EXECUTE FUNCTION forget_stat_months()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(systemFunctions([folding(`${MONTHS}${BUCKETS}`, BUCKETS)]));
    await runner.query(`
      DROP TRIGGER workspaces_forget_stat_months ON workspaces;
      SET LOCAL ROLE ${SYSTEM_ROLE};
      DROP FUNCTION forget_stat_months();
      RESET ROLE;
      DROP TABLE ticket_stat_months;
    `);
  }
}

const BUCKETS = `), buckets AS (`;

/** Stands on the days of a fold, as `ticket_stat_days` takes them. */
const MONTHS = `), months AS (
      SELECT workspace_id, team_id, assigned_to, date_trunc('month', day)::date AS month, ${STAT_MEASURES.map((name) => `sum(${name}) AS ${name}`).join(', ')}
      FROM days GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ), folded_months AS (
      INSERT INTO ticket_stat_months AS t (workspace_id, team_id, assigned_to, month, ${STAT_MEASURES.join(', ')}) SELECT * FROM months
      ON CONFLICT (workspace_id, team_id, assigned_to, month) DO UPDATE SET ${STAT_MEASURES.map((name) => `${name} = t.${name} + excluded.${name}`).join(', ')}
    `;

/** Replaces a part of `fold_stats`, and nothing else of it. */
const folding = (old: string, anew: string): string => `
  DO $do$ DECLARE definition text := pg_get_functiondef('fold_stats(integer)'::regprocedure); BEGIN
    IF strpos(definition, $part$${old}$part$) = 0 THEN RAISE 'fold_stats is not the one that this migration knows'; END IF;
    EXECUTE replace(definition, $part$${old}$part$, $part$${anew}$part$);
  END $do$`;

const forgetMonths = `
  CREATE OR REPLACE FUNCTION forget_stat_months() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  BEGIN
    DELETE FROM ticket_stat_months WHERE workspace_id = OLD.id;
    RETURN NULL;
  END $$
`;
