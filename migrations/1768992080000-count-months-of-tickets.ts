import type { MigrationInterface, QueryRunner } from 'typeorm';
import { confine, systemFunctions } from './support/v1/row-level-security';
import { replacePart, STAT_MEASURES } from './support/v1/ticket-stats';

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
    await runner.query(
      systemFunctions([
        replacePart(FOLD, BUCKETS, `${MONTHS}${BUCKETS}`),
        replacePart(FORGET, FORGET_DAYS, `${FORGET_DAYS} ${FORGET_MONTHS}`),
      ]),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      systemFunctions([
        replacePart(FOLD, `${MONTHS}${BUCKETS}`, BUCKETS),
        replacePart(FORGET, `${FORGET_DAYS} ${FORGET_MONTHS}`, FORGET_DAYS),
      ]),
    );
    await runner.query(`DROP TABLE ticket_stat_months`);
  }
}

const FOLD = 'fold_stats(integer)';
const FORGET = 'forget_stats()';
const FORGET_DAYS = 'DELETE FROM ticket_stat_days WHERE workspace_id = OLD.id;';
const FORGET_MONTHS = 'DELETE FROM ticket_stat_months WHERE workspace_id = OLD.id;';
const BUCKETS = `), buckets AS (`;

/** Stands on the days of a fold, as `ticket_stat_days` takes them. */
const MONTHS = `), months AS (
      SELECT workspace_id, team_id, assigned_to, date_trunc('month', day)::date AS month, ${STAT_MEASURES.map((name) => `sum(${name}) AS ${name}`).join(', ')}
      FROM days GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ), folded_months AS (
      INSERT INTO ticket_stat_months AS t (workspace_id, team_id, assigned_to, month, ${STAT_MEASURES.join(', ')}) SELECT * FROM months
      ON CONFLICT (workspace_id, team_id, assigned_to, month) DO UPDATE SET ${STAT_MEASURES.map((name) => `${name} = t.${name} + excluded.${name}`).join(', ')}
    `;
