import type { MigrationInterface, QueryRunner } from 'typeorm';

const constraint = (tasks: string): string => `
  ALTER TABLE ai_predictions DROP CONSTRAINT ck_ai_predictions_task;
  ALTER TABLE ai_predictions ADD CONSTRAINT ck_ai_predictions_task CHECK (task IN (${tasks}));
`;

const TASKS = `'category', 'priority', 'assignee', 'team', 'language', 'sentiment', 'duplicate', 'resolution_time'`;

/** Whether tickets are going to miss their SLA is predicted, too. */
export class PredictBreaches1766600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(constraint(`${TASKS}, 'sla_breach_risk'`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `SET LOCAL ROLE helpdesk_system; DELETE FROM ai_predictions WHERE task = 'sla_breach_risk'; RESET ROLE`,
    );
    await runner.query(constraint(TASKS));
  }
}
