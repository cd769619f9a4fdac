import type { QueryRunner } from 'typeorm';
import { APP_ROLE, SYSTEM_ROLE } from './row-level-security';

/** The database is not in a state that the migrations can work with. The message says what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/** Creates the two roles where they are missing and lets the current user become them. */
export async function ensureRoles(runner: QueryRunner): Promise<void> {
  const needed: string[] = [];
  const [{ version }] = (await runner.query(`SELECT current_setting('server_version_num')::int AS version`)) as [
    { version: number },
  ];
  for (const role of [APP_ROLE, SYSTEM_ROLE]) needed.push(...(await ensureRole(runner, role, version)));
  if (!needed.length) return;
  const [{ user }] = (await runner.query('SELECT quote_ident(current_user) AS user')) as [{ user: string }];
  const commands = needed.map((command) => command.replace('CURRENT_USER', user)).join(' ');
  throw new MigrationError(
    `The database user ${user} may not set up its roles; have an administrator run once: ${commands}`,
  );
}

/** Creates one role and joins it. Answers the commands that only an administrator may run. */
async function ensureRole(runner: QueryRunner, role: string, version: number): Promise<string[]> {
  const [state] = (await runner.query(
    `SELECT (SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user) AS may_create,
            (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = $1) AS unconfined`,
    [role],
  )) as [{ may_create: boolean; unconfined: boolean | null }];
  if (state.unconfined) return [`ALTER ROLE ${role} NOSUPERUSER NOBYPASSRLS;`];
  const join = grant(role, version);
  if (state.unconfined === null) {
    if (!state.may_create) return [`CREATE ROLE ${role} NOLOGIN;`, `${join};`];
    await runner.query(createRole(role));
  }
  if (await isMember(runner, role, version)) return [];
  try {
    await runner.query(`SAVEPOINT join_role; ${join}; RELEASE SAVEPOINT join_role`);
    return [];
  } catch {
    await runner.query('ROLLBACK TO SAVEPOINT join_role');
    return [`${join};`];
  }
}

/** Roles belong to the whole cluster: two databases may be migrated at the same moment. */
function createRole(role: string): string {
  return `
    DO $$ BEGIN
      CREATE ROLE ${role} NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END $$
  `;
}

async function isMember(runner: QueryRunner, role: string, version: number): Promise<boolean> {
  const privilege = version >= 160_000 ? 'SET' : 'MEMBER';
  const [membership] = (await runner.query(`SELECT pg_has_role(current_user, $1, $2) AS held`, [role, privilege])) as [
    { held: boolean },
  ];
  return membership.held;
}

/** Membership without inheritance: the owner of the tables must not see through the policies of either role. */
function grant(role: string, version: number): string {
  return `GRANT ${role} TO CURRENT_USER${version >= 160_000 ? ' WITH SET TRUE, INHERIT FALSE' : ''}`;
}
