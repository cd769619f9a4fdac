import type { MigrationInterface, QueryRunner } from 'typeorm';
import { systemFunctions } from './support/v1/row-level-security';
import { replacePart } from './support/v1/ticket-stats';

/**
 * From here on the times of a team are counted by month, too, so that those of a long window need not be sorted. What there is
 * already is counted by the next migration: by then no fold that is running is one of before.
 */
export class TallyMonthsOfTeams1764400600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(systemFunctions([replacePart(FOLD, OF_ALL, `${OF_ALL}, ${OF_TEAMS}`)]));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(systemFunctions([replacePart(FOLD, `${OF_ALL}, ${OF_TEAMS}`, OF_ALL)]));
  }
}

const OF_ALL = `(1, -1, -1, date_trunc('month', m.day)::date)`;
const OF_TEAMS = `(1, m.team_id, -1, date_trunc('month', m.day)::date)`;
const FOLD = 'fold_stats(integer)';
