// Own reads: each object of a run asks for its row, and a repository compiles its SQL each time.
import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { changeEach } from '../../../platform/resource/many-changes';
import type { Values } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import type { PlannedChange } from '../engine/plan';
import { nameKeyOf, referenceKey } from '../engine/reference-key';
import { DirectoryGroup } from '../objects/directory-group.entity';
import type { Outcome } from './outcome';

/** Members of one statement. */
const CHUNK = 10_000;

/** Writes what became of a group of a directory, and of its members. */
@Injectable()
export class GroupApplier {
  constructor(
    @InjectStore(DirectoryGroup) private readonly groups: Store<DirectoryGroup>,
    private readonly database: Database,
  ) {}

  /** Inside a unit of work. */
  async apply(runId: number, connectionId: number, change: PlannedChange): Promise<Outcome> {
    const workspace_id = currentWorkspaceId();
    const moment = await this.database.moment();
    const { group, standing = {}, members } = change;
    const known = await this.idOf(connectionId, change.guid);
    const said: Values<DirectoryGroup> = {
      ...(group
        ? {
            ...{ distinguished_name: group.distinguished_name, name: group.name, description: group.description },
            // A plan that was made before groups had them says nothing of these.
            ...{ scope: group.scope ?? null, type: group.type ?? null },
            name_key: nameKeyOf(group),
          }
        : {}),
      ...(standing.sync_status === 'missing' ||
      standing.sync_status === 'deleted_in_source' ||
      standing.sync_status === 'synced'
        ? { sync_status: standing.sync_status }
        : {}),
      ...(standing.missing_runs === undefined ? {} : { missing_runs: standing.missing_runs }),
      ...{ last_synced_at: moment, run_id: runId },
    };
    const id = known ?? (await this.add({ ...said, connection_id: connectionId, object_guid: change.guid }));
    if (members) {
      await this.part(id, members.remove);
      await this.join(id, connectionId, members.add, new Set(members.unknown));
    }
    const values = { ...said, member_count: await this.count(id) };
    if (known !== null || values.member_count > 0)
      await changeEach(this.database, 'directory_groups', [
        { workspace_id, id, values, counts: known !== null, events: [] },
      ]);
    return { result: change.error ? 'skipped' : 'success', error: change.error, user_id: null };
  }

  private async add(values: Values<DirectoryGroup>): Promise<number> {
    const [id = 0] = await this.groups.insertMany([values], 'none');
    return id;
  }

  private async idOf(connectionId: number, guid: string): Promise<number | null> {
    const [row] = await this.database.query<{ id: number }>(
      `SELECT id FROM directory_groups WHERE workspace_id = $1 AND connection_id = $2 AND object_guid = $3 FOR UPDATE`,
      [currentWorkspaceId(), connectionId, guid],
    );
    return row?.id ?? null;
  }

  /** @param unknown those that name nobody who is known yet */
  private async join(
    id: number,
    connectionId: number,
    guids: readonly string[],
    unknown: ReadonlySet<string>,
  ): Promise<void> {
    for (let from = 0; from < guids.length; from += CHUNK) {
      const few = guids.slice(from, from + CHUNK);
      const keys = few.map((each) => (unknown.has(each) ? referenceKey(each) : null));
      await this.database.query(
        `INSERT INTO directory_members (workspace_id, group_id, connection_id, member_guid, reference_key)
         SELECT $1, $2, $3, * FROM unnest($4::text[], $5::text[]) ON CONFLICT DO NOTHING`,
        [currentWorkspaceId(), id, connectionId, few, keys],
      );
    }
  }

  private async part(id: number, guids: readonly string[]): Promise<void> {
    for (let from = 0; from < guids.length; from += CHUNK)
      await this.database.query(
        `DELETE FROM directory_members WHERE workspace_id = $1 AND group_id = $2 AND member_guid = ANY($3::text[])`,
        [currentWorkspaceId(), id, guids.slice(from, from + CHUNK)],
      );
  }

  private async count(id: number): Promise<number> {
    const [row] = await this.database.query<{ n: number }>(
      `SELECT count(*)::integer AS n FROM directory_members WHERE workspace_id = $1 AND group_id = $2`,
      [currentWorkspaceId(), id],
    );
    return row?.n ?? 0;
  }
}
