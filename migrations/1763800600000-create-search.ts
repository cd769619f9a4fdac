import type { MigrationInterface, QueryRunner } from 'typeorm';
import { searchView } from './support/v1/resource-table';
import { confine, SYSTEM_ROLE } from './support/v1/row-level-security';

/**
 * Full-text search over tickets, companies and users: one index of folded words each, over texts that are there already,
 * and the words of a workspace for those that were mistyped.
 */
export class CreateSearch1763800600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(folding);
    await runner.query(lexemes);
    await runner.query(titles);
    await runner.query(indexes);
    await runner.query(views);
    await runner.query(words);
    for (const table of ['search_words', 'search_progress']) await runner.query(confine(table));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW search_words_search, search_tickets, search_companies, search_users;
      DROP TABLE search_words, search_progress;
      DROP INDEX ticket_texts_by_lexeme, companies_by_lexeme, users_by_lexeme;
      ${textFunctions('', '')}
      ALTER TABLE ticket_texts DROP COLUMN title_length;
      DROP FUNCTION search_lexemes(bigint, text, integer), search_plain(text), search_bigrams(text), search_fold(text);
    `);
  }
}

/** Characters between words. */
const separators = String.raw`\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u206f\u20a0-\u20cf\u2190-\u2bff\u3000-\u3004\u3008-\u3020\u3030\u30fb`;
/** Thai, Lao, Burmese, Khmer, Japanese and Chinese: written without spaces. */
const unspaced = String.raw`\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff`;

/**
 * The same as `fold` and `SEPARATORS` of src/areas/search/words/text.ts, which a test holds against it. Plain ASCII, the
 * usual case, takes a short cut. Scripts that are written without spaces become overlapping pairs of characters.
 */
const folding = String.raw`
  CREATE FUNCTION search_fold(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$ BEGIN
    IF octet_length(value) = length(value) THEN RETURN lower(value); END IF;
    RETURN normalize(translate(replace(replace(replace(
      lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g')), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
      'øłđðħıς', 'olddhiσ'), NFKC);
  END $$;
  CREATE FUNCTION search_bigrams(run text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT string_agg(pair, ' ' ORDER BY place) FROM (
      SELECT place, one || coalesce(lead(one) OVER (ORDER BY place), '') AS pair
      FROM unnest(string_to_array(run, NULL)) WITH ORDINALITY AS c (one, place)) pairs
  $$;
  CREATE FUNCTION search_plain(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  DECLARE
    plain text;
  BEGIN
    IF octet_length(value) = length(value) THEN RETURN regexp_replace(lower(value), '[^a-z0-9 ]', ' ', 'g'); END IF;
    plain := regexp_replace(public.search_fold(value),
      '[${separators}]', ' ', 'g');
    IF plain ~ '[${unspaced}]' THEN
      plain := (SELECT string_agg(CASE WHEN word ~ '^[${unspaced}]' THEN public.search_bigrams(word) ELSE word END, ' ')
        FROM unnest(string_to_array(regexp_replace(plain, '([${unspaced}]+)', ' \1 ', 'g'), ' ')) AS w (word));
    END IF;
    RETURN plain;
  END $$;
`;

/**
 * The words of a text for the index: `7:printer` anywhere in a text of workspace 7, `7#printer` in its first
 * `title_length` characters. The workspace is part of each word, so that a posting list holds one workspace's rows
 * alone. The price tag keeps the planner from ever working the words out row by row where the index could tell.
 */
const lexemes = String.raw`
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
      string_to_array(replace(' ' || body, ' ', ' ' || anywhere), ' ') || string_to_array(replace(' ' || title, ' ', ' ' || in_title), ' '),
      ''), anywhere), in_title));
  END $$;
`;

/** The functions behind `ticket_texts`, as `searchableApart` wrote them, and with one more column. */
function textFunctions(column: string, value: string): string {
  const text = (row: string): string => `lower(${row}.subject || ' ' || ${row}.code || ' ' || ${row}.description)`;
  const on = (row: string): string => value.replaceAll('row.', `${row}.`);
  return `
    CREATE OR REPLACE FUNCTION ticket_texts_insert() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO ticket_texts (workspace_id, id, created_at, search_text${column && `, ${column}`})
        SELECT r.workspace_id, r.id, r.created_at, ${text('r')}${value && `, ${on('r')}`} FROM added r;
      RETURN NULL; END $$;
    CREATE OR REPLACE FUNCTION ticket_texts_update() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      UPDATE ticket_texts x SET search_text = ${text('NEW')}${column && `, ${column} = ${on('NEW')}`}
        WHERE x.workspace_id = NEW.workspace_id AND x.id = NEW.id;
      RETURN NULL; END $$;
  `;
}

const titles = `
  ALTER TABLE ticket_texts ADD COLUMN title_length integer NOT NULL DEFAULT 0;
  UPDATE ticket_texts x SET title_length = length(t.subject) FROM tickets t WHERE t.workspace_id = x.workspace_id AND t.id = x.id;
  ${textFunctions('title_length', 'length(row.subject)')}
`;

/** The workspace is inside the indexed words, so it need not lead as a column. */
const indexes = `
  CREATE INDEX ticket_texts_by_lexeme ON ticket_texts USING gin (search_lexemes(workspace_id, search_text, title_length));
  CREATE INDEX companies_by_lexeme ON companies USING gin (search_lexemes(workspace_id, search_text, length(name)));
  CREATE INDEX users_by_lexeme ON users USING gin (search_lexemes(workspace_id, search_text, length(name)));
`;

/** Owned by the system role, like every search view: full-text operators are not leakproof. */
const views = `
  ${[
    ['search_tickets', 'ticket_texts', 'title_length'],
    ['search_companies', 'companies', 'length(name)'],
    ['search_users', 'users', 'length(name)'],
  ]
    .map(
      ([view, table, length]) => `
        CREATE VIEW ${view} AS
          SELECT workspace_id, id, created_at, search_text, ${length} AS title_length FROM ${table}
          WHERE workspace_id = (SELECT current_setting('app.workspace_id')::bigint);`,
    )
    .join('')}
  GRANT CREATE ON SCHEMA public TO ${SYSTEM_ROLE};
  ALTER VIEW search_tickets OWNER TO ${SYSTEM_ROLE};
  ALTER VIEW search_companies OWNER TO ${SYSTEM_ROLE};
  ALTER VIEW search_users OWNER TO ${SYSTEM_ROLE};
  REVOKE CREATE ON SCHEMA public FROM ${SYSTEM_ROLE};
`;

/** Words of four letters and more, without digits: those that can be mistyped. A job learns them. */
const words = `
  CREATE TABLE search_words (
    workspace_id bigint NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    word text COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace_id, word)
  );
  CREATE INDEX search_words_by_trigram ON search_words USING gin (workspace_id, word gin_trgm_ops);
  CREATE TABLE search_progress (
    workspace_id bigint NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    source text NOT NULL,
    learned_id bigint NOT NULL,
    learned_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, source)
  );
  ${searchView('search_words')}
`;
