import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import type { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../../platform/database/workspace-repository.module';
import { JobQueue } from '../../../platform/queue/job-queue';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { PeriodicJobs, RUN_AGAIN } from '../../../platform/schedule/periodic-jobs';
import { held, HOLD_TAG, TICKET_DAYS } from './retention-rules';
import { RetentionRun } from './retention-run.entity';
import { RETENTION_ACTOR, RETENTION_JOB } from './retention-runner';

const EVERY_MS = 3_600_000;
/** Workspaces that are begun with at a time. */
const BATCH = 50;

/** Workspaces that have something to delete, and no job that is at it. One whose job was given up goes on. */
const DUE = `
  SELECT w.id AS workspace_id, w.days FROM (
    SELECT id, ${TICKET_DAYS} AS days, ${HOLD_TAG} AS tag FROM workspaces WHERE ${TICKET_DAYS} > 0) w
  WHERE NOT EXISTS (SELECT FROM work q WHERE q.workspace_id = w.id AND q.kind = '${RETENTION_JOB}' AND q.state <> 'dead')
    AND EXISTS (SELECT FROM tickets t WHERE t.workspace_id = w.id AND t.status = 'closed'
      AND t.closed_at <= now() - make_interval(days => w.days) AND NOT ${held('w.tag')})
  ORDER BY w.id LIMIT ${BATCH}`.replaceAll(/\s+/g, ' ');

/** Begins to carry out what workspaces say of how long things are kept. */
@Injectable()
export class RetentionSweep implements OnModuleInit {
  constructor(
    private readonly jobs: PeriodicJobs,
    private readonly database: Database,
    private readonly queue: JobQueue,
    @InjectStore(RetentionRun) private readonly runs: Store<RetentionRun>,
    @InjectWorkspaceRepository(RetentionRun) private readonly known: WorkspaceRepository<RetentionRun>,
  ) {}

  onModuleInit(): void {
    this.jobs.register('retention', EVERY_MS, () => this.run(), { byClock: true });
  }

  /** One batch; inside `Database.system()`, or in a sandbox by its clock. */
  private async run(): Promise<typeof RUN_AGAIN | undefined> {
    const due = await this.database.query<{ workspace_id: number; days: number }>(DUE);
    for (const { workspace_id: workspaceId, days } of due)
      await this.database.inWorkspace(workspaceId, RETENTION_ACTOR, () =>
        this.database.transaction(() => this.begin(days)),
      );
    return due.length === BATCH ? RUN_AGAIN : undefined;
  }

  /** A run, unless there is one whose job is gone. */
  private async begin(days: number): Promise<void> {
    const added = await this.runs.insertUnlessThere({ rule: 'tickets', days, status: 'running' });
    const id = added ?? (await this.known.findOne({ select: { id: true }, where: { status: 'running' } }))?.id;
    if (id !== undefined) await this.queue.add([{ kind: RETENTION_JOB, subject_id: id, group_id: id }]);
  }
}
