import { Injectable } from '@nestjs/common';
import type { Database } from '../../../platform/database/database';
import type { OutboxEvent } from '../../../platform/events/event-consumer';
import { sql } from '../../../platform/postgres/statement-batch';
import { INSERT_JOBS_DUE } from '../../../platform/queue/job-table';

/** Somebody who asks requesters for ratings in another way than by mail. Inside a unit of work. */
export type AsksElsewhere = (ticketId: number) => Promise<boolean>;

/** Nobody is asked twice: who is asked elsewhere gets no mail. */
@Injectable()
export class RatingAskers {
  private readonly others: AsksElsewhere[] = [];

  /** Called in `onModuleInit`. */
  register(asks: AsksElsewhere): void {
    this.others.push(asks);
  }

  async isAskedElsewhere(ticketId: number): Promise<boolean> {
    for (const asks of this.others) if (await asks(ticketId)) return true;
    return false;
  }
}

/**
 * Jobs of a kind that ask for ratings of what was just resolved, as long after it as the workspace wants.
 *
 * @param where SQL over the workspace `w` and the ticket `v.ticket_id` of `v.workspace_id`: whether they are asked for
 */
export async function askLater(
  database: Database,
  events: readonly OutboxEvent[],
  { kind, where }: { kind: string; where: string },
): Promise<void> {
  const resolved = events.filter(({ type }) => type === 'ticket.resolved');
  if (resolved.length === 0) return;
  await database.later([
    sql(
      `${INSERT_JOBS_DUE}
     SELECT w.id, '${kind}', v.ticket_id, v.ticket_id, now() + make_interval(mins => coalesce((w.settings ->> 'csat_delay_minutes')::integer, 0))
     FROM json_to_recordset($1::json) AS v(workspace_id bigint, ticket_id bigint) JOIN workspaces w ON w.id = v.workspace_id
     WHERE ${where}`,
      [JSON.stringify(resolved.map(({ workspace_id, object_id }) => ({ workspace_id, ticket_id: object_id })))],
    ),
  ]);
}
