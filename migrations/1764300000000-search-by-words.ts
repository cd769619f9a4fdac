import type { MigrationInterface, QueryRunner } from 'typeorm';
import { searchable } from './support/v1/resource-table';
import { systemFunctions, SYSTEM_ROLE } from './support/v1/row-level-security';
import { ofSystem } from './support/v2/search-by-words';

/**
 * One way to search, everywhere: by words that begin as what was typed does, instead of by any part of a text. Texts are
 * stored as their folded words, made once when they are written; the index of words takes the place of that of trigrams.
 */
export class SearchByWords1764300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(functions);
    await runner.query('DROP VIEW search_tickets, search_companies, search_users');
    for (const { table, expression } of await textColumns(runner)) {
      const columns = await columnsOf(runner, `${table}_search`);
      await runner.query(byWords(table, expression, columns));
    }
    await runner.query(ticketTexts);
    for (const view of ticketViews) await runner.query(ticketView(view, await columnsOf(runner, view), true));
    await runner.query(groups('lexemes'));
    await runner.query('DROP FUNCTION search_lexemes(bigint, text, integer)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW search_tickets, search_companies, search_users');
    await runner.query(earlierFunctions);
    for (const { table, expression } of await textColumns(runner)) {
      const columns = await columnsOf(runner, `${table}_search`);
      await runner.query(`DROP VIEW ${table}_search; ALTER TABLE ${table} DROP COLUMN search_text;`);
      await runner.query(searchable(table, expression));
      await runner.query(`DROP VIEW ${table}_search; ${view(table, columns)}`);
    }
    for (const each of ticketViews) await runner.query(ticketView(each, await columnsOf(runner, each), false));
    await runner.query(earlierTicketTexts);
    await runner.query(groups(null));
    await runner.query('DROP FUNCTION search_terms(bigint, text, integer), words_of(text)');
  }
}

interface TextColumn {
  table: string;
  /** What is searched, as the table's migration had it. */
  expression: string;
}

/** Every table with a text to search, those of plug-ins too, and what the text is made of. */
async function textColumns(runner: QueryRunner): Promise<TextColumn[]> {
  const rows = (await runner.query(`
    SELECT c.relname AS "table", pg_get_expr(d.adbin, d.adrelid) AS made
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attname = 'search_text' AND a.attgenerated = 's'
    ORDER BY c.relname`)) as { table: string; made: string }[];
  return rows.map(({ table, made }) => ({ table, expression: made.replace(/^(lower|words_of)\((.*)\)$/s, '$2') }));
}

/** Titles of these stand in their index, apart. */
const titled: Readonly<Record<string, string>> = { companies: 'name', users: 'name' };

function byWords(table: string, expression: string, columns: readonly string[]): string {
  const title = titled[table];
  const terms = `search_terms(workspace_id, search_text, ${title ? `length(words_of(${title}))` : '0'})`;
  return `
    DROP VIEW ${table}_search;
    ALTER TABLE ${table} DROP COLUMN search_text;
    ALTER TABLE ${table} ADD COLUMN search_text text GENERATED ALWAYS AS (words_of(${expression})) STORED;
    CREATE INDEX ${table}_by_word ON ${table} USING gin (${terms});
    ${view(table, columns, `, ${terms} AS lexemes`)}
  `;
}

/** The columns of a view but for the lexemes: those of its day, which later columns of the table do not join. */
async function columnsOf(runner: QueryRunner, name: string): Promise<string[]> {
  const rows = (await runner.query(
    `SELECT attname AS "column" FROM pg_attribute WHERE attrelid = '${name}'::regclass AND attnum > 0 ORDER BY attnum`,
  )) as { column: string }[];
  return rows.map(({ column }) => column).filter((column) => column !== 'lexemes');
}

function view(table: string, columns: readonly string[], more = ''): string {
  return `
    CREATE VIEW ${table}_search AS
      SELECT ${columns.join(', ')}${more} FROM ${table}
      WHERE workspace_id = (SELECT current_setting('app.workspace_id')::bigint);
    ${ofSystem(`${table}_search`)}
  `;
}

