import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The answer to a creation is the record that its event tells of: it is kept by that event's public id and the text behind the record,
 * and not once more.
 */
export class AnswersByEvent1767000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE idempotency_keys ADD COLUMN event_uid text, ADD COLUMN ending text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM idempotency_keys WHERE event_uid IS NOT NULL;
      ALTER TABLE idempotency_keys DROP COLUMN event_uid, DROP COLUMN ending;
    `);
  }
}
