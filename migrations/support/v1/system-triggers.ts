import { SYSTEM_ROLE } from './row-level-security';

/** Temporary tables, which any session may make, are looked for last: by default they come first. */
const PINNED = 'pg_catalog, public, pg_temp';

const signature = (name: string): string => `${name}()`;

/**
 * SQL that makes trigger functions run as the system role, whoever the change is made as: a request, or the owner of the
 * tables, as whom PostgreSQL carries out cascades. They must name the workspace in all that they do.
 *
 * @param names functions of the migrating user; every later one that reads or writes tables goes through here, too
 */
export function runAsSystem(names: readonly string[]): string {
  const list = names.map(signature);
  return `
    GRANT CREATE ON SCHEMA public TO ${SYSTEM_ROLE};
    ${list.map((name) => `ALTER FUNCTION ${name} OWNER TO ${SYSTEM_ROLE};`).join('\n')}
    SET LOCAL ROLE ${SYSTEM_ROLE};
    ${list.map((name) => `ALTER FUNCTION ${name} SECURITY DEFINER SET search_path = ${PINNED};`).join('\n')}
    REVOKE EXECUTE ON FUNCTION ${list.join(', ')} FROM PUBLIC;
    GRANT EXECUTE ON FUNCTION ${list.join(', ')} TO SESSION_USER;
    RESET ROLE;
    REVOKE CREATE ON SCHEMA public FROM ${SYSTEM_ROLE};
  `;
}

/** A trigger and the function behind it, as commands that make them. */
export interface MadeTrigger {
  function: string;
  trigger: string;
}

/** SQL that undoes `runAsSystem` but for the owner, and answers what there is, as `MadeTrigger`. */
export function runAsInvoker(names: readonly string[]): { undo: string; list: string } {
  const list = names.map(signature);
  return {
    undo: `
      SET LOCAL ROLE ${SYSTEM_ROLE};
      ${list.map((name) => `ALTER FUNCTION ${name} SECURITY INVOKER RESET search_path;`).join('\n')}
      RESET ROLE;
    `,
    list: `
      SELECT pg_get_functiondef(tgfoid) AS function, pg_get_triggerdef(oid) AS trigger FROM pg_trigger
      WHERE NOT tgisinternal AND tgfoid = ANY(ARRAY[${list.map((name) => `'${name}'::regprocedure`).join(', ')}])
    `,
  };
}

/** SQL that makes functions of the system role anew, as the migrating user's: what one role owns it cannot give to another. */
export function madeAnew(names: readonly string[], made: readonly MadeTrigger[]): string {
  return `
    SET LOCAL ROLE ${SYSTEM_ROLE};
    DROP FUNCTION ${names.map(signature).join(', ')} CASCADE;
    RESET ROLE;
    ${[...new Set(made.map((row) => row.function))].map((definition) => `${definition};`).join('\n')}
    ${made.map(({ trigger }) => `${trigger};`).join('\n')}
  `;
}

/** SQL that pins the search path of every function that runs as the system role. */
export function pinSearchPaths(path = PINNED): string {
  return `
    SET LOCAL ROLE ${SYSTEM_ROLE};
    DO $$ DECLARE v_function regprocedure; BEGIN
      FOR v_function IN SELECT oid FROM pg_proc
        WHERE prosecdef AND proowner = '${SYSTEM_ROLE}'::regrole AND pronamespace = 'public'::regnamespace
      LOOP EXECUTE format('ALTER FUNCTION %s SET search_path = ${path}', v_function); END LOOP;
    END $$;
    RESET ROLE;
  `;
}
