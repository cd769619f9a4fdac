import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { ApiError } from '../../../platform/errors/api-error';
import type { Job, JobHandler, JobOutcome } from '../../../platform/queue/job-handler';
import { JobQueue } from '../../../platform/queue/job-queue';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { TicketsService } from '../../tickets/tickets.service';
import { CLOSED, held, RetentionRules } from './retention-rules';
import { RetentionRun } from './retention-run.entity';

export const RETENTION_JOB = 'retention';

/** Who deletes: what events and the audit log say. */
export const RETENTION_ACTOR = { type: 'system', id: null, name: 'retention' } as const;

/** It makes way for other jobs after so long. */
const TURN_MS = 2_000;
/** The same for one that some tickets stand in the way of. */
const PAUSE_MS = 60_000;
/** Tickets that are looked up at a time; each is deleted in a transaction of its own. */
const CHUNK = 20;

interface Due {
  id: number;
  version: number;
  closed_at: string;
}

/** The next ones behind a place; those that are held are passed over. */
const NEXT = `
  SELECT t.id, t.version, t.closed_at::text AS closed_at FROM tickets t
  WHERE ${CLOSED} AND (t.closed_at, t.id) > ($4::timestamptz, $5::bigint) AND NOT ${held('$3')}
  ORDER BY t.closed_at, t.id LIMIT ${CHUNK}`;

/**
 * Deletes closed tickets whose time is over, as somebody would who deletes one after the other: with their events, entries of the audit log and
 * files. One at a time in a workspace, each in a short transaction together with the count; a process that dies leaves the rest to be done.
 * The rule is asked anew in each step: one that is taken back ends it.
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
    private readonly rules: RetentionRules,
    private readonly tickets: TicketsService,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  perform({ subject_id: id, workspace_id: workspaceId }: Job): Promise<JobOutcome> {
    return this.database.inWorkspace(workspaceId, RETENTION_ACTOR, () => this.turn(id));
  }

  private async turn(id: number): Promise<JobOutcome> {
    const endsAt = performance.now() + TURN_MS;
    const failures: unknown[] = [];
    for (let last: Pick<Due, 'closed_at' | 'id'> = { closed_at: '-infinity', id: 0 }; ;) {
      const due = await this.next(last);
      for (const ticket of due) {
        if (performance.now() > endsAt) return { retryInMs: failures.length > 0 ? PAUSE_MS : 0 };
        await this.one(id, ticket).catch((error: unknown) => failures.push(error));
        last = ticket;
      }
      if (due.length < CHUNK) break;
    }
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} tickets could not be deleted.`);
    return { settle: () => this.finish(id) };
  }

  private next({ closed_at, id }: Pick<Due, 'closed_at' | 'id'>): Promise<Due[]> {
    return this.database.transaction(async () => {
      const { before, tag } = await this.rules.ofTickets();
      if (before === null) return [];
      return this.database.query<Due & Record<string, unknown>>(NEXT, [
        currentWorkspaceId(),
        before,
        tag,
        closed_at,
        id,
      ]);
    });
  }

  /** Unless somebody has changed it since it was looked up: the next run looks again. */
  private async one(runId: number, { id, version }: Due): Promise<void> {
    try {
      await this.database.transaction(async () => {
        await this.tickets.remove(id, { any: false, versions: new Set([version]), hasWeak: false });
        await this.database.query(
          `UPDATE retention_runs SET deleted_count = deleted_count + 1 WHERE workspace_id = $1 AND id = $2`,
          [currentWorkspaceId(), runId],
        );
      });
    } catch (error) {
      if (!(error instanceof ApiError) || !['precondition_failed', 'not_found'].includes(error.type)) throw error;
    }
  }

  private async finish(id: number): Promise<void> {
    const run = await this.runs.lockIfAny(id);
    if (run?.status !== 'running') return;
    const finished_at = await this.database.moment();
    const values = { status: 'completed', finished_at } as const;
    await this.runs.apply(run, { values, events: ['retention_run.completed'] });
  }
}
