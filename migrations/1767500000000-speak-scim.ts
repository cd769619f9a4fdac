import type { MigrationInterface, QueryRunner } from 'typeorm';
import { confine } from './support/v1/row-level-security';

/** Clients that speak SCIM: their tokens, which are good for nothing else, and the users and groups as they told them. */
export class SpeakScim1767500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(scopes(['read', 'write', 'impersonate', '*', 'scim']));
    await runner.query(tables);
    for (const table of ['scim_resources', 'scim_members']) await runner.query(confine(table));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE scim_members, scim_resources;
      ALTER TABLE directory_connections DROP COLUMN token_id, DROP COLUMN former_token_id;
      DELETE FROM tokens WHERE scopes = ARRAY['scim'];
      UPDATE tokens SET scopes = array_remove(scopes, 'scim') WHERE 'scim' = ANY(scopes);
    `);
    await runner.query(scopes(['read', 'write', 'impersonate', '*']));
  }
}

function scopes(allowed: readonly string[]): string {
  const list = allowed.map((scope) => `'${scope}'`).join(', ');
  return `
    ALTER TABLE tokens DROP CONSTRAINT tokens_scopes_check;
    ALTER TABLE tokens ADD CONSTRAINT tokens_scopes_check CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY[${list}]);
  `;
}

/** `run_id`: the run that has taken it; null = it waits for one. */
const tables = `
  ALTER TABLE directory_connections ADD COLUMN token_id bigint, ADD COLUMN former_token_id bigint;
  CREATE INDEX directory_connections_by_token_id ON directory_connections (workspace_id, token_id) WHERE token_id IS NOT NULL;
  CREATE TABLE scim_resources (
    workspace_id bigint NOT NULL,
    id text NOT NULL,
    connection_id bigint NOT NULL,
    kind text NOT NULL CONSTRAINT ck_scim_resources_kind CHECK (kind IN ('user', 'group')),
    revision integer NOT NULL DEFAULT 1,
    name text NOT NULL,
    name_key text NOT NULL,
    external_id text,
    email_key text,
    content jsonb NOT NULL,
    is_deleted boolean NOT NULL DEFAULT false,
    run_id bigint,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    updated_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, id),
    CONSTRAINT fk_scim_resources_connection_id FOREIGN KEY (workspace_id, connection_id)
      REFERENCES directory_connections (workspace_id, id) ON DELETE CASCADE
  );
  CREATE UNIQUE INDEX uq_scim_resources_user_name ON scim_resources (workspace_id, connection_id, name_key)
    WHERE kind = 'user' AND NOT is_deleted;
  CREATE INDEX scim_resources_by_name ON scim_resources (workspace_id, connection_id, kind, name_key);
  CREATE INDEX scim_resources_by_external_id ON scim_resources (workspace_id, connection_id, external_id) WHERE external_id IS NOT NULL;
  CREATE INDEX scim_resources_by_email ON scim_resources (workspace_id, connection_id, email_key) WHERE email_key IS NOT NULL;
  CREATE INDEX scim_resources_in_order ON scim_resources (workspace_id, connection_id, kind, created_at, id);
  CREATE INDEX scim_resources_waiting ON scim_resources (workspace_id, connection_id) WHERE run_id IS NULL;
  CREATE INDEX scim_resources_taken ON scim_resources (workspace_id, connection_id, run_id) WHERE run_id IS NOT NULL;
  CREATE TABLE scim_members (
    workspace_id bigint NOT NULL,
    group_id text NOT NULL,
    member_id text NOT NULL,
    PRIMARY KEY (workspace_id, group_id, member_id),
    CONSTRAINT fk_scim_members_group_id FOREIGN KEY (workspace_id, group_id) REFERENCES scim_resources (workspace_id, id) ON DELETE CASCADE
  );
  CREATE INDEX scim_members_by_member ON scim_members (workspace_id, member_id);
`;
