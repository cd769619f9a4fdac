import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { current, currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../../platform/database/workspace-repository.module';
import { fail, invalid } from '../../../platform/errors/api-error';
import { SingleResult } from '../../../platform/http/results';
import { JobQueue } from '../../../platform/queue/job-queue';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import type { Row, Values } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { ConnectionsService } from '../connections/connections.service';
import { DirectoryConnection } from '../connections/connection.entity';
import { DirectoryRun, type RunStatus, UNDER_WAY } from './run.entity';
import { CHANGES_JOB, RUN_JOB } from './run-job-name';
import type { StartRun } from './run.dto';
import { SentPhotos } from '../photos/sent-photos';

/** Runs: begun, approved, stopped. What they do is the work of jobs. */
@Injectable()
export class RunsService {
  constructor(
    @InjectStore(DirectoryRun) private readonly runs: Store<DirectoryRun>,
    @InjectWorkspaceRepository(DirectoryRun) private readonly known: WorkspaceRepository<DirectoryRun>,
    private readonly connections: ConnectionsService,
    private readonly database: Database,
    private readonly queue: JobQueue,
    private readonly photos: SentPhotos,
  ) {}

  /** Begins a run unless one is under way, which is answered then. */
  async start({ connection_id, mode = 'delta', dry_run = false }: StartRun): Promise<SingleResult> {
    const connection = await this.connectionOf(connection_id);
    if (connection.status === 'disabled') invalid('connection_id', 'inactive', 'The connection is disabled.');
    return (await this.begin(connection, { mode, is_dry_run: dry_run, trigger: 'manual' }, true)).result;
  }

  /** The same of a connection that is there; `queued` unless more is to come. Opens a unit of work unless there is one. */
  begin(
    { id, cursor }: Pick<Row<DirectoryConnection>, 'id' | 'cursor'>,
    values: Values<DirectoryRun>,
    isWhole: boolean,
  ): Promise<{ id: number; isNew: boolean; result: SingleResult }> {
    return this.runs.holding(async () => {
      const under = await this.underWay(id);
      if (under !== null) {
        const { json, etag } = await this.runs.read(under);
        return { id: under, isNew: false, result: new SingleResult(json, etag, undefined, { already_running: true }) };
      }
      const status = isWhole ? 'queued' : 'receiving';
      const written = await this.runs.insert({}, (made) => {
        Object.assign(made, { ...values, connection_id: id, status, cursor_before: cursor });
        return undefined;
      });
      if (isWhole) await this.enqueue(written.id, id);
      return { id: written.id, isNew: true, result: await this.runs.read(written.id) };
    }, `runs of directory ${id}`);
  }

  /** The last run of a connection, or of the workspace. */
  async latest(connectionId?: number): Promise<SingleResult> {
    const connection = connectionId === undefined ? null : await this.connections.requireKnown(connectionId);
    const where = connection ? { connection_id: connection.id } : {};
    const last = await this.known.findOne({ select: { id: true }, where, order: { id: 'DESC' } });
    return last ? this.runs.read(last.id) : fail('not_found', 'No directory has been synchronised yet.');
  }

  /** Lets a run do what it waits for. */
  approve(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.runs.mutate(id, expected, async ({ status, approval, connection_id }) => {
      if (status !== 'awaiting_approval') refuse(status, ['awaiting_approval']);
      const { actor } = current();
      await this.enqueueChanges(id, connection_id);
      const approved_by = { type: actor.type, id: actor.id, name: actor.name };
      return {
        values: { status: 'running', approval: { reason: '', ...approval, required: true, approved_by } },
        events: ['directory_run.approved'],
      };
    });
  }

  /** Nothing more is changed by it; what was changed stays. Once more changes nothing. */
  cancel(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.runs.mutate(id, expected, async ({ status }) => {
      if (status === 'cancelled') return { values: {} };
      if (!UNDER_WAY.includes(status)) refuse(status, UNDER_WAY);
      await this.forgetParts(id);
      const finished_at = await this.database.moment();
      return { values: { status: 'cancelled', finished_at }, events: ['directory_run.cancelled'] };
    });
  }

  /** A job for the run, inside the unit of work. */
  enqueue(id: number, connectionId: number): Promise<void> {
    return this.queue.add([{ kind: RUN_JOB, subject_id: id, group_id: connectionId }]);
  }

  /** A job for what the run has planned, inside the unit of work. */
  enqueueChanges(id: number, connectionId: number): Promise<void> {
    return this.queue.add([{ kind: CHANGES_JOB, subject_id: id, group_id: connectionId }]);
  }

  connectionOf(id?: number): Promise<Row<DirectoryConnection>> {
    return id === undefined ? this.connections.onlyOne() : this.connections.requireKnown(id);
  }

  /** What was sent of it is not needed any more, but for photos of a run that is done. Inside a unit of work. */
  async forgetParts(id: number, isDone = false): Promise<void> {
    if (!isDone) await this.photos.forget(id);
    await this.database.query('DELETE FROM directory_parts WHERE workspace_id = $1 AND run_id = $2', [
      currentWorkspaceId(),
      id,
    ]);
  }

  private async underWay(connectionId: number): Promise<number | null> {
    const found = await this.known.findOne({
      select: { id: true },
      where: { connection_id: connectionId, status: In([...UNDER_WAY]) },
    });
    return found?.id ?? null;
  }
}

/** 422: the run is in no state for that. */
function refuse(from: RunStatus, allowed: readonly RunStatus[]): never {
  const message = `The run is ${from}; this is for runs that are ${allowed.join(', ')}.`;
  invalid('status', 'invalid_transition', message, { from, allowed });
}