/** Pairs of a run and its last character, which may be all that a search knows of it. */
const pairsOfRun = `CASE length(word) WHEN 1 THEN word WHEN 2 THEN word || ' ' || right(word, 1)
  WHEN 3 THEN left(word, 2) || ' ' || right(word, 2) || ' ' || right(word, 1) ELSE public.search_bigrams(word) END`;

/** Characters between words. */
const separators = String.raw`\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff\u3000-\u3004\u3008-\u3020\u3030\u30fb`;
/** Thai, Lao, Burmese, Khmer, Japanese and Chinese: written without spaces. */
const unspaced = String.raw`\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff`;

/**
 * `words_of`: the words of the first 100,000 characters of a text, at most 30,000, folded, in their order, one space around each;
 * the same as `wordLine` of src/platform/search/words.ts, which a test holds against it.
 * `search_terms`: the words of such a line for the index: `7:printer` anywhere in a text of workspace 7, `7#printer` in its first
 * `title_length` characters. The workspace is part of each word, so that a posting list holds one workspace's rows alone. The
 * price tag keeps the planner from ever working the words out row by row where the index could tell.
 */
const functions = String.raw`
  CREATE FUNCTION words_of(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 1000 AS $$
  DECLARE
    line text := left(value, 100000);
  BEGIN
    IF octet_length(line) = length(line) THEN
      line := regexp_replace(lower(line), '[^a-z0-9]+', ' ', 'g');
    ELSE
      line := regexp_replace(public.search_fold(line), '[${separators}]+', ' ', 'g');
      IF line ~ '[${unspaced}]' THEN
        line := regexp_replace(coalesce((SELECT string_agg(CASE WHEN word ~ '^[${unspaced}]' THEN ${pairsOfRun} ELSE word END, ' ' ORDER BY place)
          FROM unnest(string_to_array(regexp_replace(line, '([${unspaced}]+)', ' \1 ', 'g'), ' ')) WITH ORDINALITY AS w (word, place)), ''), ' +', ' ', 'g');
      END IF;
    END IF;
    IF line ~ '[^ ]{61}' THEN line := regexp_replace(line, '([^ ]{60})[^ ]+', '\1', 'g'); END IF;
    line := btrim(line, ' ');
    IF length(line) >= 60000 THEN line := array_to_string((string_to_array(line, ' '))[1:30000], ' '); END IF;
    RETURN CASE line WHEN '' THEN ' ' ELSE ' ' || line || ' ' END;
  END $$;
  CREATE FUNCTION search_terms(workspace_id bigint, words text, title_length integer) RETURNS tsvector
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000 AS $$
    SELECT array_to_tsvector(array_remove(
      string_to_array(replace(left(words, -1), ' ', ' ' || workspace_id || ':'), ' ')
      || string_to_array(replace(left(words, greatest(title_length - 1, 0)), ' ', ' ' || workspace_id || '#'), ' '), ''))
  $$;
`;

const triggered = 'RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp';

/** The texts of tickets begin with the words of the subject, so many characters long. */
function textFunctions(text: (row: string) => string, title: (row: string) => string): string {
  const definitions = [
    `CREATE OR REPLACE FUNCTION ticket_texts_insert() ${triggered} AS $$ BEGIN
      INSERT INTO ticket_texts (workspace_id, id, created_at, search_text, title_length)
        SELECT r.workspace_id, r.id, r.created_at, ${text('r')}, ${title('r')} FROM added r;
      RETURN NULL; END $$`,
    `CREATE OR REPLACE FUNCTION ticket_texts_update() ${triggered} AS $$ BEGIN
      UPDATE ticket_texts x SET search_text = ${text('NEW')}, title_length = ${title('NEW')}
        WHERE x.workspace_id = NEW.workspace_id AND x.id = NEW.id;
      RETURN NULL; END $$`,
  ];
  return `
    ${systemFunctions(definitions)}
    SET LOCAL ROLE ${SYSTEM_ROLE};
    UPDATE ticket_texts x SET search_text = ${text('t')}, title_length = ${title('t')}
      FROM tickets t WHERE t.workspace_id = x.workspace_id AND t.id = x.id;
    RESET ROLE;
  `;
}

const written = (row: string): string => `${row}.subject || ' ' || ${row}.code || ' ' || ${row}.description`;

