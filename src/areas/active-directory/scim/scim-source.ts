import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { Row } from '../../../platform/resource/rows';
import type { DirectoryConnection } from '../connections/connection.entity';
import type { Reading } from '../runs/reading';
import type { DirectoryRun } from '../runs/run.entity';
import { groupOf, personOf } from './scim-objects';
import type { Stored } from './scim-store';

interface Told extends Stored {
  /** Another one whenever the photos are; null where there are none. */
  photos: string | null;
  kind: 'user' | 'group';
  is_deleted: boolean;
}

/**
 * What a run of a SCIM connection reads: what was told since the last one, or everything. A run takes what it reads, so that the next
 * one does not: what is changed again afterwards belongs to nobody, and neither does what a run took that failed or was stopped.
 */
@Injectable()
export class ScimSource {
  constructor(private readonly database: Database) {}

  read(connection: Row<DirectoryConnection>, { id, mode, is_dry_run }: Row<DirectoryRun>): Promise<Reading> {
    return this.database.transaction(async () => {
      const key = [currentWorkspaceId(), connection.id, id];
      if (!is_dry_run) await this.database.query(TAKE, key);
      const rows = await this.database.query<Told>(mode === 'full' ? EVERYTHING : is_dry_run ? WAITING : TAKEN, key);
      const groups = rows.filter(({ kind, is_deleted }) => kind === 'group' && !is_deleted);
      const members = await this.membersOf(groups.map((group) => group.id));
      const snapshot = {
        ...{ mode, unreadable: [], removed: rows.filter(({ is_deleted }) => is_deleted).map((row) => row.id) },
        people: rows
          .filter(({ kind, is_deleted }) => kind === 'user' && !is_deleted)
          .map((row) => ({ ...personOf(row), state: `photos ${row.photos ?? 'none'}` })),
        groups: groups.map((group) => groupOf(group, members.get(group.id) ?? [])),
      };
      return { snapshot, cursor: null };
    });
  }

  /** Whether something waits for a run. Inside a unit of work. */
  async isWaiting(connectionId: number): Promise<boolean> {
    const rows = await this.database.query(
      'SELECT FROM scim_resources WHERE workspace_id = $1 AND connection_id = $2 AND run_id IS NULL LIMIT 1',
      [currentWorkspaceId(), connectionId],
    );
    return rows.length > 0;
  }

  /** What was deleted and has been heard of is not needed any more. Inside a unit of work. */
  async forget(runId: number, connectionId: number): Promise<void> {
    await this.database.query(
      'DELETE FROM scim_resources WHERE workspace_id = $1 AND connection_id = $2 AND is_deleted AND run_id = $3',
      [currentWorkspaceId(), connectionId, runId],
    );
  }

  private async membersOf(groups: readonly string[]): Promise<Map<string, string[]>> {
    const rows = await this.database.query<{ group_id: string; members: string[] }>(
      `SELECT group_id, array_agg(member_id ORDER BY member_id) AS members FROM scim_members
       WHERE workspace_id = $1 AND group_id = ANY($2::text[]) GROUP BY group_id`,
      [currentWorkspaceId(), groups],
    );
    return new Map(rows.map(({ group_id, members }) => [group_id, members]));
  }
}

/** Nobody's: new, or of a run that came to nothing. */
const WAITS = `(r.run_id IS NULL OR r.run_id IN (SELECT d.id FROM directory_runs d WHERE d.workspace_id = $1 AND d.connection_id = $2 AND d.id <> $3 AND d.status IN ('failed', 'cancelled')))`;
const TAKE = `UPDATE scim_resources r SET run_id = $3 WHERE r.workspace_id = $1 AND r.connection_id = $2 AND ${WAITS}`;
/** Photos may be long, and a run needs none. */
const TOLD = `SELECT r.id, r.kind, r.is_deleted, r.revision AS version, r.content - 'photos' AS content, md5((r.content -> 'photos')::text) AS photos, r.created_at, r.updated_at FROM scim_resources r
  WHERE r.workspace_id = $1 AND r.connection_id = $2`;
const EVERYTHING = `${TOLD} AND $3::bigint IS NOT NULL ORDER BY r.created_at, r.id`;
const WAITING = `${TOLD} AND ${WAITS} ORDER BY r.created_at, r.id`;
const TAKEN = `${TOLD} AND r.run_id = $3 ORDER BY r.created_at, r.id`;
