import type { Row } from '../../../platform/resource/rows';
import type { MigrationJob } from './migration-job.entity';

/** A record that is pushed. */
export interface PushedRecord {
  external_id: string;
  payload: object;
}

/** Records by the ids that they are known by here. */
export function namedRecords(
  { options: { namespace } }: Row<MigrationJob>,
  records: readonly PushedRecord[],
): PushedRecord[] {
  const named = (id: string): string => (namespace === undefined ? id : `${namespace}:${id}`);
  return records.map((record) => ({ ...record, external_id: named(record.external_id) }));
}

/** Records that wait, by workspace, job, entity and a list of them; those that came in already stay as they are. */
export const PUSH = `
  WITH pushed AS (
    INSERT INTO migration_records AS r (workspace_id, job_id, entity, external_id, status, payload)
    SELECT $1, $2, $3, e.external_id, 'pending', e.payload FROM json_to_recordset($4::json) AS e(external_id text, payload jsonb)
    ON CONFLICT (workspace_id, job_id, entity, external_id) DO UPDATE SET payload = excluded.payload, status = 'pending', error = NULL, version = r.version + 1
      WHERE r.status IN ('pending', 'failed')
    RETURNING (xmax = 0) AS is_new)
  SELECT count(*)::integer AS n, count(*) FILTER (WHERE is_new)::integer AS fresh FROM pushed`;
