import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The AI engine may answer tickets by itself: conversations that are led in comments. */
export class AnswerInTickets1766500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE ai_settings DROP CONSTRAINT ck_ai_settings_mode;
      ALTER TABLE ai_settings ADD CONSTRAINT ck_ai_settings_mode CHECK (mode IN ('off', 'suggest', 'auto_reply'));
      ALTER TABLE ai_conversations ADD COLUMN last_comment_id bigint;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM work WHERE kind = 'ai_reply';
      ALTER TABLE ai_conversations DROP COLUMN last_comment_id;
      UPDATE ai_settings SET mode = 'suggest' WHERE mode = 'auto_reply';
      ALTER TABLE ai_settings DROP CONSTRAINT ck_ai_settings_mode;
      ALTER TABLE ai_settings ADD CONSTRAINT ck_ai_settings_mode CHECK (mode IN ('off', 'suggest'));
    `);
  }
}
