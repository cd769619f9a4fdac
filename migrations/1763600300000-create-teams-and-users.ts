import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  filterIndex,
  nullableTimeSortIndexes,
  reference,
  resourceColumns,
  resourceIndexes,
  searchable,
  sortIndex,
} from './support/v1/resource-table';
import { announceAccess, confine, systemFunctions } from './support/v1/row-level-security';

/** Agent teams and the users (agents) of a workspace; tokens may now act for a user. */
export class CreateTeamsAndUsers1763600300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(users);
    await runner.query(teams);
    for (const table of ['users', 'teams']) await runner.query(confine(table));
    await runner.query(links);
    await runner.query(systemFunctions([authUser], []));
    await runner.query(announceAccess('users', 'UPDATE OF name, email, role, status OR DELETE'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(systemFunctions([noAuthUser]));
    await runner.query(`
      ALTER TABLE tokens DROP CONSTRAINT fk_tokens_user_id;
      DROP VIEW users_search, teams_search;
      DROP TABLE users, teams CASCADE;
    `);
  }
}

const users = `
  CREATE TABLE users (
    name text NOT NULL,
    email text NOT NULL,
    role text NOT NULL DEFAULT 'agent' CONSTRAINT ck_users_role CHECK (role IN ('owner', 'admin', 'supervisor', 'agent', 'light_agent')),
    status text NOT NULL DEFAULT 'active' CONSTRAINT ck_users_status CHECK (status IN ('invited', 'active', 'suspended', 'deactivated')),
    title text,
    phone text,
    avatar_url text,
    signature text,
    timezone text NOT NULL DEFAULT 'UTC',
    locale text NOT NULL DEFAULT 'en',
    team_ids bigint[] NOT NULL DEFAULT '{}',
    skills text[] NOT NULL DEFAULT '{}',
    ticket_scope text NOT NULL DEFAULT 'all' CONSTRAINT ck_users_ticket_scope CHECK (ticket_scope IN ('all', 'teams', 'assigned')),
    availability text NOT NULL DEFAULT 'offline' CONSTRAINT ck_users_availability CHECK (availability IN ('online', 'away', 'offline')),
    availability_changed_at timestamptz(3),
    out_of_office jsonb,
    max_open_tickets integer,
    source text NOT NULL DEFAULT 'local' CONSTRAINT ck_users_source CHECK (source IN ('local', 'ad', 'scim', 'import')),
    directory_user_id bigint,
    manager_id bigint,
    last_login_at timestamptz(3),
    ${resourceColumns}
  );
  ${resourceIndexes('users')}
  CREATE UNIQUE INDEX uq_users_email ON users (workspace_id, email);
  ${filterIndex('users', 'role')}
  ${filterIndex('users', 'status')}
  ${filterIndex('users', 'availability')}
  ${filterIndex('users', 'source')}
  ${sortIndex('users', 'name')}
  ${sortIndex('users', 'role')}
  ${nullableTimeSortIndexes('users', 'last_login_at')}
  CREATE INDEX users_by_manager_id ON users (workspace_id, manager_id) WHERE manager_id IS NOT NULL;
  CREATE INDEX users_by_team ON users USING gin (workspace_id, team_ids) WITH (fastupdate = off);
  CREATE INDEX users_by_skill ON users USING gin (workspace_id, skills) WITH (fastupdate = off);
  ${searchable('users', `name || ' ' || email || ' ' || coalesce(title, '')`)}
`;

const teams = `
  CREATE TABLE teams (
    name text NOT NULL,
    description text,
    lead_user_id bigint,
    escalate_to_team_id bigint,
    is_active boolean NOT NULL DEFAULT true,
    ${resourceColumns}
  );
  ${resourceIndexes('teams')}
  CREATE UNIQUE INDEX uq_teams_name ON teams (workspace_id, lower(name));
  ${sortIndex('teams', 'name')}
  ${filterIndex('teams', 'is_active')}
  CREATE INDEX teams_by_lead_user_id ON teams (workspace_id, lead_user_id) WHERE lead_user_id IS NOT NULL;
  CREATE INDEX teams_by_escalate_to_team_id ON teams (workspace_id, escalate_to_team_id) WHERE escalate_to_team_id IS NOT NULL;
  ${searchable('teams', `name || ' ' || coalesce(description, '')`)}
`;

const links = `
  ${reference('users', 'manager_id', 'users')}
  ${reference('teams', 'lead_user_id', 'users')}
  ${reference('teams', 'escalate_to_team_id', 'teams')}
  ALTER TABLE tokens ADD CONSTRAINT fk_tokens_user_id FOREIGN KEY (workspace_id, user_id)
    REFERENCES users (workspace_id, id) ON DELETE SET NULL (user_id);
  CREATE INDEX tokens_by_user_id ON tokens (workspace_id, user_id) WHERE user_id IS NOT NULL;
`;

const noAuthUser = `
  CREATE OR REPLACE FUNCTION auth_user(p_workspace_id bigint, p_user_id bigint) RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$ SELECT NULL::jsonb $$
`;

const authUser = `
  CREATE OR REPLACE FUNCTION auth_user(p_workspace_id bigint, p_user_id bigint) RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email, 'role', u.role)
    FROM users u WHERE u.workspace_id = p_workspace_id AND u.id = p_user_id AND u.status = 'active'
  $$
`;
