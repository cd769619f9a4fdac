import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Action } from '../../../platform/area/rules';
import { AccessCache } from '../../../platform/auth/access-cache';
import { callerLater } from '../../../platform/auth/later';
import { currentWorkspaceId } from '../../../platform/context/current';
import { demand } from '../../../platform/context/demand';
import { Database } from '../../../platform/database/database';
import type { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../../platform/database/workspace-repository.module';
import { isTransient } from '../../../platform/database/database-errors';
import { ApiError } from '../../../platform/errors/api-error';
import type { Changes } from '../../../platform/events/event-rows';
import { ValidationPipe } from '../../../platform/http/validation-pipe';
import type { Job, JobHandler, JobOutcome } from '../../../platform/queue/job-handler';
import { JobQueue } from '../../../platform/queue/job-queue';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { AppliedActions } from '../../automations/engine/applied-actions';
import { UpdateTicket } from '../../tickets/ticket.dto';
import { TicketsService } from '../../tickets/tickets.service';
import { MacrosService } from '../macros.service';
import type { Acting } from './acting';
import { BulkJob } from './bulk-job.entity';
import { undoable, undoing } from './undo-plan';

export const BULK_JOB = 'bulk_job';

/** Tickets that are looked up at a time. */
const CHUNK = 20;
/** A job makes way for others after so long. */
const TURN_MS = 3_000;
/** A ticket that others hold is tried so often. */
const TRIES = 3;

/** As much of a job as its work takes. */
interface Work {
  id: number;
  kind: BulkJob['kind'];
  status: BulkJob['status'];
  actions: Action[];
  macro_id: number | null;
  macro_name: string | null;
  acting: Acting;
}

/** What became of one ticket. */
interface Outcome {
  state: 'done' | 'unchanged' | 'failed';
  error: string | null;
  changes: Changes | null;
}

/**
 * Does bulk jobs: one at a time in a workspace, each ticket in a transaction of its own together with the note that it is done, so
 * a process that dies leaves nothing half done and nothing is done twice. A turn is short: the jobs of others come in between.
 */
@Injectable()
export class BulkRunner implements JobHandler, OnModuleInit {
  readonly kind = BULK_JOB;
  readonly perGroup = 1;
  readonly perWorkspace = 1;
  readonly leaseMs = 60_000;
  private readonly logger = new Logger(BulkRunner.name);

  constructor(
    @InjectStore(BulkJob) private readonly jobs: Store<BulkJob>,
    @InjectWorkspaceRepository(BulkJob) private readonly known: WorkspaceRepository<BulkJob>,
    private readonly database: Database,
    private readonly queue: JobQueue,
    private readonly tickets: TicketsService,
    private readonly macros: MacrosService,
    private readonly applied: AppliedActions,
    private readonly pipe: ValidationPipe,
    private readonly access: AccessCache,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  async perform({ subject_id: id, workspace_id: workspaceId }: Job): Promise<JobOutcome> {
    const work = await this.begin(id);
    if (work?.status === 'cancelled') return { settle: () => this.end(id, 'cancelled') };
    if (work?.status !== 'running') return {};
    const endsAt = performance.now() + TURN_MS;
    const { actor, user } = work.acting;
    const principal = await callerLater(this.access, workspaceId, actor, user?.id ?? null);
    if (!principal) return { settle: () => this.end(id, 'cancelled') };
    while (performance.now() < endsAt) {
      const ids = await this.next(id);
      if (ids.length === 0) return { settle: () => this.end(id, 'completed') };
      for (const ticketId of ids) {
        if (performance.now() >= endsAt) break;
        await this.database.inWorkspace(workspaceId, principal, () => this.one(work, ticketId));
      }
    }
    return { retryInMs: 0 };
  }

  /** The job, running from now on; null when it is gone. */
  private async begin(id: number): Promise<Work | null> {
    return this.database.transaction(async () => {
      const job = await this.jobs.lockIfAny(id);
      if (job?.status !== 'queued') return job;
      const started_at = await this.database.moment();
      await this.jobs.apply(job, { values: { status: 'running', started_at }, events: ['bulk_job.started'] });
      return { ...job, status: 'running' };
    });
  }

  /** Tickets that are still to be done; none of a job that was cancelled. */
  private async next(id: number): Promise<number[]> {
    const rows = await this.database.transaction(() =>
      this.database.query<{ ticket_id: number }>(
        `SELECT i.ticket_id FROM bulk_job_items i
         WHERE i.workspace_id = $1 AND i.job_id = $2 AND i.state = 'pending'
           AND EXISTS (SELECT FROM bulk_jobs j WHERE j.workspace_id = $1 AND j.id = $2 AND j.status = 'running')
         ORDER BY i.ticket_id LIMIT ${CHUNK}`,
        [currentWorkspaceId(), id],
      ),
    );
    return rows.map(({ ticket_id: ticketId }) => ticketId);
  }

  /** One ticket, done and noted in one transaction; what fails is noted and holds up no other. */
  private async one(work: Work, ticketId: number): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        const turns = await this.applied.turns(ticketId, work.actions);
        await this.database.transaction(async () => {
          const changes = await this.take(work.id, ticketId);
          if (changes) await this.note(work.id, ticketId, await this.attempt(work, ticketId, changes.wanted, turns));
        });
        return;
      } catch (error) {
        if (!isTransient(error)) throw error;
        if (attempt === TRIES) return this.giveUp(work.id, ticketId);
      }
    }
  }

  /** A ticket that others hold and hold. */
  private async giveUp(id: number, ticketId: number): Promise<void> {
    await this.database.transaction(async () => {
      const error = 'The ticket is locked by others.';
      if (await this.take(id, ticketId)) await this.note(id, ticketId, { state: 'failed', error, changes: null });
    });
  }

  /** The ticket's entry, held until the commit; null when it is done, or the job was cancelled. */
  private async take(id: number, ticketId: number): Promise<{ wanted: Changes | null } | null> {
    const [row] = await this.database.query<{ wanted: Changes | null }>(
      `SELECT changes AS wanted FROM bulk_job_items WHERE workspace_id = $1 AND job_id = $2 AND ticket_id = $3 AND state = 'pending' FOR UPDATE`,
      [currentWorkspaceId(), id, ticketId],
    );
    if (!row) return null;
    // Asked once it is held: whoever undoes a job that was cancelled has held what was left of it.
    return (await this.known.existsBy({ id, status: 'running' })) ? row : null;
  }

  private async attempt(
    work: Work,
    ticketId: number,
    wanted: Changes | null,
    turns: Awaited<ReturnType<AppliedActions['turns']>>,
  ): Promise<Outcome> {
    try {
      // Asked again: whoever may change tickets no longer changes none.
      demand('tickets.update');
      return await this.database.savepoint(() =>
        work.kind === 'undo' ? this.undo(ticketId, wanted ?? {}) : this.apply(work, ticketId, turns),
      );
    } catch (error) {
      if (isTransient(error)) throw error;
      if (error instanceof ApiError) return { state: 'failed', error: error.message.slice(0, 1_000), changes: null };
      const { message, stack } = error instanceof Error ? error : new Error(String(error));
      this.logger.error(`Bulk job ${work.id}, ticket ${ticketId}: ${message}`, stack);
      return { state: 'failed', error: 'The actions failed because of an internal error.', changes: null };
    }
  }

  private async apply(
    { actions, macro_id: macroId, macro_name: macroName }: Work,
    ticketId: number,
    turns: Awaited<ReturnType<AppliedActions['turns']>>,
  ): Promise<Outcome> {
    const macro = { id: macroId, name: macroName ?? 'Bulk job', actions };
    const applied = await this.macros.perform(macro, { ticketId, name: macro.name, actions, turns });
    const acted = applied.actions.some(({ status }) => status === 'done' || status === 'queued');
    return { state: acted ? 'done' : 'unchanged', error: null, changes: undoable(applied.changes) };
  }

  private async undo(ticketId: number, wanted: Changes): Promise<Outcome> {
    const body = undoing(wanted, await this.tickets.held(ticketId));
    if (Object.keys(body).length === 0) return { state: 'unchanged', error: null, changes: null };
    await this.tickets.update(ticketId, this.pipe.validate(body, UpdateTicket));
    return { state: 'done', error: null, changes: null };
  }

  private async note(id: number, ticketId: number, { state, error, changes }: Outcome): Promise<void> {
    const key = [currentWorkspaceId(), id];
    await this.database.run([
      {
        text: `UPDATE bulk_job_items SET state = $4, error = $5, changes = $6::jsonb WHERE workspace_id = $1 AND job_id = $2 AND ticket_id = $3`,
        values: [...key, ticketId, state, error, changes ? JSON.stringify(changes) : null],
      },
      {
        text: `UPDATE bulk_jobs SET ${state}_count = ${state}_count + 1 WHERE workspace_id = $1 AND id = $2`,
        values: key,
      },
    ]);
  }

  /** In the transaction that ends the job: all is done, or whoever asked for it has left. */
  private async end(id: number, status: 'completed' | 'cancelled'): Promise<void> {
    const job = await this.jobs.lockIfAny(id);
    if (!job || job.status === 'completed') return;
    // Also of one that was cancelled: what was done is done.
    if (job.macro_id !== null) {
      const { done_count: done } = await this.jobs.whole(id);
      await this.macros.count(job.macro_id, done);
    }
    if (job.status !== 'running') return;
    const finished_at = await this.database.moment();
    await this.jobs.apply(job, { values: { status, finished_at }, events: [`bulk_job.${status}`] });
  }
}
