import { ofSystem } from '../v2/search-by-words';

/**
 * Makes a table that stands already searchable by words, as `searchableByWords` does, but for the column, which would write the whole
 * table anew: index and view hold the words of `expression`.
 *
 * @param expression immutable SQL text expression over the table's columns
 */
export function searchedByIndex(table: string, expression: string): string {
  const line = `words_of(${expression})`;
  const terms = `search_terms(workspace_id, ${line}, 0)`;
  return `
    CREATE INDEX ${table}_by_word ON ${table} USING gin ((${terms}));
    CREATE VIEW ${table}_search AS
      SELECT *, ${line} AS search_text, ${terms} AS lexemes FROM ${table}
      WHERE workspace_id = (SELECT current_setting('app.workspace_id')::bigint);
    ${ofSystem(`${table}_search`)}
  `;
}

/** Takes that back. */
export const unsearched = (table: string): string => `DROP VIEW ${table}_search; DROP INDEX ${table}_by_word;`;
