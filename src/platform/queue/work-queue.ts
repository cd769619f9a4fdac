import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../context/current';
import { Database } from '../database/database';
import type { WorkHandler } from './work-handler';
import { WorkHandlers } from './work-handlers';

/** Work to be done about a record of the current workspace. */
export interface NewWork {
  kind: string;
  subject_id: number;
  /** Items of one lane are done a few at a time, oldest first; 0 unless given. */
  lane?: number;
  /** ISO 8601; now unless given. Later ones begin within a second of it. */
  due_at?: string;
}

/** Durable work: rows of `work` are the truth, Redis carries their ids to the workers. */
@Injectable()
export class WorkQueue {
  private woken: () => void = () => undefined;

  constructor(
    private readonly database: Database,
    private readonly handlers: WorkHandlers,
  ) {}

  /** Declares who does a kind of work; call it in `onModuleInit`. Nodes leave kinds alone that they have no handler for. */
  register(handler: WorkHandler): void {
    this.handlers.register(handler);
  }

  /** Adds work inside the current unit of work; it is handed out after the commit. */
  async add(items: readonly NewWork[]): Promise<void> {
    if (items.length === 0) return;
    await this.database.query(
      `INSERT INTO work (workspace_id, kind, subject_id, lane, due_at)
       SELECT $1, v.kind, v.subject_id, coalesce(v.lane, 0), coalesce(v.due_at, now())
       FROM json_to_recordset($2::json) AS v(kind text, subject_id bigint, lane bigint, due_at timestamptz)`,
      [currentWorkspaceId(), JSON.stringify(items)],
    );
    this.database.afterCommit(() => this.wake());
  }

  /** Says that there is work to hand out, e.g. after rows were inserted by SQL. Cheap; never throws. */
  wake(): void {
    this.woken();
  }

  /** Sets what `wake` does; must not throw or take long. */
  onWake(woken: () => void): void {
    this.woken = woken;
  }
}
