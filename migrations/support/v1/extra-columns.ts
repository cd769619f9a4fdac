import { SYSTEM_ROLE } from './row-level-security';

/**
 * SQL that gives a table of the core further columns, for the migration of an extension that declares them (`ExtraFields`). The
 * search view, which belongs to the system role, shows them, too, so that lists with `q` can filter and sort by them.
 *
 * @param columns name to type and constraints, e.g. `{ vehicles_plate: 'text' }`
 */
export function extraColumns(table: string, columns: Readonly<Record<string, string>>): string {
  const added = Object.entries(columns).map(([name, type]) => `ADD COLUMN ${name} ${type}`);
  return `
    ALTER TABLE ${table} ${added.join(', ')};
    DO $$ BEGIN
      IF to_regclass('${table}_search') IS NOT NULL THEN
        GRANT CREATE ON SCHEMA public TO ${SYSTEM_ROLE};
        SET LOCAL ROLE ${SYSTEM_ROLE};
        EXECUTE 'CREATE OR REPLACE VIEW ${table}_search AS '
          || regexp_replace(pg_get_viewdef('${table}_search'::regclass), '\\s+FROM ', ', ${Object.keys(columns).join(', ')} FROM ');
        RESET ROLE;
        REVOKE CREATE ON SCHEMA public FROM ${SYSTEM_ROLE};
      END IF;
    END $$;
  `;
}

/** The way back. */
export function dropExtraColumns(table: string, names: readonly string[]): string {
  return `
    DO $$ DECLARE shown text; BEGIN
      IF to_regclass('${table}_search') IS NOT NULL THEN
        shown := regexp_replace(pg_get_viewdef('${table}_search'::regclass), ',\\s+(\\w+\\.)?(${names.join('|')})\\M', '', 'g');
        SET LOCAL ROLE ${SYSTEM_ROLE};
        DROP VIEW ${table}_search;
        RESET ROLE;
      END IF;
      ALTER TABLE ${table} ${names.map((name) => `DROP COLUMN ${name}`).join(', ')};
      IF shown IS NOT NULL THEN
        EXECUTE 'CREATE VIEW ${table}_search AS ' || shown;
        GRANT CREATE ON SCHEMA public TO ${SYSTEM_ROLE};
        ALTER VIEW ${table}_search OWNER TO ${SYSTEM_ROLE};
        REVOKE CREATE ON SCHEMA public FROM ${SYSTEM_ROLE};
      END IF;
    END $$;
  `;
}
