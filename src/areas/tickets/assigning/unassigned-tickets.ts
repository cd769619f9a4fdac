import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { PeriodicJobs, RUN_AGAIN } from '../../../platform/schedule/periodic-jobs';
import { WATCHFUL_TEAMS } from '../../teams/team-lookup';
import { TicketChanges } from '../ticket-changes';
import { isDone } from '../ticket-status';
import { Ticket } from '../ticket.entity';
import { assignedBy, TicketAssigning } from './ticket-assigning';
import { TicketSharing } from './ticket-sharing';

const EVERY_MS = 15_000;
/** Tickets of one round, and of one team among them. */
const BATCH = 100;
const EACH = 20;
const ACTOR = { type: 'system', id: null, name: 'system' } as const;

interface Due {
  workspace_id: number;
  team_id: number;
  id: number;
}

/**
 * Gives what has been nobody's for longer than its team allows (`unassigned_after_minutes`) to the member who has least to do.
 * What nobody can take then is looked at again after as long.
 */
@Injectable()
export class UnassignedTickets implements OnModuleInit {
  private readonly logger = new Logger(UnassignedTickets.name);

  constructor(
    private readonly jobs: PeriodicJobs,
    private readonly database: Database,
    private readonly rules: TicketChanges,
    private readonly assigning: TicketAssigning,
    private readonly sharing: TicketSharing,
    @InjectStore(Ticket) private readonly tickets: Store<Ticket>,
  ) {}

  onModuleInit(): void {
    this.jobs.register('unassigned-tickets', EVERY_MS, () => this.run(), { byClock: true });
  }

  /** One round; inside `Database.system()`. Teams come in turns, and none keeps another waiting. */
  async run(): Promise<typeof RUN_AGAIN | undefined> {
    const due = await this.database.query<Due>(DUE);
    for (const { workspace_id, ...ticket } of due)
      await this.database.inWorkspace(workspace_id, ACTOR, () => this.offer(ticket));
    return due.length === BATCH ? RUN_AGAIN : undefined;
  }

  private async offer({ id, team_id }: Omit<Due, 'workspace_id'>): Promise<void> {
    try {
      const isGiven = await this.database.transaction(() => this.give(id, team_id));
      if (isGiven) return;
    } catch (error) {
      const { message, stack } = error instanceof Error ? error : new Error(String(error));
      this.logger.error(`Ticket ${currentWorkspaceId()}/${id} cannot be given to anybody: ${message}`, stack);
    }
    const later = { text: LATER, values: [currentWorkspaceId(), id, team_id] };
    await this.database.transaction(() => this.database.run([later]));
  }

  /** Looks again under the lock: somebody may have taken it. False when nobody can. */
  private async give(id: number, teamId: number): Promise<boolean> {
    const ticket = await this.tickets.lockIfAny(id);
    if (!ticket || ticket.assigned_to !== null || ticket.team_id !== teamId || isDone(ticket.status)) return true;
    const shared = await this.assigning.shared(ticket, {});
    const { assignee, reason } = await this.sharing.next(shared, { strategy: 'least_loaded', teamId });
    if (!assignee) return false;
    const given = assignedBy(assignee, { way: 'unassigned', ...reason });
    await this.tickets.apply(ticket, await this.rules.change(ticket, { assigned_to: assignee.id }, { given }));
    return true;
  }
}

const NOBODYS = `assigned_to IS NULL AND status IN ('open', 'in_progress', 'on_hold')`;

const DUE = `
  SELECT w.workspace_id, w.id AS team_id, t.id FROM (${WATCHFUL_TEAMS}) w CROSS JOIN LATERAL (
    SELECT id, row_number() OVER (ORDER BY since) AS place FROM (
      SELECT id, coalesce(unassigned_since, created_at) AS since FROM tickets
      WHERE workspace_id = w.workspace_id AND team_id = w.id AND ${NOBODYS}
        AND coalesce(unassigned_since, created_at) <= now() - make_interval(mins => w.minutes)
      ORDER BY since LIMIT ${EACH}
    ) oldest
  ) t ORDER BY t.place, w.workspace_id, w.id LIMIT ${BATCH}`;

/** Nobody sees it: no version, no event. */
const LATER = `UPDATE tickets SET unassigned_since = now() WHERE workspace_id = $1 AND id = $2 AND team_id = $3 AND ${NOBODYS}`;
