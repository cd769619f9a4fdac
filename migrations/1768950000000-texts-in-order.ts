import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SYSTEM_ROLE, systemFunctions } from './support/v1/row-level-security';
import { textSortIndex } from './support/v4/text-sort-indexes';

/**
 * Lists that are sorted by a text are in one order in every database: case and accents make no difference. Every index of such an order
 * is made anew, those of plug-ins, too, and what was sorted by the index of a constraint gets one. So are the bits of large workspaces, which have
 * the ranks of subjects; the column that their making begins with has another name: nodes of the release before, which know nothing of this order,
 * leave it until they are gone.
 */
export class TextsInOrder1768950000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(collation);
    await runner.query(madeAnew(IN_ORDER));
    for (const table of ['users', 'contacts']) await runner.query(textSortIndex(table, 'email'));
    await runner.query(renamed('chosen_up_to', 'newest_when_chosen'));
    await runner.query(systemFunctions([changed]));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION text_order_changed()');
    await runner.query(renamed('newest_when_chosen', 'chosen_up_to'));
    await runner.query('DROP INDEX users_order_email, contacts_order_email');
    await runner.query(madeAnew(AS_BEFORE));
    await runner.query('DROP COLLATION text_order');
  }
}

/** A PostgreSQL that was built without ICU has none but orders of code points that are the same everywhere. */
const collation = `
  DO $$ BEGIN
    CREATE COLLATION text_order (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
  EXCEPTION WHEN feature_not_supported THEN
    CREATE COLLATION text_order FROM "C";
  END $$;
`;

/** The definition of an index whose second column is the text; the stand-in for no value stays the last text of the order. */
const IN_ORDER = String.raw`replace(replace(definition, key || ', id)', key || ' COLLATE text_order, id)'), U&'\+10FFFF', U&'\FFFF')`;
const AS_BEFORE = String.raw`replace(replace(definition, ' COLLATE text_order, id)', ', id)'), U&'\FFFF', U&'\+10FFFF')`;

/**
 * Indexes of an order by a text in another way. The new ones are made first, those of small tables before those of large ones: lists are
 * read until the old ones go.
 */
const madeAnew = (definition: string): string => `
  DO $$ DECLARE each record; BEGIN
    FOR each IN
      SELECT oid, name, ${definition} AS anew FROM (
        SELECT c.oid, c.relname AS name, pg_get_indexdef(c.oid) AS definition, pg_get_indexdef(c.oid, 2, false) AS key, pg_relation_size(i.indrelid) AS size
        FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = 2
        WHERE c.relnamespace = 'public'::regnamespace AND c.relname ~ '_order_' AND NOT i.indisunique AND a.atttypid = 'text'::regtype) d
      WHERE ${definition} <> definition ORDER BY size
    LOOP
      EXECUTE replace(each.anew, format('INDEX %I ON', each.name), format('INDEX text_order_%s ON', each.oid));
    END LOOP;
    FOR each IN
      SELECT o.relname AS name, n.relname AS anew FROM pg_class n JOIN pg_class o ON n.relname = 'text_order_' || o.oid
      WHERE n.relnamespace = 'public'::regnamespace AND o.relkind = 'i' AND n.relkind = 'i'
    LOOP
      EXECUTE format('DROP INDEX %I', each.name);
      EXECUTE format('ALTER INDEX %I RENAME TO %I', each.anew, each.name);
    END LOOP;
  END $$;
`;

const bitsAnew = (column: string): string => `UPDATE ticket_word_folds SET ready = false, chunks = 0, ${column} = NULL`;

const renamed = (former: string, column: string): string => `
  ALTER TABLE ticket_word_folds RENAME COLUMN ${former} TO ${column};
  SET LOCAL ROLE ${SYSTEM_ROLE};
  ${bitsAnew(column)};
  RESET ROLE;
`;

/** For when the library that compares texts is another: what was kept of their order, besides indexes, goes by the former one. */
const changed = `
  CREATE FUNCTION text_order_changed() RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$ ${bitsAnew('newest_when_chosen')} $$
`;
