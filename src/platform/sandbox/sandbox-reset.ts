import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../context/current';
import { Database } from '../database/database';
import { fail } from '../errors/api-error';
import { announce } from '../events/announce';
import type { JobHandler, JobOutcome } from '../queue/job-handler';
import { JobQueue } from '../queue/job-queue';
import { JOBS } from '../queue/job-table';
import { type ReadClock, SandboxClock } from './sandbox-clock';
import { RESET_JOB } from './sandbox-keeper';
import { beginAnew, emptyTables, tablesBut } from './sandbox-tables';

/** Fills an empty workspace with what it was made with. */
type Fill = (workspaceId: number) => Promise<void>;

/**
 * Empties a sandbox: every record, event and job of it goes, and its clock shows the real time; accounts, tokens and what areas keep
 * (people) stay. Then it has what every workspace begins with, and what it was made with besides. A job, in short units of work: one
 * that is interrupted begins again.
 */
@Injectable()
export class SandboxReset implements JobHandler, OnModuleInit {
  readonly kind = RESET_JOB;
  readonly perGroup = 1;
  readonly perWorkspace = 1;
  readonly leaseMs = 600_000;
  private readonly kept = new Set<string>();
  private fill: Fill = () => Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly queue: JobQueue,
    private readonly clock: SandboxClock,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  /** Tables whose rows stay; call it in `onModuleInit`. */
  keep(tables: readonly string[]): void {
    for (const table of tables) this.kept.add(table);
  }

  /** Says how a sandbox is filled that was made with demo records. */
  fillWith(fill: Fill): void {
    this.fill = fill;
  }

  /** Begins it. @throws ApiError 409 where the workspace is no sandbox, or is being emptied */
  async start(): Promise<ReadClock> {
    const workspaceId = currentWorkspaceId();
    return this.database.transaction(async () => {
      await this.clock.lock();
      const under = `SELECT 1 FROM work WHERE workspace_id = $1 AND kind = $2 AND state <> 'dead'`;
      if ((await this.database.query(under, [workspaceId, RESET_JOB])).length > 0)
        fail('conflict', 'The sandbox is being reset; `GET /sandbox/clock` says when that is settled.');
      await this.queue.add([{ kind: RESET_JOB, subject_id: workspaceId }]);
      return this.clock.read();
    });
  }

  async perform({ id, workspace_id }: { id: number; workspace_id: number }): Promise<JobOutcome> {
    const tables = await this.database.system(() => tablesBut(this.database, [...this.kept]));
    await this.database.system(() =>
      this.database.query(`DELETE FROM ${JOBS} WHERE workspace_id = $1 AND id <> $2`, [workspace_id, id]),
    );
    await emptyTables(this.database, tables, workspace_id);
    await this.database.system(() => beginAnew(this.database, tables, workspace_id));
    const contents = await this.database.transaction(async () => {
      await this.clock.lock();
      const { now, ahead_seconds } = (await this.clock.set(0, false)).shown;
      await announce(this.database, workspace_id, 'sandbox.reset', workspace_id, { now, ahead_seconds });
      const [row] = await this.database.query<{ contents: string }>(
        'SELECT contents FROM sandboxes WHERE workspace_id = $1',
        [workspace_id],
      );
      return row?.contents;
    });
    if (contents === 'demo') await this.fill(workspace_id);
    return {};
  }
}
