import type { MigrationInterface, QueryRunner } from 'typeorm';
import { confine, systemFunctions } from './support/v1/row-level-security';

/** Phrases that were dear to search, until the job that folds has made bits of them; and which bits were made so, the oldest to make room. */
export class PhrasesThatAreAsked1768890000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
    await runner.query(confine('ticket_asked_phrases'));
    await runner.query(systemFunctions([gone(true)]));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(systemFunctions([gone(false)]));
    await runner.query('ALTER TABLE ticket_common_words DROP COLUMN learned_at; DROP TABLE ticket_asked_phrases');
  }
}

const tables = `
  CREATE TABLE ticket_asked_phrases (
    workspace_id bigint NOT NULL,
    phrase text COLLATE "C" NOT NULL,
    asked_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, phrase)
  );
  ALTER TABLE ticket_common_words ADD COLUMN learned_at timestamptz;
`;

const gone = (asked: boolean): string => `
  CREATE OR REPLACE FUNCTION ticket_words_gone() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$ BEGIN
    DELETE FROM ticket_unfolded WHERE workspace_id = OLD.id;
    DELETE FROM ticket_common_words WHERE workspace_id = OLD.id;
    DELETE FROM ticket_word_bits WHERE workspace_id = OLD.id;
    DELETE FROM ticket_word_spans WHERE workspace_id = OLD.id;
    ${asked ? 'DELETE FROM ticket_asked_phrases WHERE workspace_id = OLD.id;' : ''}
    RETURN NULL; END $$
`;
