import type { MigrationInterface, QueryRunner } from 'typeorm';
import { systemFunctions, SYSTEM_ROLE } from './support/v1/row-level-security';

/** Lets whoever writes a copy of an event know whether a text has left the event since it was read. */
export class HoldRedactedEvents1764200300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(systemFunctions([redactedSince], ['redacted_since(bigint)']));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL ROLE ${SYSTEM_ROLE}; DROP FUNCTION redacted_since(bigint); RESET ROLE;`);
  }
}

/**
 * What an event of the bound workspace relates to, where something of it was redacted; null otherwise. The event is held
 * until the end of the transaction: a redaction (`FOR UPDATE`) waits, and then finds the copies that were made.
 */
const redactedSince = `
  CREATE OR REPLACE FUNCTION redacted_since(p_id bigint) RETURNS jsonb LANGUAGE sql
    SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT h.related FROM (
      SELECT e.related::jsonb AS related FROM events e
      WHERE e.workspace_id = current_setting('app.workspace_id')::bigint AND e.id = p_id AND e.related IS NOT NULL
      FOR KEY SHARE
    ) h WHERE EXISTS (SELECT FROM jsonb_each(h.related) AS m (k, v) WHERE v -> 'redacted' = 'true')
  $$
`;
