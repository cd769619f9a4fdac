import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How sure a prediction is told to be goes by what became of earlier ones; what its method said stands beside. Of those that are there it is
 * the same: null says so, and spares writing them all. Where nearly all are applied by themselves, the few whose outcome counts are found
 * without looking at the others.
 */
export class TellConfidenceByReviews1768750000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE ai_predictions ADD COLUMN score numeric;
      CREATE INDEX ai_predictions_outcomes ON ai_predictions (workspace_id, task, id DESC)
        WHERE (was_correct IS NOT NULL OR actual_value IS NOT NULL) AND status NOT IN ('applied', 'expired');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX ai_predictions_outcomes;
      ALTER TABLE ai_predictions DROP COLUMN score;
    `);
  }
}
