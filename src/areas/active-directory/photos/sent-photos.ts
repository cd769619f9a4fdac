import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { PhotoReader } from './photo-reader';

/** A photo as it was sent; null = there is none any more. */
export interface SentPhoto {
  guid: string;
  /** base64 */
  photo: string | null;
}

/** Photos that were sent with people, from the part of a run that had them until they were looked at. */
@Injectable()
export class SentPhotos {
  constructor(private readonly database: Database) {}

  /** Of somebody who is sent twice in a run the last one counts. Inside a unit of work. */
  async keep(connectionId: number, runId: number, photos: readonly SentPhoto[]): Promise<void> {
    const last = new Map(photos.map(({ guid, photo }) => [guid, photo ?? '']));
    if (last.size === 0) return;
    await this.database.query(
      `INSERT INTO directory_photos (workspace_id, connection_id, run_id, object_guid, content)
       SELECT $1, $2, $3, p.guid, decode(p.photo, 'base64') FROM unnest($4::text[], $5::text[]) AS p(guid, photo)
       ON CONFLICT (workspace_id, connection_id, object_guid, run_id) DO UPDATE SET content = excluded.content`,
      [currentWorkspaceId(), connectionId, runId, [...last.keys()], [...last.values()]],
    );
  }

  /** A run is done: its photos are those of the users that came of it, but for those that say nothing new. Inside a unit of work. */
  async settle(connectionId: number, runId: number): Promise<void> {
    const key = [currentWorkspaceId(), connectionId, runId];
    await this.database.query(FORGET_NO_NEWS, key);
    await this.database.query(MARK, key);
  }

  /** A run came to nothing. Inside a unit of work. */
  async forget(runId: number): Promise<void> {
    await this.database.query('DELETE FROM directory_photos WHERE workspace_id = $1 AND run_id = $2', [
      currentWorkspaceId(),
      runId,
    ]);
  }

  /** The last one of somebody was looked at. Inside a unit of work. */
  async done(connectionId: number, guid: string): Promise<void> {
    const done = `DELETE FROM directory_photos p WHERE p.workspace_id = $1 AND p.connection_id = $2 AND p.object_guid = $3 AND ${OF_DONE_RUN}`;
    await this.database.query(done, [currentWorkspaceId(), connectionId, guid]);
  }

  reader(connectionId: number): PhotoReader {
    return {
      of: ({ guid }) =>
        this.database.transaction(async () => {
          const [sent] = await this.database.query<{ photo: string }>(LAST, [currentWorkspaceId(), connectionId, guid]);
          if (!sent) return 'unsaid';
          return sent.photo === '' ? null : Buffer.from(sent.photo, 'base64');
        }),
      end: () => Promise.resolve(),
    };
  }
}

const OF_DONE_RUN = `EXISTS (SELECT FROM directory_runs r WHERE r.workspace_id = p.workspace_id AND r.id = p.run_id AND r.status IN ('completed', 'completed_with_errors'))`;

const LAST = `SELECT encode(p.content, 'base64') AS photo FROM directory_photos p
  WHERE p.workspace_id = $1 AND p.connection_id = $2 AND p.object_guid = $3 AND ${OF_DONE_RUN} ORDER BY p.run_id DESC LIMIT 1`;

/** Of nobody who is a user here, or the same as before. */
const FORGET_NO_NEWS = `DELETE FROM directory_photos p WHERE p.workspace_id = $1 AND p.connection_id = $2 AND p.run_id = $3 AND NOT EXISTS (
  SELECT FROM directory_users u WHERE u.workspace_id = $1 AND u.connection_id = $2 AND u.object_guid = p.object_guid
    AND u.user_id IS NOT NULL AND u.link_status = 'linked'
    AND coalesce(u.photo_digest, '') <> CASE WHEN p.content = '' THEN '' ELSE encode(sha256(p.content), 'hex') END)`;

const MARK = `UPDATE directory_users u SET photo_due = true FROM directory_photos p
  WHERE p.workspace_id = $1 AND p.connection_id = $2 AND p.run_id = $3
    AND u.workspace_id = $1 AND u.connection_id = $2 AND u.object_guid = p.object_guid`;
