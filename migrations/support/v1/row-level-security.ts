/** The role every request runs as: never owns a table, cannot bypass row-level security. */
export const APP_ROLE = 'helpdesk_app';

/** The role of the platform itself (the command, sweepers, SECURITY DEFINER functions): sees every workspace. */
export const SYSTEM_ROLE = 'helpdesk_system';

const CURRENT_WORKSPACE = `(SELECT current_setting('app.workspace_id')::bigint)`;

/**
 * SQL that confines `table` to the current workspace, for its owner too.
 *
 * An unset or emptied `app.workspace_id` raises instead of matching nothing, so forgetting to bind a workspace shows.
 *
 * @param column the column that carries the workspace's id
 */
export function confine(table: string, column = 'workspace_id'): string {
  return `
    ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
    ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
    CREATE POLICY ${table}_workspace ON ${table} TO ${APP_ROLE}
      USING (${column} = ${CURRENT_WORKSPACE}) WITH CHECK (${column} = ${CURRENT_WORKSPACE});
    CREATE POLICY ${table}_system ON ${table} TO ${SYSTEM_ROLE} USING (true) WITH CHECK (true);
  `;
}

/**
 * SQL that creates (or replaces) functions owned by the system role, so that SECURITY DEFINER in them means "across
 * workspaces" whoever runs the migrations.
 *
 * @param definitions complete `CREATE OR REPLACE FUNCTION` statements
 * @param callable signatures that requests may call, e.g. `auth_lookup(bytea)`; nobody else may
 */
export function systemFunctions(definitions: readonly string[], callable: readonly string[] = []): string {
  const grants = callable.map((signature) => `GRANT EXECUTE ON FUNCTION ${signature} TO ${APP_ROLE};`);
  return `
    GRANT CREATE ON SCHEMA public TO ${SYSTEM_ROLE};
    SET LOCAL ROLE ${SYSTEM_ROLE};
    ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
    ALTER DEFAULT PRIVILEGES GRANT EXECUTE ON FUNCTIONS TO SESSION_USER;
    ${definitions.map((definition) => `${definition.trim()};`).join('\n')}
    ${grants.join('\n')}
    RESET ROLE;
    REVOKE CREATE ON SCHEMA public FROM ${SYSTEM_ROLE};
  `;
}

/**
 * SQL that tells every node to forget its cached tokens when `table` changes in a way the guards can see.
 *
 * @param events e.g. `UPDATE OF status OR DELETE`
 */
export function announceAccess(table: string, events: string): string {
  return `
    CREATE TRIGGER ${table}_access_changed AFTER ${events} ON ${table}
      FOR EACH STATEMENT EXECUTE FUNCTION announce_access_changed();
  `;
}
