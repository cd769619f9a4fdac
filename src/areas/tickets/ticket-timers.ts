import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { PeriodicJobs } from '../../platform/schedule/periodic-jobs';
import type { Values } from '../../platform/resource/write-plan';
import { TicketsService } from './tickets.service';

const EVERY_MS = 10_000;
const BATCH = 500;
const ACTOR = { type: 'system', id: null, name: 'system' } as const;

interface Due {
  workspace_id: number;
  id: number;
}

/** Changes that time brings: on-hold tickets return at `on_hold_until`, resolved ones close after some days. */
@Injectable()
export class TicketTimers implements OnModuleInit {
  constructor(
    private readonly jobs: PeriodicJobs,
    private readonly database: Database,
    private readonly tickets: TicketsService,
  ) {}

  onModuleInit(): void {
    this.jobs.register('ticket-timers', EVERY_MS, () => this.run());
  }

  /** One round; inside `Database.system()`. */
  async run(): Promise<void> {
    const waking = await this.database.query<Due>(
      `SELECT workspace_id, id FROM tickets WHERE status = 'on_hold' AND on_hold_until <= now() ORDER BY on_hold_until LIMIT ${BATCH}`,
    );
    for (const due of waking) {
      await this.change(due, (ticket) =>
        ticket.status === 'on_hold' && ticket.on_hold_until !== null ? { status: 'open' } : {},
      );
    }
    const closing = await this.database.query<Due>(
      `SELECT t.workspace_id, t.id FROM tickets t JOIN workspaces w ON w.id = t.workspace_id
       WHERE t.status = 'resolved' AND t.resolved_at <= now() - interval '1 day'
         AND coalesce((w.settings ->> 'auto_close_days')::integer, 7) > 0
         AND t.resolved_at <= now() - make_interval(days => coalesce((w.settings ->> 'auto_close_days')::integer, 7))
       ORDER BY t.resolved_at LIMIT ${BATCH}`,
    );
    for (const due of closing)
      await this.change(due, (ticket) => (ticket.status === 'resolved' ? { status: 'closed' } : {}));
  }

  /** Looks again under the lock: the ticket may have changed since it was found. */
  private async change({ workspace_id, id }: Due, decide: (ticket: Values) => Values): Promise<void> {
    await this.database.inWorkspace(workspace_id, ACTOR, async () => {
      await this.tickets.mutate(id, null, (ticket) => this.tickets.follow(ticket, decide(ticket)));
    });
  }
}