const ticketTexts = `
  DROP INDEX ticket_texts_by_search_text, ticket_texts_by_lexeme;
  ${textFunctions(
    (row) => `words_of(${written(row)})`,
    (row) => `length(words_of(${row}.subject))`,
  )}
  CREATE INDEX ticket_texts_by_word ON ticket_texts USING gin (search_terms(workspace_id, search_text, title_length));
`;

const earlierTicketTexts = `
  DROP INDEX ticket_texts_by_word;
  ${textFunctions(
    (row) => `lower(${written(row)})`,
    (row) => `length(${row}.subject)`,
  )}
  CREATE INDEX ticket_texts_by_search_text ON ticket_texts USING gin (workspace_id, search_text gin_trgm_ops);
  CREATE INDEX ticket_texts_by_lexeme ON ticket_texts USING gin (search_lexemes(workspace_id, search_text, title_length));
  CREATE INDEX companies_by_lexeme ON companies USING gin (search_lexemes(workspace_id, search_text, length(name)));
  CREATE INDEX users_by_lexeme ON users USING gin (search_lexemes(workspace_id, search_text, length(name)));
`;

/** The views of tickets and of their texts. */
const ticketViews = ['tickets_search', 'ticket_texts_search'] as const;

function ticketView(name: (typeof ticketViews)[number], columns: readonly string[], byWord: boolean): string {
  const texts = name === 'ticket_texts_search';
  const list = columns.map((column) => (texts || column === 'search_text' ? `x.${column}` : `t.${column}`)).join(', ');
  const lexemes = byWord ? ', search_terms(x.workspace_id, x.search_text, x.title_length) AS lexemes' : '';
  const from = texts
    ? 'ticket_texts x'
    : 'tickets t JOIN ticket_texts x ON x.workspace_id = t.workspace_id AND x.id = t.id';
  return `
    DROP VIEW ${name};
    CREATE VIEW ${name} AS SELECT ${list}${lexemes} FROM ${from}
      WHERE ${texts ? 'x' : 't'}.workspace_id = (SELECT current_setting('app.workspace_id')::bigint);
    ${ofSystem(name)}
  `;
}

/** What `GET /search` looks through. */
function groups(column: string | null): string {
  return [
    ['search_tickets', 'ticket_texts', 'title_length'],
    ['search_companies', 'companies', column ? 'length(words_of(name))' : 'length(name)'],
    ['search_users', 'users', column ? 'length(words_of(name))' : 'length(name)'],
  ]
    .map(
      ([view, table, length]) => `
        CREATE VIEW ${view} AS
          SELECT workspace_id, id, created_at, search_text, ${length} AS title_length${column ? `, search_terms(workspace_id, search_text, ${length}) AS ${column}` : ''}
          FROM ${table} WHERE workspace_id = (SELECT current_setting('app.workspace_id')::bigint);
        ${ofSystem(view ?? '')}`,
    )
    .join('');
}

/** As migration 1763900100000 left it. */
const earlierFunctions = String.raw`
  CREATE FUNCTION search_lexemes(workspace_id bigint, value text, title_length integer) RETURNS tsvector
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 10000 AS $$
  DECLARE
    body text := left(value, 100000);
    title text;
    anywhere text := workspace_id || ':';
    in_title text := workspace_id || '#';
  BEGIN
    IF octet_length(body) = length(body) THEN
      body := regexp_replace(lower(body), '[^a-z0-9 ]', ' ', 'g');
      title := left(body, title_length);
    ELSE
      title := coalesce(public.search_plain(left(body, title_length)), '');
      body := coalesce(public.search_plain(body), '');
    END IF;
    IF body ~ '[^ ]{61}' THEN
      body := regexp_replace(body, '([^ ]{60})[^ ]+', '\1', 'g');
      title := regexp_replace(title, '([^ ]{60})[^ ]+', '\1', 'g');
    END IF;
    RETURN array_to_tsvector(array_remove(array_remove(array_remove(
      (string_to_array(replace(' ' || body, ' ', ' ' || anywhere), ' '))[1:30000] || string_to_array(replace(' ' || title, ' ', ' ' || in_title), ' '),
      ''), anywhere), in_title));
  END $$;
`;
