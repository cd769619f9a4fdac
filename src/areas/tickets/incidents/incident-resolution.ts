import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { Job, JobHandler, JobOutcome } from '../../../platform/queue/job-handler';
import { JobQueue } from '../../../platform/queue/job-queue';
import { oneOfMany } from '../../../platform/queue/one-of-many';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { CommentsService } from '../comments.service';
import { TicketChanges } from '../ticket-changes';
import { isDone } from '../ticket-status';
import { Ticket } from '../ticket.entity';
import { INCIDENTS_JOB, type IncidentRun, OPEN_INCIDENT } from './incident-runs';

/** Incidents of one attempt: the jobs of others come in between. */
const BATCH = 50;

/**
 * Resolves the incidents of a problem, in the order of their ids, each in a unit of work of its own that remembers how far it is: with
 * history, events, clocks and mail as if somebody had resolved it. What was interrupted goes on where it was.
 */
@Injectable()
export class IncidentResolution implements JobHandler, OnModuleInit {
  readonly kind = INCIDENTS_JOB;
  readonly perGroup = 1;
  readonly perWorkspace = 2;
  readonly leaseMs = 120_000;
  private readonly logger = new Logger(IncidentResolution.name);

  constructor(
    private readonly database: Database,
    private readonly queue: JobQueue,
    private readonly comments: CommentsService,
    private readonly rules: TicketChanges,
    @InjectStore(Ticket) private readonly tickets: Store<Ticket>,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  async perform({ subject_id: runId, workspace_id: workspaceId }: Job): Promise<JobOutcome> {
    const found = await this.database.transaction(async () => {
      const [run] = await this.database.query<IncidentRun>(RUN, [currentWorkspaceId(), runId]);
      if (!run) return null;
      const next = [currentWorkspaceId(), run.ticket_id, run.last_ticket_id, run.asked_by.seen];
      return { run, ids: await this.database.query<{ id: number }>(NEXT, next) };
    });
    if (!found) return {};
    const { run, ids } = found;
    for (const { id } of ids) await this.database.inWorkspace(workspaceId, run.asked_by.actor, () => this.one(run, id));
    return ids.length === BATCH ? { retryInMs: 0 } : { settle: () => this.end(run) };
  }

  /** One that cannot be resolved stays as it is. */
  private async one(run: IncidentRun, id: number): Promise<void> {
    const isPast = await oneOfMany({ record: 'Incident', id, done: 'resolved' }, this.logger, () =>
      this.database.transaction(async () => this.remember(run, id, await this.resolve(run, id))),
    );
    if (!isPast) await this.database.transaction(() => this.remember(run, id, false));
  }

  /** Looks again under the lock; false when it stays. */
  private async resolve({ ticket_id: problem, comment, asked_by }: IncidentRun, id: number): Promise<boolean> {
    const incident = await this.tickets.lockIfAny(id);
    if (incident?.parent_id !== problem || incident.type !== 'incident' || isDone(incident.status)) return false;
    const { author } = asked_by;
    if (comment !== null) await this.comments.add(id, { body: comment, ...(author ? { author } : {}) });
    await this.tickets.mutate(id, null, (before) => this.rules.change(before, { status: 'resolved' }));
    return true;
  }

  private remember({ id }: IncidentRun, ticketId: number, resolved: boolean): Promise<void> {
    return this.database.run([{ text: REMEMBER, values: [currentWorkspaceId(), id, ticketId, resolved ? 1 : 0] }]);
  }

  /** In the transaction that ends the job. A problem that has gone took its run along. */
  private async end({ id, ticket_id: problem }: IncidentRun): Promise<void> {
    const [incidents] = await this.database.query<{ resolved: number; kept: number }>(END, [currentWorkspaceId(), id]);
    if (incidents) await this.tickets.announce(problem, ['ticket.incidents_resolved'], { incidents });
  }
}

const RUN = `SELECT id, ticket_id, asked_by, comment, last_ticket_id FROM ticket_incident_runs WHERE workspace_id = $1 AND id = $2`;

const NEXT = `
  SELECT t.id FROM tickets t WHERE t.workspace_id = $1 AND t.parent_id = $2 AND ${OPEN_INCIDENT} AND t.id > $3
    AND ($4::bigint[] IS NULL OR t.id = ANY ($4::bigint[])) ORDER BY t.id LIMIT ${BATCH}`;

const REMEMBER = `
  UPDATE ticket_incident_runs SET last_ticket_id = greatest(last_ticket_id, $3), resolved = resolved + $4::integer, kept = kept + 1 - $4::integer
  WHERE workspace_id = $1 AND id = $2`;

const END = `DELETE FROM ticket_incident_runs WHERE workspace_id = $1 AND id = $2 RETURNING resolved, kept`;
