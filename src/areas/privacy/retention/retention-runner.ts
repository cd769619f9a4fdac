import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import type { Job, JobHandler, JobOutcome } from '../../../platform/queue/job-handler';
import { JobQueue } from '../../../platform/queue/job-queue';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { LogRetention } from './log-retention';
import type { TicketRuleName } from './retention-rules';
import { RetentionRun } from './retention-run.entity';
import { BEGINNING, CHUNK, TicketRetention } from './ticket-retention';

export const RETENTION_JOB = 'retention';

/** Who does it: what events and the audit log say. */
export const RETENTION_ACTOR = { type: 'system', id: null, name: 'retention' } as const;

/** It makes way for other jobs after so long. */
const TURN_MS = 2_000;
/** The same for one that some tickets stand in the way of. */
const PAUSE_MS = 60_000;

/**
 * Carries out what workspaces say of how long things are kept. One at a time in a workspace, in short transactions together with the count: each
 * ticket as somebody would who deletes one after the other, with events, entries of the audit log and files; logs some entries at a time. A
 * process that dies leaves the rest to be done.
 */
@Injectable()
export class RetentionRunner implements JobHandler, OnModuleInit {
  readonly kind = RETENTION_JOB;
  readonly perGroup = 1;
  readonly perWorkspace = 1;
  readonly leaseMs = 60_000;

  constructor(
    @InjectStore(RetentionRun) private readonly runs: Store<RetentionRun>,
    private readonly database: Database,
    private readonly queue: JobQueue,
    private readonly tickets: TicketRetention,
    private readonly logs: LogRetention,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  perform({ subject_id: id, workspace_id: workspaceId }: Job): Promise<JobOutcome> {
    return this.database.inWorkspace(workspaceId, RETENTION_ACTOR, async () => {
      const run = await this.database.transaction(() => this.runs.find(id));
      if (run?.status !== 'running') return {};
      return run.rule === 'logs' ? this.turnOfLogs(id) : this.turn(id, run.rule);
    });
  }

  private async turn(id: number, rule: TicketRuleName): Promise<JobOutcome> {
    const endsAt = performance.now() + TURN_MS;
    const failures: unknown[] = [];
    for (let last = BEGINNING; ;) {
      const due = await this.tickets.next(rule, last);
      for (const ticket of due) {
        if (performance.now() > endsAt) return { retryInMs: failures.length > 0 ? PAUSE_MS : 0 };
        await this.tickets.one(id, rule, ticket).catch((error: unknown) => failures.push(error));
        last = ticket;
      }
      if (due.length < CHUNK) break;
    }
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} tickets could not be done.`);
    return { settle: () => this.finish(id) };
  }

  private async turnOfLogs(id: number): Promise<JobOutcome> {
    const endsAt = performance.now() + TURN_MS;
    while (performance.now() < endsAt) if ((await this.logs.some(id)) === 0) return { settle: () => this.finish(id) };
    return { retryInMs: 0 };
  }

  private async finish(id: number): Promise<void> {
    const run = await this.runs.lockIfAny(id);
    if (run?.status !== 'running') return;
    const finished_at = await this.database.moment();
    const values = { status: 'completed', finished_at } as const;
    await this.runs.apply(run, { values, events: ['retention_run.completed'] });
  }
}
