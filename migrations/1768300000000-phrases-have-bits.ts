import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SYSTEM_ROLE } from './support/v1/row-level-security';

/**
 * Phrases have bits, too: those of all large workspaces are made anew. The column that the folding begins with has another name, so that
 * nodes of the release before, which would fold words alone, leave it; what changes meanwhile is noted, and searches look at the notes.
 */
export class PhrasesHaveBits1768300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ticket_word_folds RENAME COLUMN chosen_of TO chosen_from`);
    await runner.query(anew('chosen_from'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ticket_word_folds RENAME COLUMN chosen_from TO chosen_of`);
    await runner.query(anew('chosen_of'));
  }
}

const anew = (column: string): string => `
  SET LOCAL ROLE ${SYSTEM_ROLE};
  UPDATE ticket_word_folds SET ready = false, chunks = 0, ${column} = NULL;
  RESET ROLE;
`;
