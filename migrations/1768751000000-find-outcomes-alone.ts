import type { MigrationInterface, QueryRunner } from 'typeorm';

const index = (condition: string): string => `
  DROP INDEX ai_predictions_outcomes;
  CREATE INDEX ai_predictions_outcomes ON ai_predictions (workspace_id, task, id DESC) WHERE ${condition};
`;

const KNOWN = '(was_correct IS NOT NULL OR actual_value IS NOT NULL)';

/** Where nearly all predictions are applied by themselves, the few whose outcome counts are found without looking at the others. */
export class FindOutcomesAlone1768751000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(index(`${KNOWN} AND status NOT IN ('applied', 'expired')`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(index(KNOWN));
  }
}
