import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../context/current';
import { Database } from '../database/database';
import type { JobHandler } from './job-handler';
import { JobHandlers } from './job-handlers';
import { INSERT_JOBS_DUE } from './job-table';

/** A job to be done about a record of the current workspace. */
export interface NewJob {
  kind: string;
  subject_id: number;
  /** Jobs of one group are done a few at a time, oldest first; 0 unless given. */
  group_id?: number;
  /** ISO 8601; now unless given. Later ones begin within a second of it. */
  due_at?: string;
}

/** Durable jobs: rows of PostgreSQL are the truth, Redis carries their ids to the workers. */
@Injectable()
export class JobQueue {
  private woken: () => void = () => undefined;

  constructor(
    private readonly database: Database,
    private readonly handlers: JobHandlers,
  ) {}

  /** Declares who does a kind of jobs; call it in `onModuleInit`. Nodes leave kinds alone that they have no handler for. */
  register(handler: JobHandler): void {
    this.handlers.register(handler);
  }

  /** Adds jobs inside the current unit of work; they are scheduled after the commit. */
  async add(jobs: readonly NewJob[]): Promise<void> {
    if (jobs.length === 0) return;
    await this.database.query(
      `${INSERT_JOBS_DUE}
       SELECT $1, v.kind, v.subject_id, coalesce(v.group_id, 0), coalesce(v.due_at, now())
       FROM json_to_recordset($2::json) AS v(kind text, subject_id bigint, group_id bigint, due_at timestamptz)`,
      [currentWorkspaceId(), JSON.stringify(jobs)],
    );
    this.database.afterCommit(() => this.wake());
  }

  /** Says that there are jobs to schedule, e.g. after rows were inserted by SQL. Cheap; never throws. */
  wake(): void {
    this.woken();
  }

  /** Sets what `wake` does; must not throw or take long. */
  onWake(woken: () => void): void {
    this.woken = woken;
  }
}
