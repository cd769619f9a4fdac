import type { Client } from 'pg';
import { database, superuser } from './postgres-address';

/** Owns the database and what is in it: migrates, and sets tables up for seeding. Sees no row without a change of role. */
export const ownerRole = 'helpdesk_owner';
/** What the service logs in as: may become the two roles that migrations know, and owns nothing. */
export const serviceRole = 'helpdesk_service';

const groups = ['helpdesk_app', 'helpdesk_system'];
const confined = 'NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION';

/**
 * Sets up roles, passwords and the database, whatever is there already.
 *
 * @param client the superuser, in the database `postgres`
 * @param passwords of the two login roles
 */
export async function setUpRoles(client: Client, passwords: { owner: string; service: string }): Promise<void> {
  // A slow or failing statement goes to the log with its text, which would be a password.
  await client.query(`SET log_min_duration_statement = -1; SET log_min_error_statement = 'panic'`);
  const { rows } = await client.query<{ name: string }>('SELECT rolname AS name FROM pg_roles');
  const known = new Set(rows.map((row) => row.name));
  const roles = [
    ...groups.map((role) => [role, 'NOBYPASSRLS NOLOGIN']),
    [ownerRole, `NOBYPASSRLS LOGIN PASSWORD ${client.escapeLiteral(passwords.owner)}`],
    [serviceRole, `NOBYPASSRLS LOGIN NOINHERIT PASSWORD ${client.escapeLiteral(passwords.service)}`],
  ];
  for (const [role = '', rest = ''] of roles) {
    await client.query(`${known.has(role) ? 'ALTER' : 'CREATE'} ROLE ${role} ${confined} ${rest}`);
  }
  await client.query(`
    GRANT ${groups.join(', ')} TO ${ownerRole}, ${serviceRole} WITH INHERIT FALSE, SET TRUE;
    -- Filling a million rows: what they refer to is locked, and checked by whoever fills them.
    GRANT SET ON PARAMETER session_replication_role, wal_compression TO ${ownerRole};
  `);
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
  if (rowCount === 0) await client.query(`CREATE DATABASE ${database} OWNER ${ownerRole}`);
  else await client.query(`ALTER DATABASE ${database} OWNER TO ${ownerRole}`);
}

/**
 * Gives the owner what belongs to the superuser: everything in a cluster of a former version, or in a dump that the
 * superuser restored. Extensions stay, and what the system role owns stays with that.
 *
 * @param client the superuser, in the service's database
 * @returns how many objects changed hands
 */
export async function handOver(client: Client): Promise<number> {
  const { rows } = await client.query<{ command: string }>(commands);
  if (rows.length === 0) return 0;
  await client.query(['BEGIN', ...rows.map(({ command }) => command), ...defaults, 'COMMIT'].join(';\n'));
  return rows.length;
}

const isForeign = (catalogue: string): string => `
  (SELECT FROM pg_depend d WHERE d.classid = '${catalogue}'::regclass AND d.objid = o.oid AND d.deptype = 'e')`;

/** Sequences of columns follow their tables, types of rows and indexes too. */
const commands = `
  WITH former AS (SELECT oid FROM pg_roles WHERE rolname = '${superuser}'),
       ours AS (
         SELECT oid FROM pg_namespace WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema')
  SELECT format('ALTER SCHEMA %I OWNER TO %I', nspname, '${ownerRole}') AS command
  FROM pg_namespace o JOIN former f ON o.nspowner = f.oid WHERE o.oid IN (SELECT oid FROM ours)
  UNION ALL
  SELECT format('ALTER %s %s OWNER TO %I',
    CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, o.oid::regclass, '${ownerRole}')
  FROM pg_class o JOIN former f ON o.relowner = f.oid
  WHERE relnamespace IN (SELECT oid FROM ours) AND relkind IN ('r', 'p', 'v', 'm', 'S') AND NOT EXISTS ${isForeign('pg_class')}
    AND NOT (relkind = 'S' AND EXISTS (
      SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = o.oid AND d.deptype IN ('a', 'i')))
  UNION ALL
  SELECT format('ALTER ROUTINE %s OWNER TO %I', o.oid::regprocedure, '${ownerRole}')
  FROM pg_proc o JOIN former f ON o.proowner = f.oid
  WHERE pronamespace IN (SELECT oid FROM ours) AND NOT EXISTS ${isForeign('pg_proc')}
  UNION ALL
  SELECT format('ALTER TYPE %s OWNER TO %I', o.oid::regtype, '${ownerRole}')
  FROM pg_type o JOIN former f ON o.typowner = f.oid
  WHERE typnamespace IN (SELECT oid FROM ours) AND typtype IN ('d', 'e', 'r') AND NOT EXISTS ${isForeign('pg_type')}
  UNION ALL
  SELECT format('ALTER COLLATION %s OWNER TO %I', o.oid::regcollation, '${ownerRole}')
  FROM pg_collation o JOIN former f ON o.collowner = f.oid
  WHERE collnamespace IN (SELECT oid FROM ours) AND NOT EXISTS ${isForeign('pg_collation')}
  UNION ALL
  SELECT format('GRANT EXECUTE ON ROUTINE %s TO %I', o.oid::regprocedure, '${ownerRole}')
  FROM pg_proc o JOIN pg_roles r ON r.oid = o.proowner AND r.rolname = 'helpdesk_system'
  WHERE pronamespace IN (SELECT oid FROM ours) AND NOT has_function_privilege('${ownerRole}', o.oid, 'EXECUTE')`;

/** What the first migration says of tables to come, for those that the owner will make. */
const defaults = [
  `ALTER DEFAULT PRIVILEGES FOR ROLE ${ownerRole} IN SCHEMA public
     GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${groups.join(', ')}`,
  `ALTER DEFAULT PRIVILEGES FOR ROLE ${ownerRole} IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO ${groups.join(', ')}`,
];
