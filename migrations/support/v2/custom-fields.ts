import { ofSystem } from './search-by-words';

/**
 * SQL that lets lists of a table filter by custom fields through an index: name the view `<table>_fields` as `fields` of the
 * resource. Records without custom fields are not in it and cost nothing. JSON operators are not leakproof, so under row-level
 * security no index would serve them; the view belongs to the system role, carries the workspace predicate itself and only ever
 * yields ids. The terms know the workspace: a predicate that another index could answer made PostgreSQL read the whole workspace
 * from that one besides, for every value.
 */
export function fieldsIndex(table: string): string {
  return `
    CREATE INDEX ${table}_by_custom_field ON ${table} USING gin (custom_field_terms(workspace_id, custom_fields))
      WITH (fastupdate = off) WHERE custom_fields <> '{}';
    CREATE VIEW ${table}_fields AS
      SELECT workspace_id, id, custom_fields, custom_field_terms(workspace_id, custom_fields) AS terms FROM ${table}
      WHERE workspace_id + 0 = (SELECT current_setting('app.workspace_id')::bigint) AND custom_fields <> '{}';
    ${ofSystem(`${table}_fields`)}
  `;
}

/** The way back. */
export function dropFieldsIndex(table: string): string {
  return `DROP VIEW ${table}_fields; DROP INDEX ${table}_by_custom_field;`;
}
