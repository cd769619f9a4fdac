import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SYSTEM_ROLE } from './support/v1/row-level-security';
import { STAT_MEASURES } from './support/v1/ticket-stats';

/** Counts the months that there are already. Writers and readers go on: only folding waits. */
export class FillMonthsOfTickets1768992080100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(asSystem(`${forget}; ${fill}`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(asSystem(forget));
  }
}

const asSystem = (statements: string): string => `
  LOCK TABLE ticket_stat_days IN SHARE ROW EXCLUSIVE MODE;
  SET LOCAL ROLE ${SYSTEM_ROLE};
  ${statements};
  RESET ROLE`;

const forget = `DELETE FROM ticket_stat_months`;

const fill = `
  INSERT INTO ticket_stat_months (workspace_id, team_id, assigned_to, month, ${STAT_MEASURES.join(', ')})
  SELECT workspace_id, team_id, assigned_to, date_trunc('month', day)::date, ${STAT_MEASURES.map((name) => `sum(${name})`).join(', ')}
  FROM ticket_stat_days GROUP BY 1, 2, 3, 4`;
