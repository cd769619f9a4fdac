import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dropExtraColumns, extraColumns } from './support/v1/extra-columns';
import { reference, resourceColumns, resourceIndexes, sortIndex } from './support/v1/resource-table';
import { announceAccess, confine, SYSTEM_ROLE, systemFunctions } from './support/v1/row-level-security';
import { searchableByWords } from './support/v2/search-by-words';

/** Custom roles, which users may have in place of a built-in one; whom tokens act for tells what that user's role allows. */
export class CreateRoles1765390000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(roles);
    await runner.query(confine('roles'));
    await runner.query(extraColumns('users', { role_id: 'bigint' }));
    await runner.query(`
      ${reference('users', 'role_id', 'roles', 'restrict')}
      CREATE INDEX users_by_role_id ON users (workspace_id, role_id) WHERE role_id IS NOT NULL;
      DROP TRIGGER users_access_changed ON users;
    `);
    await runner.query(systemFunctions([authUser, authNamedUser], ['auth_named_user(bigint, bigint, text)']));
    await runner.query(
      announceAccess('users', 'UPDATE OF name, email, role, role_id, status, ticket_scope, team_ids OR DELETE'),
    );
    await runner.query(announceAccess('roles', 'UPDATE OF name, permissions, ticket_scope OR DELETE'));
    await runner.query(scopes(['read', 'write', 'impersonate', '*']));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      SET LOCAL ROLE ${SYSTEM_ROLE};
      DELETE FROM tokens WHERE scopes = ARRAY['impersonate'];
      UPDATE tokens SET scopes = array_remove(scopes, 'impersonate') WHERE 'impersonate' = ANY(scopes);
      RESET ROLE;
    `);
    await runner.query(scopes(['read', 'write', '*']));
    await runner.query('DROP TRIGGER users_access_changed ON users');
    await runner.query(systemFunctions(['DROP FUNCTION auth_named_user(bigint, bigint, text)', formerAuthUser]));
    await runner.query(announceAccess('users', 'UPDATE OF name, email, role, status OR DELETE'));
    await runner.query(`
      DROP INDEX users_by_role_id;
      ALTER TABLE users DROP CONSTRAINT fk_users_role_id;
      ${dropExtraColumns('users', ['role_id'])}
      DROP VIEW roles_search;
      DROP TABLE roles;
    `);
  }
}

const roles = `
  CREATE TABLE roles (
    name text NOT NULL,
    description text,
    permissions text[] NOT NULL DEFAULT '{}',
    ticket_scope text NOT NULL DEFAULT 'all' CONSTRAINT ck_roles_ticket_scope CHECK (ticket_scope IN ('all', 'teams', 'assigned')),
    ${resourceColumns}
  );
  ${resourceIndexes('roles')}
  CREATE UNIQUE INDEX uq_roles_name ON roles (workspace_id, lower(name));
  ${sortIndex('roles', 'name')}
  ${searchableByWords('roles', `name || ' ' || coalesce(description, '')`)}
`;

const DEFINER = `LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp`;

/** The narrower scope of the two holds. */
const authUser = `
  CREATE OR REPLACE FUNCTION auth_user(p_workspace_id bigint, p_user_id bigint) RETURNS jsonb ${DEFINER} AS $$
    SELECT jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email, 'role', u.role,
      'role_id', r.id, 'role_name', r.name, 'permissions', to_jsonb(r.permissions),
      'ticket_scope', CASE WHEN 'assigned' IN (u.ticket_scope, r.ticket_scope) THEN 'assigned'
        WHEN 'teams' IN (u.ticket_scope, r.ticket_scope) THEN 'teams' ELSE 'all' END,
      'team_ids', to_jsonb(u.team_ids))
    FROM users u LEFT JOIN roles r ON r.workspace_id = u.workspace_id AND r.id = u.role_id
    WHERE u.workspace_id = p_workspace_id AND u.id = p_user_id AND u.status = 'active'
  $$
`;

/** Whom a token says it acts for, by id or by address. */
const authNamedUser = `
  CREATE OR REPLACE FUNCTION auth_named_user(p_workspace_id bigint, p_id bigint, p_email text) RETURNS jsonb ${DEFINER} AS $$
    SELECT jsonb_build_object('status', u.status, 'user', public.auth_user(u.workspace_id, u.id))
    FROM users u WHERE u.workspace_id = p_workspace_id AND (u.id = p_id OR u.email = p_email)
  $$
`;

const formerAuthUser = `
  CREATE OR REPLACE FUNCTION auth_user(p_workspace_id bigint, p_user_id bigint) RETURNS jsonb ${DEFINER} AS $$
    SELECT jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email, 'role', u.role)
    FROM users u WHERE u.workspace_id = p_workspace_id AND u.id = p_user_id AND u.status = 'active'
  $$
`;

function scopes(allowed: readonly string[]): string {
  const list = allowed.map((scope) => `'${scope}'`).join(', ');
  return `
    ALTER TABLE tokens DROP CONSTRAINT tokens_scopes_check;
    ALTER TABLE tokens ADD CONSTRAINT tokens_scopes_check CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY[${list}]);
  `;
}
