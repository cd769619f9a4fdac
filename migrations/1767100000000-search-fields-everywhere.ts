import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ofSystem } from './support/v2/search-by-words';

/**
 * Texts in custom fields are among the words that `q` finds, not of tickets alone: they stand last in the line of words of their
 * record. Articles have a line of their own for them, because what editors find there is not for readers.
 */
export class SearchFieldsEverywhere1767100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await this.reword(runner, (words) => `${words} || custom_field_words(custom_fields)`);
    await runner.query(articles);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP VIEW kb_article_fields_search; ALTER TABLE kb_articles DROP COLUMN field_text;');
    await this.reword(runner, (words) => words.replace(/^\((.*) \|\| custom_field_words\(custom_fields\)\)$/s, '$1'));
  }

  private async reword(runner: QueryRunner, of: (words: string) => string): Promise<void> {
    await runner.query('DROP VIEW search_companies, search_users');
    for (const { table, made } of await lines(runner)) {
      const columns = await columnsOf(runner, `${table}_search`);
      await runner.query(searched(table, of(made.replace(/^words_of\((.*)\)$/s, '$1')), columns));
    }
    for (const table of TITLED) await runner.query(group(table, `search_${table}`));
  }
}

/** What people define custom fields for and search, tickets and articles aside. */
const TABLES = [
  'assets',
  'canned_responses',
  'categories',
  'channels',
  'companies',
  'contacts',
  'deals',
  'kb_categories',
  'leads',
  'macros',
  'meeting_types',
  'meetings',
  'pipelines',
  'quotes',
  'roles',
  'schedules',
  'teams',
  'users',
  'views',
];

/** Names of these stand in their index, apart. */
const TITLED = ['companies', 'users'];

const titleLength = (table: string): string => (TITLED.includes(table) ? 'length(words_of(name))' : '0');
const terms = (table: string): string => `search_terms(workspace_id, search_text, ${titleLength(table)})`;

/** The tables, and what the line of words of each is made of. */
async function lines(runner: QueryRunner): Promise<{ table: string; made: string }[]> {
  return (await runner.query(
    `SELECT c.relname AS "table", pg_get_expr(d.adbin, d.adrelid) AS made
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
       JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
     WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY($1) AND a.attname = 'search_text' AND a.attgenerated = 's'
     ORDER BY c.relname`,
    [TABLES],
  )) as { table: string; made: string }[];
}

/** The columns of a view but for the lexemes, those of plug-ins among them. */
async function columnsOf(runner: QueryRunner, name: string): Promise<string[]> {
  const rows = (await runner.query(
    `SELECT attname AS "column" FROM pg_attribute WHERE attrelid = '${name}'::regclass AND attnum > 0 ORDER BY attnum`,
  )) as { column: string }[];
  return rows.map(({ column }) => column).filter((column) => column !== 'lexemes');
}

/** A generated column cannot change in PostgreSQL 15 and 16: it is made anew, with the index and the view of it. */
function searched(table: string, expression: string, columns: readonly string[]): string {
  return `
    DROP VIEW ${table}_search;
    ALTER TABLE ${table} DROP COLUMN search_text,
      ADD COLUMN search_text text GENERATED ALWAYS AS (words_of(${expression})) STORED;
    CREATE INDEX ${table}_by_word ON ${table} USING gin (${terms(table)});
    CREATE VIEW ${table}_search AS
      SELECT ${columns.join(', ')}, ${terms(table)} AS lexemes FROM ${table}
      WHERE workspace_id = (SELECT current_setting('app.workspace_id')::bigint);
    ${ofSystem(`${table}_search`)}
  `;
}

/** What `GET /search` looks through, as migration 1764300000000 left it. */
function group(table: string, view: string): string {
  return `
    CREATE VIEW ${view} AS
      SELECT workspace_id, id, created_at, search_text, ${titleLength(table)} AS title_length, ${terms(table)} AS lexemes
      FROM ${table} WHERE workspace_id = (SELECT current_setting('app.workspace_id')::bigint);
    ${ofSystem(view)}
  `;
}

const fieldTerms = 'search_terms(workspace_id, field_text, 0)';

const articles = `
  ALTER TABLE kb_articles ADD COLUMN field_text text GENERATED ALWAYS AS (words_of(custom_field_words(custom_fields))) STORED;
  CREATE INDEX kb_articles_by_field_word ON kb_articles USING gin (${fieldTerms}) WHERE custom_fields <> '{}';
  CREATE VIEW kb_article_fields_search AS
    SELECT workspace_id, id, field_text AS search_text, ${fieldTerms} AS lexemes FROM kb_articles
    WHERE workspace_id + 0 = (SELECT current_setting('app.workspace_id')::bigint) AND custom_fields <> '{}';
  ${ofSystem('kb_article_fields_search')}
`;
