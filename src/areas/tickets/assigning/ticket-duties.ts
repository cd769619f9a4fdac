import { Injectable } from '@nestjs/common';
import type { Duties } from '../../../platform/area/duties';
import { Database } from '../../../platform/database/database';
import type { Meta } from '../../../platform/http/results';
import { changeMany } from '../../../platform/resource/many-changes';
import { Assignment, openTicketsOf } from '../../users/assignment.service';

/** Open tickets that somebody who leaves has in hand. */
@Injectable()
export class TicketDuties implements Duties {
  readonly counted = 'open_tickets';
  readonly words = 'open tickets';

  constructor(
    private readonly assignment: Assignment,
    private readonly database: Database,
  ) {}

  countOf(userId: number): Promise<number> {
    return openTicketsOf(this.database, userId);
  }

  /** By the same rule as any ticket: who stands in for the heir is told in `meta.reassigned_from`. */
  async handOver(from: number, heir: number | null): Promise<Meta> {
    const tickets = await this.countOf(from);
    const giving = { field: 'reassign_to', tickets, without: from };
    const taker = heir === null ? null : await this.assignment.to(heir, giving);
    const to = taker?.id ?? null;
    const stood = taker?.reassigned_from ?? null;
    const assignment = { way: 'leaving', left_by: from, ...(stood === null ? {} : { stand_in_for: stood }) };
    await changeMany(this.database, {
      resource: 'tickets',
      condition: (bind) => `m.assigned_to = ${bind(from)} AND m.status IN ('open', 'in_progress', 'on_hold')`,
      values: { assigned_to: to },
      ...(to === null ? { expressions: { unassigned_since: () => 'now()' } } : {}),
      events: ['ticket.updated', to === null ? 'ticket.unassigned' : 'ticket.assigned'],
      changes: { assigned_to: { from, to } },
      ...(to === null ? {} : { related: { assignment } }),
    });
    return stood === null ? {} : { reassigned_from: stood };
  }
}
