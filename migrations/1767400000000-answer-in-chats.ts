import type { MigrationInterface, QueryRunner } from 'typeorm';
import { filterIndex, reference } from './support/v1/resource-table';

/** The AI engine may answer visitors: conversations that are led in chats. */
export class AnswerInChats1767400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE ai_conversations ADD COLUMN thread_id bigint, ADD COLUMN last_position integer;
      ${filterIndex('ai_conversations', 'thread_id', { partial: true })}
      ${reference('ai_conversations', 'thread_id', 'channel_threads')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM work WHERE kind = 'ai_chat';
      ALTER TABLE ai_conversations DROP COLUMN thread_id, DROP COLUMN last_position;
    `);
  }
}
