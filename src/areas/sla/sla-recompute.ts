import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import type { JobHandler, Job, JobOutcome } from '../../platform/queue/job-handler';
import { JobQueue } from '../../platform/queue/job-queue';
import { RECOMPUTE } from './recompute-job';
import { readLocked, type TicketTransition, writeTransitions } from './sla-batch';
import { followFacts } from './sla-transition';
import { SlaService } from './sla.service';

const BATCH = 200;

/**
 * Brings the unfinished tickets of an edited or deleted policy, and those without one, to the policy and the clocks that they
 * should have; others by `ofTickets`. Repeating it changes nothing more.
 */
@Injectable()
export class SlaRecompute implements JobHandler, OnModuleInit {
  readonly kind = RECOMPUTE;
  readonly perGroup = 1;
  readonly perWorkspace = 1;
  readonly leaseMs = 15 * 60_000;

  constructor(
    private readonly database: Database,
    private readonly queue: JobQueue,
    private readonly sla: SlaService,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  async perform({ subject_id: policyId }: Job): Promise<JobOutcome> {
    await this.ofTickets('(sla_policy_id = $2 OR sla_policy_id IS NULL)', policyId);
    return {};
  }

  /**
   * The same for the unfinished tickets that something concerns.
   *
   * @param concerned SQL over a ticket and $2, the id of what concerns it
   */
  async ofTickets(concerned: string, id: number): Promise<void> {
    for (let last: number | null = 0; last !== null;) {
      const from: number = last;
      last = await this.database.transaction(() => this.batch(concerned, id, from));
    }
  }

  /** Some tickets above an id; answers the last of them, null when there are no more. */
  private async batch(concerned: string, id: number, above: number): Promise<number | null> {
    const workspace_id = currentWorkspaceId();
    const rows = await this.database.query<{ id: number }>(
      `SELECT id FROM tickets WHERE workspace_id = $1 AND id > $3 AND status IN ('open', 'in_progress', 'on_hold')
         AND ${concerned} ORDER BY id LIMIT ${BATCH} FOR UPDATE`,
      [workspace_id, id, above],
    );
    const keys = rows.map(({ id }) => ({ workspace_id, id }));
    const now = await this.database.moment();
    const transitions: TicketTransition[] = [];
    for (const ticket of await readLocked(this.database, keys, true)) {
      const next = await this.sla.choose(ticket.candidates, ticket.record ?? {});
      transitions.push({ ticket, transition: followFacts(ticket.stored, next, [], now) });
    }
    await writeTransitions(this.database, transitions);
    return rows.length < BATCH ? null : (rows.at(-1)?.id ?? null);
  }
}
