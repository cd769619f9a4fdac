import { currentWorkspaceId } from '../../../platform/context/current';
import type { Database } from '../../../platform/database/database';
import type { DirectoryConnection } from '../connections/connection.entity';
import type { Snapshot } from '../engine/objects';

/**
 * Notes whose photo may be another one: nobody reads the photos of a whole directory to find that out. Where entries tell
 * their changes apart, it is whoever was changed since; where they do not, everybody with each full run. What is sent by hand says it
 * by itself (`SentPhotos`). Inside the unit of work that plans a run.
 */
export async function markPhotos(
  database: Database,
  { id: connectionId, type }: Pick<DirectoryConnection, 'id' | 'type'>,
  runId: number,
  { mode, people }: Snapshot,
): Promise<void> {
  if (type === 'json') return;
  const said = people.flatMap(({ guid, state }) => {
    const seen = state ?? (mode === 'full' ? `run ${runId}` : null);
    return seen === null ? [] : [{ guid, seen }];
  });
  if (said.length === 0) return;
  await database.query(
    `UPDATE directory_users u SET photo_due = true, photo_seen = s.seen FROM unnest($3::text[], $4::text[]) AS s(guid, seen)
     WHERE u.workspace_id = $1 AND u.connection_id = $2 AND u.object_guid = s.guid AND u.photo_seen IS DISTINCT FROM s.seen`,
    [currentWorkspaceId(), connectionId, said.map(({ guid }) => guid), said.map(({ seen }) => seen)],
  );
}
