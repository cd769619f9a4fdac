import type { MigrationInterface, QueryRunner } from 'typeorm';
import { systemFunctions } from './support/v1/row-level-security';

/**
 * From here on the times of a team are counted by month, too, so that those of a long window need not be sorted. What there is
 * already is counted by the next migration: by then no fold that is running is one of before.
 */
export class TallyMonthsOfTeams1764400600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(systemFunctions([folding(OF_ALL, `${OF_ALL}, ${OF_TEAMS}`)]));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(systemFunctions([folding(`${OF_ALL}, ${OF_TEAMS}`, OF_ALL)]));
  }
}

const OF_ALL = `(1, -1, -1, date_trunc('month', m.day)::date)`;
const OF_TEAMS = `(1, m.team_id, -1, date_trunc('month', m.day)::date)`;

/** Replaces a part of `fold_stats`, and nothing else of it. */
const folding = (old: string, anew: string): string => `
  DO $do$ DECLARE definition text := pg_get_functiondef('fold_stats(integer)'::regprocedure); BEGIN
    IF strpos(definition, $part$${old}$part$) = 0 THEN RAISE 'fold_stats is not the one that this migration knows'; END IF;
    EXECUTE replace(definition, $part$${old}$part$, $part$${anew}$part$);
  END $do$`;
