import type { MigrationInterface, QueryRunner } from 'typeorm';
import { confine, SYSTEM_ROLE, systemFunctions } from './support/v1/row-level-security';

/**
 * Bits for the common words of large workspaces (`src/platform/search/bits`). Triggers note which tickets came, went, or changed in
 * their words or facets; nothing else is done where they are written. Notes are rows without a key: two changes of one ticket never
 * wait for each other, or for the job that folds.
 */
export class FoldCommonWords1764700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
    for (const table of TABLES) await runner.query(confine(table));
    await runner.query(systemFunctions([...texts(true), ...noting]));
    await runner.query(triggers);
    await runner.query(begin);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER tickets_unfolded_changed ON tickets;
      DROP TRIGGER tickets_unfolded_gone ON tickets;
      DROP TRIGGER workspaces_words_gone ON workspaces;
    `);
    await runner.query(systemFunctions(texts(false)));
    await runner.query(`
      SET LOCAL ROLE ${SYSTEM_ROLE};
      DROP FUNCTION ticket_unfolded_changed(), ticket_unfolded_gone(), ticket_words_gone();
      RESET ROLE;
      DROP TABLE ${TABLES.join(', ')};
    `);
  }
}

const TABLES = ['ticket_word_folds', 'ticket_common_words', 'ticket_word_bits', 'ticket_unfolded'] as const;

/** By chunk first: what is folded together lies together, and so do its index entries. */
const tables = `
  CREATE TABLE ticket_word_folds (
    workspace_id bigint NOT NULL PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
    ready boolean NOT NULL DEFAULT false,
    chunks integer NOT NULL DEFAULT 0,
    chosen_of bigint
  );
  CREATE TABLE ticket_common_words (
    workspace_id bigint NOT NULL,
    word text COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace_id, word)
  );
  CREATE TABLE ticket_word_bits (
    workspace_id bigint NOT NULL,
    chunk integer NOT NULL,
    word text COLLATE "C" NOT NULL,
    bits bit(8192) NOT NULL,
    PRIMARY KEY (workspace_id, chunk, word)
  );
  CREATE TABLE ticket_unfolded (
    workspace_id bigint NOT NULL,
    number bigint NOT NULL,
    id bigint NOT NULL,
    worded boolean NOT NULL
  );
  CREATE INDEX ticket_unfolded_by_number ON ticket_unfolded (workspace_id, number, id);
`;

const RUNS = 'RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp';
const line = (row: string): string => `words_of(${row}.subject || ' ' || ${row}.code || ' ' || ${row}.description)`;
const title = (row: string): string => `length(words_of(${row}.subject))`;

/** The functions behind `ticket_texts`, as migration 1764300000000 left them, and with a note of what they changed. */
const texts = (noted: boolean): string[] => {
  const note = (from: string): string =>
    noted ? `INSERT INTO ticket_unfolded (workspace_id, number, id, worded) ${from};` : '';
  return [
    `CREATE OR REPLACE FUNCTION ticket_texts_insert() ${RUNS} AS $$ BEGIN
      INSERT INTO ticket_texts (workspace_id, id, created_at, search_text, title_length)
        SELECT r.workspace_id, r.id, r.created_at, ${line('r')}, ${title('r')} FROM added r;
      ${note('SELECT r.workspace_id, r.number, r.id, true FROM added r')}
      RETURN NULL; END $$`,
    `CREATE OR REPLACE FUNCTION ticket_texts_update() ${RUNS} AS $$ BEGIN
      UPDATE ticket_texts x SET search_text = ${line('NEW')}, title_length = ${title('NEW')}
        WHERE x.workspace_id = NEW.workspace_id AND x.id = NEW.id;
      ${note('VALUES (NEW.workspace_id, NEW.number, NEW.id, true)')}
      RETURN NULL; END $$`,
  ];
};

const noting = [
  `CREATE OR REPLACE FUNCTION ticket_unfolded_changed() ${RUNS} AS $$ BEGIN
    INSERT INTO ticket_unfolded (workspace_id, number, id, worded) VALUES (NEW.workspace_id, NEW.number, NEW.id, false);
    RETURN NULL; END $$`,
  `CREATE OR REPLACE FUNCTION ticket_unfolded_gone() ${RUNS} AS $$ BEGIN
    INSERT INTO ticket_unfolded (workspace_id, number, id, worded) SELECT r.workspace_id, r.number, r.id, true FROM removed r;
    RETURN NULL; END $$`,
  // The row in ticket_word_folds is gone by then: whoever was folding has committed, and its bits are seen here.
  `CREATE OR REPLACE FUNCTION ticket_words_gone() ${RUNS} AS $$ BEGIN
    DELETE FROM ticket_unfolded WHERE workspace_id = OLD.id;
    DELETE FROM ticket_common_words WHERE workspace_id = OLD.id;
    DELETE FROM ticket_word_bits WHERE workspace_id = OLD.id;
    RETURN NULL; END $$`,
];

const triggers = `
  CREATE TRIGGER tickets_unfolded_changed AFTER UPDATE ON tickets FOR EACH ROW
    WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.priority IS DISTINCT FROM NEW.priority)
    EXECUTE FUNCTION ticket_unfolded_changed();
  CREATE TRIGGER tickets_unfolded_gone AFTER DELETE ON tickets REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION ticket_unfolded_gone();
  CREATE TRIGGER workspaces_words_gone AFTER DELETE ON workspaces FOR EACH ROW EXECUTE FUNCTION ticket_words_gone();
`;

/** Workspaces that are large already; the others follow as they grow. */
const begin = `
  SET LOCAL ROLE ${SYSTEM_ROLE};
  INSERT INTO ticket_word_folds (workspace_id)
    SELECT w.id FROM workspaces w WHERE (SELECT max(t.number) FROM tickets t WHERE t.workspace_id = w.id) >= 20000;
  RESET ROLE;
`;
