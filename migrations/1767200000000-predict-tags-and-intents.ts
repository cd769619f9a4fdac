import type { MigrationInterface, QueryRunner } from 'typeorm';

const constraint = (table: string, tasks: string): string => `
  ALTER TABLE ${table} DROP CONSTRAINT ck_${table}_task;
  ALTER TABLE ${table} ADD CONSTRAINT ck_${table}_task CHECK (task IN (${tasks}));
`;

const LEARNT = `'category', 'priority', 'assignee', 'team'`;
const OTHERS = `'language', 'sentiment', 'duplicate', 'resolution_time', 'sla_breach_risk'`;
const NEW = `'tags', 'intent'`;

/** Tags and intents are predicted, too, by models and rules. */
export class PredictTagsAndIntents1767200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(constraint('ai_models', `${LEARNT}, ${NEW}`));
    await runner.query(constraint('ai_predictions', `${LEARNT}, ${NEW}, ${OTHERS}`));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      SET LOCAL ROLE helpdesk_system;
      DELETE FROM ai_predictions WHERE task IN (${NEW});
      DELETE FROM ai_models WHERE task IN (${NEW});
      RESET ROLE;
    `);
    await runner.query(constraint('ai_predictions', `${LEARNT}, ${OTHERS}`));
    await runner.query(constraint('ai_models', LEARNT));
  }
}
