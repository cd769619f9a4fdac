import type { MigrationInterface, QueryRunner } from 'typeorm';

const constraint = (tasks: string): string => `
  ALTER TABLE ai_models DROP CONSTRAINT ck_ai_models_task;
  ALTER TABLE ai_models ADD CONSTRAINT ck_ai_models_task CHECK (task IN (${tasks}));
`;

const LEARNT = `'category', 'priority', 'assignee', 'team', 'tags', 'intent', 'csat_risk'`;
const NEW = `'sla_breach_risk'`;

/** The risk of an SLA is learnt, too. */
export class LearnBreaches1768600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(constraint(`${LEARNT}, ${NEW}`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      SET LOCAL ROLE helpdesk_system;
      DELETE FROM ai_models WHERE task IN (${NEW});
      RESET ROLE;
    `);
    await runner.query(constraint(LEARNT));
  }
}
