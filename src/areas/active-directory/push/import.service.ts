import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { fail, invalid } from '../../../platform/errors/api-error';
import type { SingleResult } from '../../../platform/http/results';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { kindOf } from '../connections/connections.service';
import { DirectoryRun } from '../runs/run.entity';
import { RunsService } from '../runs/runs.service';
import type { ImportObjects } from './import.dto';
import { SentPhotos } from '../photos/sent-photos';
import { type Part, partOf, photosOf } from './part';

/** People, groups and memberships that one run may be sent. */
const MAX_ENTRIES = 1_000_000;
const MAX_PARTS = 2_000;

/** Takes in what is sent of a directory, part by part; the run begins when it is complete. */
@Injectable()
export class Import {
  constructor(
    @InjectStore(DirectoryRun) private readonly records: Store<DirectoryRun>,
    private readonly runs: RunsService,
    private readonly database: Database,
    private readonly photos: SentPhotos,
  ) {}

  async receive(body: ImportObjects): Promise<SingleResult> {
    const part = partOf(body);
    if (body.run_id !== undefined) return this.add(body.run_id, body, part);
    const connection = await this.runs.connectionOf(body.connection_id);
    if (connection.status === 'disabled') invalid('connection_id', 'inactive', 'The connection is disabled.');
    if (!kindOf(connection.type).isPushed)
      invalid('connection_id', 'not_allowed', `Nothing is sent here of a ${kindOf(connection.type).name} directory.`);
    const { mode = 'delta', dry_run: is_dry_run = false, complete = true } = body;
    return this.database.transaction(async () => {
      const begun = await this.runs.begin(connection, { mode, is_dry_run, trigger: 'push' }, complete);
      if (!begun.isNew)
        fail(
          'conflict',
          `Run ${begun.id} of the connection is under way; send it again when that is over, or cancel it.`,
        );
      await this.keep(begun.id, part);
      if (!is_dry_run) await this.photos.keep(connection.id, begun.id, photosOf(body));
      return begun.result;
    });
  }

  private add(id: number, body: ImportObjects, part: Part): Promise<SingleResult> {
    const { connection_id, complete = true } = body;
    return this.database.transaction(async () => {
      const run =
        (await this.records.lockIfAny(id)) ??
        invalid('run_id', 'not_found', `"run_id" names ${id}, which does not exist.`);
      if (connection_id !== undefined && connection_id !== run.connection_id)
        invalid('connection_id', 'not_found', '"connection_id" names another connection than that of the run.');
      if (run.status !== 'receiving') fail('conflict', `The run takes nothing more: it is ${run.status}.`);
      await this.keep(id, part);
      if (!run.is_dry_run) await this.photos.keep(run.connection_id, id, photosOf(body));
      if (complete) await this.runs.enqueue(id, run.connection_id);
      const values = complete ? ({ status: 'queued' } as const) : {};
      await this.records.apply(run, { values, events: ['directory_run.updated'], always: true });
      return this.records.read(id);
    });
  }

  private async keep(id: number, part: Part): Promise<void> {
    const members = part.groups.reduce((sum, group) => sum + group.members.length, 0);
    const objects = part.people.length + part.groups.length + part.removed.length + members;
    const [kept] = await this.database.query<{ parts: number; objects: number }>(
      `SELECT count(*)::integer AS parts, coalesce(sum(objects), 0)::integer AS objects FROM directory_parts WHERE workspace_id = $1 AND run_id = $2`,
      [currentWorkspaceId(), id],
    );
    const { parts = 0, objects: before = 0 } = kept ?? {};
    if (parts >= MAX_PARTS || before + objects > MAX_ENTRIES)
      invalid(
        'run_id',
        'max',
        `A run takes ${MAX_PARTS} parts with ${MAX_ENTRIES} people, groups and memberships at most.`,
      );
    await this.database.query(
      `INSERT INTO directory_parts (workspace_id, run_id, part, objects, content) VALUES ($1, $2, $3, $4, $5)`,
      [currentWorkspaceId(), id, parts + 1, objects, JSON.stringify(part)],
    );
  }
}
