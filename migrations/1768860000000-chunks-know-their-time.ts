import type { MigrationInterface, QueryRunner } from 'typeorm';
import { confine, SYSTEM_ROLE, systemFunctions } from './support/v1/row-level-security';

/**
 * The first and the last moment of creation of the tickets behind each row of bits, so that searches within a period count bits. The
 * column that the folding begins with has another name: nodes of the release before, which know nothing of moments, leave the folding
 * until they are gone; what changes meanwhile is noted, and searches look at the notes.
 */
export class ChunksKnowTheirTime1768860000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(table);
    await runner.query(confine('ticket_word_spans'));
    await runner.query(systemFunctions([gone(true)]));
    // Nobody folds from here on; searches go on.
    await runner.query('LOCK TABLE ticket_word_folds IN EXCLUSIVE MODE');
    await runner.query(fill);
    await runner.query(trigger(true));
    await runner.query('ALTER TABLE ticket_word_folds RENAME COLUMN chosen_from TO chosen_at_number');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE ticket_word_folds RENAME COLUMN chosen_at_number TO chosen_from');
    await runner.query(trigger(false));
    await runner.query(systemFunctions([gone(false)]));
    await runner.query('DROP TABLE ticket_word_spans');
  }
}

const table = `
  CREATE TABLE ticket_word_spans (
    workspace_id bigint NOT NULL,
    chunk integer NOT NULL,
    first timestamptz NOT NULL,
    last timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, chunk)
  );
`;

const fill = `
  SET LOCAL ROLE ${SYSTEM_ROLE};
  INSERT INTO ticket_word_spans (workspace_id, chunk, first, last)
    SELECT t.workspace_id, (t.number >> 13)::integer, min(t.created_at), max(t.created_at)
    FROM tickets t JOIN ticket_word_folds f ON f.workspace_id = t.workspace_id AND (t.number >> 13) < f.chunks
    GROUP BY 1, 2;
  RESET ROLE;
`;

const gone = (spans: boolean): string => `
  CREATE OR REPLACE FUNCTION ticket_words_gone() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$ BEGIN
    DELETE FROM ticket_unfolded WHERE workspace_id = OLD.id;
    DELETE FROM ticket_common_words WHERE workspace_id = OLD.id;
    DELETE FROM ticket_word_bits WHERE workspace_id = OLD.id;
    ${spans ? 'DELETE FROM ticket_word_spans WHERE workspace_id = OLD.id;' : ''}
    RETURN NULL; END $$
`;

const trigger = (moments: boolean): string => `
  CREATE OR REPLACE TRIGGER tickets_unfolded_changed AFTER UPDATE ON tickets FOR EACH ROW
    WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.priority IS DISTINCT FROM NEW.priority
      ${moments ? 'OR OLD.created_at IS DISTINCT FROM NEW.created_at' : ''})
    EXECUTE FUNCTION ticket_unfolded_changed();
`;
