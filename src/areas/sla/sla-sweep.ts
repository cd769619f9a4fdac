import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { JobQueue } from '../../platform/queue/job-queue';
import { INSERT_JOBS } from '../../platform/queue/job-table';
import { PeriodicJobs, RUN_AGAIN } from '../../platform/schedule/periodic-jobs';
import { readLocked, type TicketTransition, writeTransitions } from './sla-batch';
import { followFacts } from './sla-transition';
import { ESCALATION } from './sla-escalation';

const EVERY_MS = 1_000;
const BATCH = 500;

/**
 * What time does to clocks: they come to be at risk, they breach, and steps of escalation fall due. The state of a clock and
 * its event change in one transaction, under the lock of the ticket, so each happens once, however many workers there are.
 */
@Injectable()
export class SlaSweep implements OnModuleInit {
  private readonly logger = new Logger(SlaSweep.name);

  constructor(
    private readonly jobs: PeriodicJobs,
    private readonly database: Database,
    private readonly queue: JobQueue,
  ) {}

  onModuleInit(): void {
    this.jobs.register('sla-sweep', EVERY_MS, () => this.run(), { byClock: true });
  }

  /** One batch; inside `Database.system()`. */
  async run(): Promise<typeof RUN_AGAIN | undefined> {
    const swept = await this.sweepClocks();
    const fired = await this.fireEscalations();
    return swept === BATCH || fired === BATCH ? RUN_AGAIN : undefined;
  }

  /** Tickets that someone is changing are left out: that change, or the next run, tells what time did. */
  private async sweepClocks(): Promise<number> {
    const keys = await this.database.query<{ workspace_id: number; id: number; now: string }>(
      `SELECT t.workspace_id, t.id, to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS now
       FROM (SELECT DISTINCT workspace_id, ticket_id FROM
         (SELECT workspace_id, ticket_id FROM sla_clocks WHERE next_check_at <= now() ORDER BY next_check_at LIMIT ${BATCH}) first) d
       JOIN tickets t ON t.workspace_id = d.workspace_id AND t.id = d.ticket_id
       FOR UPDATE OF t SKIP LOCKED`,
    );
    const [{ now } = { now: '' }] = keys;
    const transitions: TicketTransition[] = [];
    const broken: { workspace_id: number; id: number }[] = [];
    for (const ticket of await readLocked(this.database, keys, false)) {
      try {
        const transition = followFacts(ticket.stored, ticket.stored.policy, [], now);
        if (transition.clocks.length === 0) throw new Error('Time changes none of them.');
        transitions.push({ ticket, transition });
      } catch (error) {
        const { message, stack } = error instanceof Error ? error : new Error(String(error));
        this.logger.error(
          `The clocks of ticket ${ticket.workspace_id}/${ticket.id} cannot be swept: ${message}`,
          stack,
        );
        broken.push({ workspace_id: ticket.workspace_id, id: ticket.id });
      }
    }
    await writeTransitions(this.database, transitions);
    if (broken.length > 0) await this.postpone(broken);
    return keys.length;
  }

  /** A ticket that cannot be swept must not hold up the others. */
  private async postpone(keys: readonly { workspace_id: number; id: number }[]): Promise<void> {
    await this.database.query(
      `UPDATE sla_clocks c SET next_check_at = now() + interval '1 hour'
       FROM json_to_recordset($1::json) AS k(workspace_id bigint, id bigint)
       WHERE c.workspace_id = k.workspace_id AND c.ticket_id = k.id AND c.next_check_at <= now()`,
      [JSON.stringify(keys)],
    );
  }

  private async fireEscalations(): Promise<number> {
    const fired = await this.database.query(
      `WITH due AS (
         SELECT workspace_id, id FROM sla_escalations WHERE fire_at <= now() AND fired_at IS NULL
         ORDER BY fire_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
       ), fired AS (
         UPDATE sla_escalations e SET fired_at = now() FROM due WHERE e.workspace_id = due.workspace_id AND e.id = due.id
         RETURNING e.workspace_id, e.id, e.ticket_id
       )
       ${INSERT_JOBS} SELECT workspace_id, $1, id, ticket_id FROM fired RETURNING id`,
      [ESCALATION],
    );
    if (fired.length > 0) this.database.afterCommit(() => this.queue.wake());
    return fired.length;
  }
}
