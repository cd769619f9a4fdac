import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { EventConsumer, OutboxEvent } from '../../../platform/events/event-consumer';
import type { Job, JobHandler, JobOutcome } from '../../../platform/queue/job-handler';
import { JobQueue } from '../../../platform/queue/job-queue';
import { INSERT_JOBS_DUE } from '../../../platform/queue/job-table';
import { oneOfMany } from '../../../platform/queue/one-of-many';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { absenceOf } from '../../users/user-lookup';
import { TicketChanges } from '../ticket-changes';
import { isDone } from '../ticket-status';
import { Ticket } from '../ticket.entity';
import { TicketAssigning } from './ticket-assigning';

/** Kind of the job that gives somebody's open tickets to others; its subject is the handover. */
const HANDOVER_JOB = 'ticket_handover';
/** Tickets of one attempt. */
const BATCH = 50;

interface Handover {
  id: number;
  user_id: number;
  cause: 'absence' | 'leaving';
  /** ISO 8601; of an absence, its `from`. */
  began_at: string;
  last_ticket_id: number;
}

/**
 * Gives what an agent left to others: an absent one's when the absence begins and says so (`reassign_open_tickets`), a leaving
 * one's when `reassign_to=team` was said. Each ticket is looked at once, in order, in a unit of work of its own that remembers how
 * far it is; so what was interrupted goes on where it was, and nothing moves twice for one absence, however its end is changed.
 */
@Injectable()
export class Handovers implements EventConsumer, JobHandler, OnModuleInit {
  readonly name = 'handovers';
  readonly kind = HANDOVER_JOB;
  /** Those of one user come one after the other. */
  readonly perGroup = 1;
  readonly perWorkspace = 2;
  readonly leaseMs = 120_000;
  private readonly logger = new Logger(Handovers.name);

  constructor(
    private readonly database: Database,
    private readonly queue: JobQueue,
    private readonly rules: TicketChanges,
    private readonly assigning: TicketAssigning,
    @InjectStore(Ticket) private readonly tickets: Store<Ticket>,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  async consume(events: readonly OutboxEvent[]): Promise<void> {
    const told = events.filter(({ type }) => TOLD_BY.includes(type));
    if (told.length === 0) return;
    const values = [JSON.stringify(told.map(({ workspace_id, id }) => ({ workspace_id, id })))];
    await this.database.later([{ text: PLAN, values }]);
  }

  async perform(job: Job): Promise<JobOutcome> {
    const values = [currentWorkspaceId(), job.subject_id];
    const found = await this.database.transaction(async () => {
      const [handover] = await this.database.query<Handover>(HANDOVER, values);
      if (!handover || !(await this.isDue(handover))) return null;
      const left = [currentWorkspaceId(), handover.user_id, handover.last_ticket_id];
      return { handover, ids: await this.database.query<{ id: number }>(LEFT_BEHIND, left) };
    });
    // One that is not due any more makes room: the same absence may be entered again.
    if (!found) return { settle: () => this.database.run([{ text: FORGET, values }]) };
    for (const { id } of found.ids) await this.pass(found.handover, id);
    return found.ids.length === BATCH ? { retryInMs: 0 } : { settle: () => this.database.run([{ text: END, values }]) };
  }

  /** Whether the user is still away, and by that absence, or still gone. */
  private async isDue({ user_id, cause, began_at }: Handover): Promise<boolean> {
    const user = await absenceOf(this.database, user_id);
    if (!user || cause === 'leaving') return user?.status === 'deactivated';
    const { from, to, reassign_open_tickets } = user.out_of_office ?? {};
    const now = Date.parse(await this.database.moment());
    const isThis = from !== undefined && Date.parse(from) === Date.parse(began_at);
    return isThis && reassign_open_tickets === true && (to === undefined || Date.parse(to) > now);
  }

  /** One ticket; one that cannot be changed stays where it is. */
  private async pass(handover: Handover, id: number): Promise<void> {
    const isPast = await oneOfMany({ record: 'Ticket', id, done: 'handed over' }, this.logger, () =>
      this.database.transaction(async () => this.remember(handover, id, await this.give(handover, id))),
    );
    if (!isPast) await this.database.transaction(() => this.remember(handover, id, false));
  }

  /** Looks again under the lock; false when it stays. */
  private async give({ user_id, cause }: Handover, id: number): Promise<boolean> {
    const ticket = await this.tickets.lockIfAny(id);
    if (ticket?.assigned_to !== user_id || isDone(ticket.status)) return false;
    const given = await this.assigning.heir(ticket, {}, { userId: user_id, way: cause });
    if (!given) return false;
    const change = await this.rules.change(ticket, { assigned_to: given.assignee.id }, { given });
    await this.tickets.apply(ticket, change);
    return true;
  }

  private remember({ id }: Handover, ticketId: number, moved: boolean): Promise<void> {
    return this.database.run([{ text: REMEMBER, values: [currentWorkspaceId(), id, ticketId, moved ? 1 : 0] }]);
  }
}

const TOLD_BY: readonly string[] = ['user.created', 'user.updated', 'user.deactivated', 'user.deleted'];

const OPEN = `status IN ('open', 'in_progress', 'on_hold')`;

/** Absences that were entered or changed, and those who left with open tickets. */
const PLAN = `
  WITH told AS (
    SELECT e.workspace_id, e.object_id AS user_id, e.type, e.created_at, e.data -> 'out_of_office' AS away
    FROM json_to_recordset($1::json) AS v(workspace_id bigint, id bigint)
    JOIN events e ON e.workspace_id = v.workspace_id AND e.id = v.id
    WHERE e.type <> 'user.updated' OR e.changes -> 'out_of_office' IS NOT NULL
  ), planned AS (
    INSERT INTO ticket_handovers (workspace_id, user_id, cause, began_at)
    SELECT workspace_id, user_id, 'absence', (away ->> 'from')::timestamptz FROM told
    WHERE type IN ('user.created', 'user.updated') AND away ->> 'reassign_open_tickets' = 'true'
    UNION
    SELECT workspace_id, user_id, 'leaving', created_at FROM told
    WHERE type IN ('user.deactivated', 'user.deleted') AND EXISTS (SELECT FROM tickets t
      WHERE t.workspace_id = told.workspace_id AND t.assigned_to = told.user_id AND t.${OPEN})
    ON CONFLICT (workspace_id, user_id, cause, began_at) DO NOTHING
    RETURNING workspace_id, id, user_id, began_at
  )
  ${INSERT_JOBS_DUE} SELECT workspace_id, '${HANDOVER_JOB}', id, user_id, began_at FROM planned`;

const HANDOVER = `SELECT id, user_id, cause, began_at, last_ticket_id FROM ticket_handovers WHERE workspace_id = $1 AND id = $2`;

const LEFT_BEHIND = `
  SELECT id FROM tickets WHERE workspace_id = $1 AND assigned_to = $2 AND ${OPEN} AND id > $3 ORDER BY id LIMIT ${BATCH}`;

const REMEMBER = `
  UPDATE ticket_handovers SET last_ticket_id = greatest(last_ticket_id, $3), moved = moved + $4::integer, kept = kept + 1 - $4::integer
  WHERE workspace_id = $1 AND id = $2`;

const END = `UPDATE ticket_handovers SET ended_at = now() WHERE workspace_id = $1 AND id = $2`;

const FORGET = `DELETE FROM ticket_handovers WHERE workspace_id = $1 AND id = $2 AND ended_at IS NULL`;
