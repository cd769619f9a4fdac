import { Injectable } from '@nestjs/common';
import { current, currentWorkspaceId } from '../../../platform/context/current';
import { currentSight } from '../../../platform/context/demand';
import { Database } from '../../../platform/database/database';
import { invalid } from '../../../platform/errors/api-error';
import type { SingleResult } from '../../../platform/http/results';
import { JobQueue } from '../../../platform/queue/job-queue';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { sql } from '../../../platform/postgres/statement-batch';
import { andSeen, filled } from '../../../platform/resource/read/sight';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { CommentsService } from '../comments.service';
import { TicketChanges } from '../ticket-changes';
import { isDone } from '../ticket-status';
import { Ticket } from '../ticket.entity';
import { type AskedBy, INCIDENTS_JOB, OPEN_INCIDENT } from './incident-runs';
import type { ResolveTicket } from './resolve.dto';

/** Resolves a ticket with a last word to its requester, and of a problem the incidents that it is behind. */
@Injectable()
export class Resolving {
  constructor(
    @InjectStore(Ticket) private readonly tickets: Store<Ticket>,
    private readonly database: Database,
    private readonly comments: CommentsService,
    private readonly rules: TicketChanges,
    private readonly queue: JobQueue,
  ) {}

  /** The incidents follow in the background; `meta.incidents` says how many there are. A ticket that is done already stays as it is. */
  resolve(id: number, body: ResolveTicket, expected: ExpectedVersions): Promise<SingleResult> {
    return this.database.transaction(async () => {
      const { type } = await this.tickets.lock(id, expected);
      if (body.incidents && type !== 'problem')
        invalid('incidents', 'invalid', `The ticket is of type ${type}; only problems have incidents.`);
      if (body.comment !== undefined) await this.comments.add(id, { body: body.comment });
      const incidents = body.incidents ? await this.begin(id, body.comment ?? null) : 0;
      return this.tickets.mutate(id, null, async (before) => ({
        ...(await this.rules.change(before, isDone(before.status) ? {} : { status: 'resolved' })),
        ...(body.incidents ? { meta: { incidents } } : {}),
      }));
    });
  }

  /** Answers how many open incidents there are that the caller sees: those are resolved. */
  private async begin(id: number, comment: string | null): Promise<number> {
    const sight = currentSight();
    const ids = sight ? `array_agg(t.id)` : `NULL`;
    const open = sql<{ n: number; ids: number[] | null }>(
      `SELECT count(*) AS n, ${ids} AS ids FROM tickets t WHERE t.workspace_id = $1 AND t.parent_id = $2 AND ${OPEN_INCIDENT}${andSeen('tickets', 't')}`,
      [currentWorkspaceId(), id],
    );
    const [{ n: incidents, ids: seen } = { n: 0, ids: null }] = await this.database.read(filled(open));
    if (incidents === 0) return 0;
    const [run] = await this.database.query<{ id: number }>(
      `INSERT INTO ticket_incident_runs (workspace_id, ticket_id, asked_by, comment) VALUES ($1, $2, $3::jsonb, $4) RETURNING id`,
      [currentWorkspaceId(), id, JSON.stringify(askedBy(seen)), comment],
    );
    await this.queue.add([{ kind: INCIDENTS_JOB, subject_id: run?.id ?? 0, group_id: id }]);
    return incidents;
  }
}

function askedBy(seen: AskedBy['seen']): AskedBy {
  const { actor, principal } = current();
  const user = principal?.user ?? null;
  return { actor, author: user && { id: user.id, name: user.name, email: user.email }, seen };
}
