import { SYSTEM_ROLE } from '../v1/row-level-security';

/**
 * Makes a table searchable by words: a column of the folded words of `expression`, an index of them, and `<table>_search`, the
 * view through which that index can be used. Full-text operators are not leakproof, so under row-level security no index would
 * serve them; the view belongs to the system role, carries the workspace predicate itself and only ever yields ids, whose rows
 * are then read from the table under row-level security.
 *
 * @param expression immutable SQL text expression over the table's columns
 */
export function searchableByWords(table: string, expression: string): string {
  return `
    ALTER TABLE ${table} ADD COLUMN search_text text GENERATED ALWAYS AS (words_of(${expression})) STORED;
    CREATE INDEX ${table}_by_word ON ${table} USING gin (search_terms(workspace_id, search_text, 0));
    ${wordsView(table)}
  `;
}

/**
 * (Re)creates the search view; needed again after columns that lists filter or sort by were added.
 *
 * @param title column whose words the index has apart, as those of companies and users do (`name`)
 */
export function wordsView(table: string, title?: string): string {
  const length = title ? `length(words_of(${title}))` : '0';
  return `
    DROP VIEW IF EXISTS ${table}_search;
    CREATE VIEW ${table}_search AS
      SELECT *, search_terms(workspace_id, search_text, ${length}) AS lexemes FROM ${table}
      WHERE workspace_id = (SELECT current_setting('app.workspace_id')::bigint);
    ${ofSystem(`${table}_search`)}
  `;
}

/** Gives a view to the system role, which full-text operators may tell everything. */
export function ofSystem(view: string): string {
  return `
    GRANT CREATE ON SCHEMA public TO ${SYSTEM_ROLE};
    ALTER VIEW ${view} OWNER TO ${SYSTEM_ROLE};
    REVOKE CREATE ON SCHEMA public FROM ${SYSTEM_ROLE};
  `;
}
