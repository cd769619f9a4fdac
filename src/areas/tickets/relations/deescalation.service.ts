import { Injectable } from '@nestjs/common';
import { current } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { SingleResult } from '../../../platform/http/results';
import { withRelated } from '../../../platform/resource/change';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { EscalationLine } from '../escalation-line';
import { requireUnmerged, TicketChanges } from '../ticket-changes';
import { deescalated, withEscalation } from '../ticket-escalation';
import { type Escalation, Ticket } from '../ticket.entity';
import type { DeescalateTicket } from './deescalation.dto';

/** Takes an escalation back: the other way of `POST /tickets/{id}/escalate`, with the same traces. */
@Injectable()
export class Deescalation {
  constructor(
    @InjectStore(Ticket) private readonly tickets: Store<Ticket>,
    private readonly database: Database,
    private readonly rules: TicketChanges,
    private readonly line: EscalationLine,
  ) {}

  /** One level down; whoever works on it goes on, unless somebody else is named. 422 for a ticket that is not escalated. */
  run(id: number, body: DeescalateTicket, expected: ExpectedVersions): Promise<SingleResult> {
    return this.tickets.mutate(id, expected, async (before) => {
      requireUnmerged(before);
      const lowered = deescalated(before, body.priority);
      const asked = body.to_user_id === undefined ? {} : { assigned_to: body.to_user_id };
      const followed = await this.rules.follow(
        before,
        { priority: lowered.priority, ...asked },
        { field: 'to_user_id' },
      );
      const { values, events: _told, more, reason: assignment, ...rest } = followed;
      const entry: Escalation = {
        level: lowered.escalation_level,
        from_priority: before.priority,
        to_priority: lowered.priority,
        from_user: before.assigned_to,
        to_user: values.assigned_to === undefined ? before.assigned_to : values.assigned_to,
        to_team: before.team_id,
        reason: body.reason ?? null,
        actor: current().actor,
        at: await this.database.moment(),
      };
      const isOver = lowered.escalation_level === 0;
      Object.assign(values, {
        escalation_level: lowered.escalation_level,
        escalations: withEscalation(before.escalations, entry),
        comment_count: before.comment_count + 1,
        ...(isOver ? { escalated_at: null, last_escalation_reason: null, tags: withoutTag(before.tags) } : {}),
      });
      await this.line.note(before, entry, 'De-escalated');
      const related = { escalation: entry, ...rest.meta, ...(assignment ? { assignment } : {}) };
      return { ...rest, values, events: withRelated(['ticket.deescalated', ...more], related), always: true };
    });
  }
}

function withoutTag(tags: string): string {
  return tags
    .split(',')
    .filter((tag) => tag !== 'escalated')
    .join(',');
}
