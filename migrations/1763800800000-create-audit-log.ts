import type { MigrationInterface, QueryRunner } from 'typeorm';
import { filterIndex, searchable, tallied } from './support/v1/resource-table';
import { confine, SYSTEM_ROLE } from './support/v1/row-level-security';

/**
 * The audit log: one row per change, made of its event rows after the commit. It is a table of its own because its
 * indexes would otherwise be paid for by every write, and because it is kept longer than the events are shown.
 */
export class CreateAuditLog1763800800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE events ADD COLUMN origin json`);
    await runner.query(label);
    await runner.query(table);
    await runner.query(confine('audit_logs'));
    // Requests can read it and nothing else.
    await runner.query(`REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON audit_logs FROM helpdesk_app`);
    await runner.query(backfill);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW audit_logs_search;
      DROP TABLE audit_logs;
      DROP FUNCTION tally_audit_logs_insert(), tally_audit_logs_delete(), tally_audit_logs_update(), audit_label(json);
      DELETE FROM resource_tallies WHERE resource = 'audit_logs';
      DELETE FROM resource_tally_deltas WHERE resource = 'audit_logs';
      ALTER TABLE events DROP COLUMN origin;
    `);
  }
}

/** What people call a record: its code or number, and its name. */
const label = `
  CREATE FUNCTION audit_label(p_record json) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT nullif(left(btrim(
      coalesce(p_record ->> 'code', p_record ->> 'asset_tag', p_record ->> 'number', '') || ' ' ||
      coalesce(p_record ->> 'name', p_record ->> 'title', p_record ->> 'subject', p_record ->> 'email', p_record ->> 'url', '')), 255), '')
  $$;
`;

/**
 * id: that of the first event row of the change, so that a change is logged once however often it comes by.
 * No foreign keys and no checks: nothing that happened may be refused an entry.
 */
const table = `
  CREATE TABLE audit_logs (
    id bigint NOT NULL,
    workspace_id bigint NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    version integer NOT NULL DEFAULT 1,
    event_id text NOT NULL,
    event text NOT NULL,
    events text[] NOT NULL,
    action text NOT NULL,
    resource text NOT NULL,
    resource_id bigint NOT NULL,
    resource_name text,
    actor json NOT NULL,
    actor_type text NOT NULL,
    actor_id bigint,
    changes json,
    request_id text,
    token_id bigint,
    ip text,
    causation json NOT NULL,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (workspace_id, id)
  );
  CREATE INDEX audit_logs_by_created_at ON audit_logs (workspace_id, created_at, id);
  CREATE INDEX audit_logs_by_resource_id ON audit_logs (workspace_id, resource_id, resource, created_at, id);
  CREATE INDEX audit_logs_by_request_id ON audit_logs (workspace_id, request_id) WHERE request_id IS NOT NULL;
  CREATE INDEX audit_logs_by_events ON audit_logs USING gin (workspace_id, events);
  CREATE INDEX audit_logs_by_age ON audit_logs USING brin (created_at) WITH (autosummarize = on);
  ${['actor_type', 'action', 'resource', 'event'].map((name) => filterIndex('audit_logs', name)).join('\n')}
  ${['actor_id', 'token_id'].map((name) => filterIndex('audit_logs', name, { partial: true })).join('\n')}
  ${searchable('audit_logs', `coalesce(resource_name, '')`)}
  ${tallied('audit_logs', 'audit_logs', ['actor_type', 'action', 'resource'])}
`;

/** What happened before there was an audit log. */
const backfill = `
  SET LOCAL ROLE ${SYSTEM_ROLE};
  INSERT INTO audit_logs (workspace_id, id, event_id, event, events, action, resource, resource_id, resource_name,
    actor, actor_type, actor_id, changes, request_id, causation, created_at)
  SELECT e.workspace_id, e.id, e.uid, e.type,
    (SELECT array_agg(x.type ORDER BY x.position) FROM events x WHERE x.workspace_id = e.workspace_id
       AND x.object = e.object AND x.object_id = e.object_id AND x.id >= e.id AND x.sequence_id = e.sequence_id),
    substr(e.type, strpos(e.type, '.') + 1), e.object, e.object_id, audit_label(e.data),
    e.actor, e.actor ->> 'type', (e.actor ->> 'id')::bigint, e.changes, e.causation ->> 'request_id',
    json_build_object('root_event_id', e.causation -> 'root_event_id', 'depth', e.causation -> 'depth', 'automation_ids', e.causation -> 'automation_ids'),
    e.created_at
  FROM events e JOIN workspaces w ON w.id = e.workspace_id
  WHERE e.position = 1 AND e.created_at > now() - interval '400 days';
  RESET ROLE;
`;
