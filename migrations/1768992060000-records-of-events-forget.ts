import type { MigrationInterface, QueryRunner } from 'typeorm';
import { redactEvents } from './1764100100000-redact-events';
import { systemFunctions, SYSTEM_ROLE } from './support/v1/row-level-security';

const REDACT_EVENTS = 'redact_events(text, bigint, text, bigint, text[])';

/** Lets the log forget what a record said itself, as `redact_events` does of what belongs to it; and that of several that belong to it, at once. */
export class RecordsOfEventsForget1768992060000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      systemFunctions(
        [redactRecords, redactRelated, redactOfOne],
        [
          'redact_event_records(text, bigint, text[], text[], text)',
          'redact_related_events(text, bigint, text, bigint[], text[])',
          REDACT_EVENTS,
        ],
      ),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(systemFunctions([redactEvents], [REDACT_EVENTS]));
    await runner.query(`
      SET LOCAL ROLE ${SYSTEM_ROLE};
      DROP FUNCTION redact_event_records(text, bigint, text[], text[], text);
      DROP FUNCTION redact_related_events(text, bigint, text, bigint[], text[]);
      RESET ROLE;
    `);
  }
}

/** A member of the record, or what it was or became by a change, where it is one of the texts. */
const instead = (value: string): string =>
  `CASE WHEN json_typeof(${value}) = 'string' AND ${value} #>> '{}' = ANY(p_texts) THEN to_json(p_instead) ELSE ${value} END`;

/**
 * In the events of one record of the bound workspace: members p_names of the record, and of its changes, that say one of p_texts say p_instead.
 * Members keep their order. Answers the rows in which any did.
 */
const redactRecords = `
  CREATE OR REPLACE FUNCTION redact_event_records(p_object text, p_object_id bigint, p_names text[], p_texts text[], p_instead text)
    RETURNS TABLE (id bigint, uid text) LANGUAGE sql
    SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    WITH found AS (
      SELECT e.workspace_id, e.id, e.data, e.changes FROM events e
      WHERE e.workspace_id = current_setting('app.workspace_id')::bigint AND e.object = p_object AND e.object_id = p_object_id
        AND EXISTS (SELECT FROM unnest(p_names) AS n WHERE e.data ->> n = ANY(p_texts)
          OR e.changes #>> ARRAY[n, 'from'] = ANY(p_texts) OR e.changes #>> ARRAY[n, 'to'] = ANY(p_texts))
      FOR UPDATE
    )
    UPDATE events e SET
      data = (SELECT json_object_agg(m.k, CASE WHEN m.k = ANY(p_names) THEN ${instead('m.v')} ELSE m.v END ORDER BY m.place)
        FROM json_each(f.data) WITH ORDINALITY AS m (k, v, place)),
      changes = (SELECT json_object_agg(m.k, CASE WHEN m.k = ANY(p_names)
          THEN (SELECT json_object_agg(s.k, ${instead('s.v')} ORDER BY s.place) FROM json_each(m.v) WITH ORDINALITY AS s (k, v, place))
          ELSE m.v END ORDER BY m.place)
        FROM json_each(f.changes) WITH ORDINALITY AS m (k, v, place))
    FROM found f WHERE e.workspace_id = f.workspace_id AND e.id = f.id
    RETURNING e.id, e.uid
  $$
`;

/** What `redact_events` did, of the ids p_ids; of all, where that is null. */
const redactRelated = `
  CREATE OR REPLACE FUNCTION redact_related_events(p_object text, p_object_id bigint, p_member text, p_ids bigint[], p_names text[])
    RETURNS TABLE (id bigint, uid text, related_id bigint, texts text[]) LANGUAGE sql
    SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    WITH found AS (
      SELECT e.workspace_id, e.id, e.related::jsonb AS related, e.related::jsonb -> p_member AS member FROM events e
      WHERE e.workspace_id = current_setting('app.workspace_id')::bigint AND e.object = p_object AND e.object_id = p_object_id
        AND e.related #> ARRAY[p_member, 'id'] IS NOT NULL AND e.related #> ARRAY[p_member, 'redacted'] IS NULL
        AND (p_ids IS NULL OR e.related #>> ARRAY[p_member, 'id'] = ANY(p_ids::text[]))
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

/** As nodes of the release before call it. */
const redactOfOne = `
  CREATE OR REPLACE FUNCTION redact_events(p_object text, p_object_id bigint, p_member text, p_id bigint, p_names text[])
    RETURNS TABLE (id bigint, uid text, related_id bigint, texts text[]) LANGUAGE sql
    SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT r.id, r.uid, r.related_id, r.texts
    FROM redact_related_events(p_object, p_object_id, p_member, CASE WHEN p_id IS NOT NULL THEN ARRAY[p_id] END, p_names) r
  $$
`;
