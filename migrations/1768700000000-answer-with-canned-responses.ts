import type { MigrationInterface, QueryRunner } from 'typeorm';
import { filterIndex } from './support/v1/resource-table';
import { wordsView } from './support/v2/search-by-words';

/** Canned responses that the AI engine may answer customers with are marked so; none is until somebody does. */
export class AnswerWithCannedResponses1768700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE canned_responses ADD COLUMN ai_answers boolean NOT NULL DEFAULT false;
      ${filterIndex('canned_responses', 'ai_answers')}
      ${wordsView('canned_responses')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW canned_responses_search;
      ALTER TABLE canned_responses DROP COLUMN ai_answers;
      ${wordsView('canned_responses')}
    `);
  }
}
