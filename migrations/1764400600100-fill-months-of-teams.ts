import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SYSTEM_ROLE } from './support/v1/row-level-security';
import { utcDay } from './support/v1/ticket-stats';

/** Counts the months of teams that there are already. Writers go on: only folding waits. */
export class FillMonthsOfTeams1764400600100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(asSystem(`${forget}; ${fill}`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(asSystem(forget));
  }
}

const asSystem = (statements: string): string => `
  LOCK TABLE ticket_duration_tallies IN SHARE ROW EXCLUSIVE MODE;
  SET LOCAL ROLE ${SYSTEM_ROLE};
  ${statements};
  RESET ROLE`;

const forget = `DELETE FROM ticket_duration_tallies WHERE level = 1 AND team_id <> -1`;

/** What was measured, without what is still to be folded. */
const fill = `
  INSERT INTO ticket_duration_tallies (workspace_id, metric, level, team_id, assigned_to, period, bucket, n)
  SELECT workspace_id, metric, 1, team_id, -1, date_trunc('month', day)::date, bucket, sum(n) FROM (
    SELECT workspace_id, metric, team_id, ${utcDay('at')} AS day, bucket, 1 AS n FROM ticket_durations
    UNION ALL
    SELECT workspace_id, metric, team_id, day, bucket, -n FROM ticket_stat_deltas WHERE metric IS NOT NULL
  ) u GROUP BY 1, 2, 4, 6, 7 HAVING sum(n) <> 0`;
