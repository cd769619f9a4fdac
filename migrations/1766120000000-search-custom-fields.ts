import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SYSTEM_ROLE, systemFunctions } from './support/v1/row-level-security';

/** Texts in the custom fields of tickets are among the words that searches find, behind subject, code and description. */
export class SearchCustomFields1766120000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(words);
    await runner.query(systemFunctions(texts(true)));
    await runner.query(trigger(true));
    await runner.query(rewritten(true));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(systemFunctions(texts(false)));
    await runner.query(trigger(false));
    await runner.query(rewritten(false));
    await runner.query('DROP FUNCTION custom_field_words(jsonb)');
  }
}

/**
 * Texts and lists of texts, with a space before each; days and moments are no words. They stand last in the line of words, which
 * has room for so many characters behind the longest description.
 */
const words = `
  CREATE FUNCTION custom_field_words(fields jsonb) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$ BEGIN
    IF fields = '{}' THEN RETURN ''; END IF;
    RETURN left(coalesce((
      SELECT string_agg(' ' || (v.value #>> '{}'), '' ORDER BY f.key, v.place) FROM jsonb_each(fields) f
        CROSS JOIN LATERAL jsonb_array_elements(
          CASE jsonb_typeof(f.value) WHEN 'array' THEN f.value ELSE jsonb_build_array(f.value) END) WITH ORDINALITY v (value, place)
        WHERE jsonb_typeof(v.value) = 'string' AND (v.value #>> '{}') !~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T|$)'), ''), 20000);
    END $$;
`;

const RUNS = 'RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp';
const note = 'INSERT INTO ticket_unfolded (workspace_id, number, id, worded)';
const title = (row: string): string => `length(words_of(${row}.subject))`;

function line(row: string, withFields: boolean): string {
  const fields = withFields ? ` || custom_field_words(${row}.custom_fields)` : '';
  return `words_of(${row}.subject || ' ' || ${row}.code || ' ' || ${row}.description${fields})`;
}

/** The functions behind `ticket_texts`, as migration 1764700000000 left them, and with the words of fields. */
const texts = (withFields: boolean): string[] => [
  `CREATE OR REPLACE FUNCTION ticket_texts_insert() ${RUNS} AS $$ BEGIN
    INSERT INTO ticket_texts (workspace_id, id, created_at, search_text, title_length)
      SELECT r.workspace_id, r.id, r.created_at, ${line('r', withFields)}, ${title('r')} FROM added r;
    ${note} SELECT r.workspace_id, r.number, r.id, true FROM added r;
    RETURN NULL; END $$`,
  `CREATE OR REPLACE FUNCTION ticket_texts_update() ${RUNS} AS $$ BEGIN
    UPDATE ticket_texts x SET search_text = ${line('NEW', withFields)}, title_length = ${title('NEW')}
      WHERE x.workspace_id = NEW.workspace_id AND x.id = NEW.id;
    ${note} VALUES (NEW.workspace_id, NEW.number, NEW.id, true);
    RETURN NULL; END $$`,
];

/** Fields that change without a text of theirs write no words. */
const trigger = (withFields: boolean): string => `
  DROP TRIGGER ticket_texts_update ON tickets;
  CREATE TRIGGER ticket_texts_update AFTER UPDATE ON tickets FOR EACH ROW
    WHEN (OLD.subject IS DISTINCT FROM NEW.subject OR OLD.description IS DISTINCT FROM NEW.description${
      withFields
        ? ` OR (OLD.custom_fields IS DISTINCT FROM NEW.custom_fields
      AND custom_field_words(OLD.custom_fields) IS DISTINCT FROM custom_field_words(NEW.custom_fields))`
        : ''
    })
    EXECUTE FUNCTION ticket_texts_update();
`;

/** What there is already, where it has such texts. */
const rewritten = (withFields: boolean): string => `
  SET LOCAL ROLE ${SYSTEM_ROLE};
  WITH changed AS (
    UPDATE ticket_texts x SET search_text = ${line('t', withFields)} FROM tickets t
      WHERE t.workspace_id = x.workspace_id AND t.id = x.id AND custom_field_words(t.custom_fields) <> ''
      RETURNING t.workspace_id, t.number, t.id)
  ${note} SELECT workspace_id, number, id, true FROM changed;
  RESET ROLE;
`;
