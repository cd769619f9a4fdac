import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SYSTEM_ROLE } from './support/v1/row-level-security';

const FOLDS = ['fold_stats(integer)', 'fold_tallies(integer)'];

/** What folds differences is planned once a connection: how many it takes changes nothing about its plan, and planning took as long as the work. */
export class PlanFoldingOnce1768900100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ofFolds(`SET plan_cache_mode = 'force_generic_plan'`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(ofFolds('RESET plan_cache_mode'));
  }
}

function ofFolds(setting: string): string {
  return `
    SET LOCAL ROLE ${SYSTEM_ROLE};
    ${FOLDS.map((name) => `ALTER FUNCTION ${name} ${setting};`).join('\n')}
    RESET ROLE;
  `;
}
