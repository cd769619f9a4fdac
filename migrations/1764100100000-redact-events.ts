import type { MigrationInterface, QueryRunner } from 'typeorm';
import { APP_ROLE, systemFunctions, SYSTEM_ROLE } from './support/v1/row-level-security';

/**
 * The one way in which event rows change: texts of a record that was deleted leave them. Requests may otherwise only add
 * events.
 */
export class RedactEvents1764100100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(systemFunctions([redactEvents], ['redact_events(text, bigint, text, bigint, text[])']));
    await runner.query(`REVOKE UPDATE, DELETE, TRUNCATE ON events FROM ${APP_ROLE}`);
    await runner.query(`ALTER TABLE idempotency_keys ADD COLUMN about text[] NOT NULL DEFAULT '{}'`);
    await runner.query(
      `CREATE INDEX integration_logs_by_delivery ON integration_logs (workspace_id, delivery_id) WHERE delivery_id IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX integration_logs_by_delivery;
      ALTER TABLE idempotency_keys DROP COLUMN about;
      GRANT UPDATE, DELETE, TRUNCATE ON events TO ${APP_ROLE};
      SET LOCAL ROLE ${SYSTEM_ROLE};
      DROP FUNCTION redact_events(text, bigint, text, bigint, text[]);
      RESET ROLE;
    `);
  }
}

/**
 * In the events of one record of the bound workspace: what is related under p_member (of all ids, when p_id is null) loses the
 * members p_names, which become null, and says so. Answers the rows with the texts that were there; a row that was redacted
 * before has none.
 */
export const redactEvents = `
  CREATE OR REPLACE FUNCTION redact_events(p_object text, p_object_id bigint, p_member text, p_id bigint, p_names text[])
    RETURNS TABLE (id bigint, uid text, related_id bigint, texts text[]) LANGUAGE sql
    SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    WITH found AS (
      SELECT e.workspace_id, e.id, e.related::jsonb AS related, e.related::jsonb -> p_member AS member FROM events e
      WHERE e.workspace_id = current_setting('app.workspace_id')::bigint AND e.object = p_object AND e.object_id = p_object_id
        AND e.related #> ARRAY[p_member, 'id'] IS NOT NULL AND e.related #> ARRAY[p_member, 'redacted'] IS NULL
        AND (p_id IS NULL OR e.related #>> ARRAY[p_member, 'id'] = p_id::text)
      FOR UPDATE
    ), cut AS (
      SELECT f.*, (SELECT jsonb_object_agg(k, CASE WHEN k = ANY(p_names) THEN 'null' ELSE v END) FROM jsonb_each(f.member) AS m (k, v))
        || '{"redacted": true}' AS rest,
        ARRAY(SELECT f.member ->> k FROM unnest(p_names) AS k WHERE jsonb_typeof(f.member -> k) = 'string') AS texts
      FROM found f
    )
    UPDATE events e SET related = jsonb_set(c.related, ARRAY[p_member], c.rest)::json FROM cut c
    WHERE e.workspace_id = c.workspace_id AND e.id = c.id
    RETURNING e.id, e.uid, (c.member ->> 'id')::bigint, c.texts
  $$
`;
