import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { eachAlone } from '../../platform/schedule/each-alone';
import { PeriodicJobs } from '../../platform/schedule/periodic-jobs';
import type { Row } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { TicketChanges } from './ticket-changes';
import type { TicketStatus } from './ticket-values';
import { Ticket } from './ticket.entity';

const EVERY_MS = 10_000;
/** What a setting may say (`auto_close_days`): one that says more, as formerly the command took it, must not end the round of all. */
const MOST_DAYS = 3_650;
const BATCH = 500;
const ACTOR = { type: 'system', id: null, name: 'system' } as const;

interface Due {
  workspace_id: number;
  id: number;
  /** The moment that made it due. */
  at: string;
}

/** What time does to a ticket. */
interface Step {
  from: TicketStatus;
  to: TicketStatus;
  since: 'on_hold_until' | 'resolved_at';
}

const WAKING: Step = { from: 'on_hold', to: 'open', since: 'on_hold_until' };
const CLOSING: Step = { from: 'resolved', to: 'closed', since: 'resolved_at' };

/** Changes that time brings: on-hold tickets return at `on_hold_until`, resolved ones close after some days. */
@Injectable()
export class TicketTimers implements OnModuleInit {
  constructor(
    private readonly jobs: PeriodicJobs,
    private readonly database: Database,
    private readonly rules: TicketChanges,
    @InjectStore(Ticket) private readonly tickets: Store<Ticket>,
  ) {}

  onModuleInit(): void {
    this.jobs.register('ticket-timers', EVERY_MS, () => this.run(), { byClock: true });
  }

  /** One round; inside `Database.system()`. A ticket that cannot be changed keeps no other waiting. */
  async run(): Promise<void> {
    const waking = await this.database.query<Due>(
      `SELECT workspace_id, id, on_hold_until AS at FROM tickets WHERE status = 'on_hold' AND on_hold_until <= now() ORDER BY on_hold_until LIMIT ${BATCH}`,
    );
    const closing = await this.database.query<Due>(
      `SELECT w.id AS workspace_id, t.id, t.resolved_at AS at
       FROM (SELECT id, least(coalesce((settings ->> 'auto_close_days')::numeric, 7), ${MOST_DAYS})::integer AS days FROM workspaces) w
       CROSS JOIN LATERAL (
         SELECT id, resolved_at FROM tickets
         WHERE workspace_id = w.id AND status = 'resolved' AND resolved_at <= now() - make_interval(days => w.days)
         ORDER BY resolved_at LIMIT ${BATCH}
       ) t
       WHERE w.days > 0 LIMIT ${BATCH}`,
    );
    const steps = [...waking.map((due) => ({ ...due, ...WAKING })), ...closing.map((due) => ({ ...due, ...CLOSING }))];
    await eachAlone(steps, (step) => this.change(step), 'tickets could not be changed');
  }

  /** Looks again under the lock: the ticket may have changed since it was found. */
  private change({ workspace_id, id, at, from, to, since }: Due & Step): Promise<unknown> {
    const stillDue = (ticket: Row<Ticket>): boolean => {
      const moment = ticket[since];
      return ticket.status === from && moment !== null && Date.parse(moment) === Date.parse(at);
    };
    return this.database.inWorkspace(workspace_id, ACTOR, () =>
      this.tickets.mutate(id, null, (ticket) => this.rules.change(ticket, stillDue(ticket) ? { status: to } : {})),
    );
  }
}
