import type { MigrationInterface, QueryRunner } from 'typeorm';
import { filterIndex, reference, resourceColumns, resourceIndexes } from './support/v1/resource-table';
import { confine } from './support/v1/row-level-security';
import { nullableSortIndexes } from './support/v2/nullable-sort-indexes';
import { searchableByWords } from './support/v2/search-by-words';

/** Directories that say who works here: connections, what each was last known to have, runs, and what each run changed. */
export class CreateActiveDirectory1766700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [connections, runs, users, groups, changes, parts]) await runner.query(sql);
    for (const table of tables) await runner.query(confine(table));
    await runner.query(reference('users', 'directory_user_id', 'directory_users'));
    await runner.query(filterIndex('users', 'directory_user_id', { partial: true }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM work WHERE kind = 'directory_run';
      DROP INDEX users_by_directory_user_id;
      ALTER TABLE users DROP CONSTRAINT fk_users_directory_user_id;
      DROP VIEW directory_users_search, directory_groups_search;
      DROP TABLE ${tables.toReversed().join(', ')};
    `);
  }
}

const tables = [
  'directory_connections',
  'directory_runs',
  'directory_users',
  'directory_groups',
  'directory_members',
  'directory_changes',
  'directory_parts',
];

const connections = `
  CREATE TABLE directory_connections (
    type text NOT NULL CONSTRAINT ck_directory_connections_type CHECK (type IN ('json', 'ldap', 'scim', 'entra_id')),
    name text NOT NULL,
    status text NOT NULL DEFAULT 'active'
      CONSTRAINT ck_directory_connections_status CHECK (status IN ('active', 'disabled', 'error', 'quarantined')),
    config jsonb NOT NULL DEFAULT '{}',
    sealed text,
    role_mappings jsonb NOT NULL DEFAULT '[]',
    users_without_mapping text NOT NULL DEFAULT 'skip'
      CONSTRAINT ck_directory_connections_users_without_mapping CHECK (users_without_mapping IN ('skip', 'light_agent', 'agent')),
    deprovision text NOT NULL DEFAULT 'deactivate'
      CONSTRAINT ck_directory_connections_deprovision CHECK (deprovision IN ('deactivate', 'suspend', 'none')),
    preserve_manual_roles boolean NOT NULL DEFAULT true,
    schedule_minutes integer,
    full_sync_hours integer NOT NULL DEFAULT 24,
    safety jsonb NOT NULL DEFAULT '{}',
    cursor jsonb,
    failure_count integer NOT NULL DEFAULT 0,
    last_error jsonb,
    last_sync_at timestamptz(3),
    last_full_sync_at timestamptz(3),
    next_sync_at timestamptz(3),
    ${resourceColumns}
  );
  ${resourceIndexes('directory_connections')}
  CREATE UNIQUE INDEX uq_directory_connections_name ON directory_connections (workspace_id, lower(name));
  ${['type', 'status'].map((name) => filterIndex('directory_connections', name)).join('\n')}
  CREATE INDEX directory_connections_due ON directory_connections (next_sync_at) WHERE status IN ('active', 'error') AND next_sync_at IS NOT NULL;
`;

const RUN_STATUSES = `'receiving', 'queued', 'running', 'awaiting_approval', 'completed', 'completed_with_errors', 'failed', 'cancelled'`;

const runs = `
  CREATE TABLE directory_runs (
    connection_id bigint NOT NULL,
    mode text NOT NULL DEFAULT 'full' CONSTRAINT ck_directory_runs_mode CHECK (mode IN ('full', 'delta')),
    is_dry_run boolean NOT NULL DEFAULT false,
    trigger text NOT NULL DEFAULT 'manual' CONSTRAINT ck_directory_runs_trigger CHECK (trigger IN ('manual', 'schedule', 'push')),
    status text NOT NULL DEFAULT 'queued' CONSTRAINT ck_directory_runs_status CHECK (status IN (${RUN_STATUSES})),
    counts jsonb NOT NULL DEFAULT '{}',
    cursor_before jsonb,
    cursor_after jsonb,
    approval jsonb,
    error jsonb,
    started_at timestamptz(3),
    planned_at timestamptz(3),
    finished_at timestamptz(3),
    ${resourceColumns}
  );
  ${resourceIndexes('directory_runs')}
  ${['connection_id', 'mode', 'trigger', 'status', 'is_dry_run'].map((name) => filterIndex('directory_runs', name)).join('\n')}
  ${nullableSortIndexes('directory_runs', 'finished_at', 'timestamptz')}
  CREATE UNIQUE INDEX uq_directory_runs_under_way ON directory_runs (workspace_id, connection_id)
    WHERE status IN ('receiving', 'queued', 'running', 'awaiting_approval');
  CREATE INDEX directory_runs_stuck ON directory_runs (updated_at) WHERE status IN ('receiving', 'queued', 'running');
  CREATE INDEX directory_runs_old ON directory_runs (finished_at) WHERE finished_at IS NOT NULL;
  ${reference('directory_runs', 'connection_id', 'directory_connections', 'cascade')}
`;

const users = `
  CREATE TABLE directory_users (
    connection_id bigint NOT NULL,
    object_guid text NOT NULL,
    distinguished_name text,
    username text,
    user_principal_name text,
    email text,
    display_name text NOT NULL,
    given_name text,
    surname text,
    title text,
    department text,
    office text,
    phone text,
    mobile text,
    manager_guid text,
    enabled boolean NOT NULL DEFAULT true,
    locked boolean NOT NULL DEFAULT false,
    user_id bigint,
    link_status text NOT NULL DEFAULT 'unlinked'
      CONSTRAINT ck_directory_users_link_status CHECK (link_status IN ('linked', 'unlinked', 'conflict', 'ignored')),
    mapped_role text,
    sync_status text NOT NULL DEFAULT 'synced'
      CONSTRAINT ck_directory_users_sync_status CHECK (sync_status IN ('synced', 'pending', 'error', 'missing', 'deleted_in_source')),
    missing_runs integer NOT NULL DEFAULT 0,
    applied jsonb,
    last_error jsonb,
    last_synced_at timestamptz(3),
    when_created timestamptz(3),
    when_changed timestamptz(3),
    run_id bigint,
    ${resourceColumns}
  );
  ${resourceIndexes('directory_users')}
  CREATE UNIQUE INDEX uq_directory_users_object_guid ON directory_users (workspace_id, connection_id, object_guid);
  CREATE UNIQUE INDEX uq_directory_users_user_id ON directory_users (workspace_id, user_id) WHERE user_id IS NOT NULL;
  ${['connection_id', 'enabled', 'link_status', 'sync_status'].map((name) => filterIndex('directory_users', name)).join('\n')}
  ${['department', 'email', 'username', 'user_id', 'mapped_role', 'object_guid'].map((name) => filterIndex('directory_users', name, { partial: true })).join('\n')}
  CREATE INDEX directory_users_order_display_name ON directory_users (workspace_id, display_name, id);
  ${nullableSortIndexes('directory_users', 'last_synced_at', 'timestamptz')}
  ${searchableByWords('directory_users', `display_name || ' ' || coalesce(email, '') || ' ' || coalesce(username, '') || ' ' || coalesce(department, '')`)}
  ${reference('directory_users', 'connection_id', 'directory_connections', 'cascade')}
  ${reference('directory_users', 'user_id', 'users')}
`;

const groups = `
  CREATE TABLE directory_groups (
    connection_id bigint NOT NULL,
    object_guid text NOT NULL,
    distinguished_name text,
    name text NOT NULL,
    description text,
    member_count integer NOT NULL DEFAULT 0,
    mapped_role text CONSTRAINT ck_directory_groups_mapped_role CHECK (mapped_role IN ('admin', 'supervisor', 'agent', 'light_agent')),
    mapped_team_ids bigint[] NOT NULL DEFAULT '{}',
    sync_status text NOT NULL DEFAULT 'synced'
      CONSTRAINT ck_directory_groups_sync_status CHECK (sync_status IN ('synced', 'missing', 'deleted_in_source')),
    missing_runs integer NOT NULL DEFAULT 0,
    last_synced_at timestamptz(3),
    run_id bigint,
    ${resourceColumns}
  );
  ${resourceIndexes('directory_groups')}
  CREATE UNIQUE INDEX uq_directory_groups_object_guid ON directory_groups (workspace_id, connection_id, object_guid);
  ${['connection_id', 'sync_status', 'object_guid'].map((name) => filterIndex('directory_groups', name)).join('\n')}
  ${filterIndex('directory_groups', 'mapped_role', { partial: true })}
  CREATE INDEX directory_groups_order_name ON directory_groups (workspace_id, name, id);
  ${searchableByWords('directory_groups', `name || ' ' || coalesce(description, '')`)}
  ${reference('directory_groups', 'connection_id', 'directory_connections', 'cascade')}
  CREATE TABLE directory_members (
    workspace_id bigint NOT NULL,
    group_id bigint NOT NULL,
    connection_id bigint NOT NULL,
    member_guid text NOT NULL,
    PRIMARY KEY (workspace_id, group_id, member_guid),
    CONSTRAINT fk_directory_members_group_id FOREIGN KEY (workspace_id, group_id) REFERENCES directory_groups (workspace_id, id) ON DELETE CASCADE
  );
  CREATE INDEX directory_members_by_member ON directory_members (workspace_id, connection_id, member_guid);
`;

const changes = `
  CREATE TABLE directory_changes (
    id bigint GENERATED BY DEFAULT AS IDENTITY,
    workspace_id bigint NOT NULL,
    version integer NOT NULL DEFAULT 1,
    run_id bigint NOT NULL,
    stage smallint NOT NULL DEFAULT 0,
    object text NOT NULL CONSTRAINT ck_directory_changes_object CHECK (object IN ('user', 'group')),
    object_guid text NOT NULL,
    name text NOT NULL,
    action text NOT NULL
      CONSTRAINT ck_directory_changes_action CHECK (action IN ('create', 'update', 'disable', 'enable', 'delete', 'link', 'unlink', 'none')),
    result text NOT NULL DEFAULT 'planned'
      CONSTRAINT ck_directory_changes_result CHECK (result IN ('planned', 'success', 'skipped', 'warning', 'failure')),
    user_id bigint,
    before jsonb,
    after jsonb,
    error jsonb,
    plan jsonb,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    applied_at timestamptz(3),
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT fk_directory_changes_run_id FOREIGN KEY (workspace_id, run_id) REFERENCES directory_runs (workspace_id, id) ON DELETE CASCADE
  );
  CREATE INDEX directory_changes_by_created_at ON directory_changes (workspace_id, created_at, id);
  CREATE INDEX directory_changes_of_run ON directory_changes (workspace_id, run_id, id);
  CREATE INDEX directory_changes_to_do ON directory_changes (workspace_id, run_id, stage, id) WHERE result = 'planned';
  ${['object', 'action', 'result', 'object_guid'].map((name) => filterIndex('directory_changes', name)).join('\n')}
  ${filterIndex('directory_changes', 'user_id', { partial: true })}
  ${reference('directory_changes', 'user_id', 'users')}
`;

/** What was sent of a run so far, as it came. */
const parts = `
  CREATE TABLE directory_parts (
    workspace_id bigint NOT NULL,
    run_id bigint NOT NULL,
    part integer NOT NULL,
    objects integer NOT NULL,
    content jsonb NOT NULL,
    PRIMARY KEY (workspace_id, run_id, part),
    CONSTRAINT fk_directory_parts_run_id FOREIGN KEY (workspace_id, run_id) REFERENCES directory_runs (workspace_id, id) ON DELETE CASCADE
  );
`;
