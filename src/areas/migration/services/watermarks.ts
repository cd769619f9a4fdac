import { currentWorkspaceId } from '../../../platform/context/current';
import type { Database } from '../../../platform/database/database';
import type { Row } from '../../../platform/resource/rows';
import type { MigrationJob } from '../jobs/migration-job.entity';

/**
 * Since when each entity of a service is to be read: what the client says, else the beginning of the last job that read all of it and is not
 * taken back; null = everything. Inside a unit of work.
 *
 * @param names entities of the service
 */
export async function sinceOf(
  database: Database,
  { source, origin, options: { namespace, updated_since } }: Pick<Row<MigrationJob>, 'source' | 'origin' | 'options'>,
  names: readonly string[],
): Promise<Record<string, string> | null> {
  if (updated_since === null) return null;
  if (updated_since !== undefined) {
    const moment = new Date(updated_since).toISOString();
    return Object.fromEntries(names.map((name) => [name, moment]));
  }
  const rows = await database.query<{ entity: string; since: string }>(
    `SELECT u.key AS entity, max(u.value) AS since FROM migration_jobs j, jsonb_each_text(j.read_until) u
     WHERE j.workspace_id = $1 AND j.source = $2 AND j.origin = $3 AND j.status IN ('completed', 'completed_with_errors')
       AND j.options ->> 'namespace' IS NOT DISTINCT FROM $4::text GROUP BY 1`,
    [currentWorkspaceId(), source, origin, namespace ?? null],
  );
  return rows.length === 0 ? null : Object.fromEntries(rows.map(({ entity, since }) => [entity, since]));
}

/** Services know of a change a little after it was made, and their clocks are not ours. */
const OVERLAP_MS = 300_000;

/** Since when a job that begins now has read its service, by the time of the world, whatever the clock of the workspace shows. */
export function readFrom(): string {
  return new Date(Date.now() - OVERLAP_MS).toISOString();
}
