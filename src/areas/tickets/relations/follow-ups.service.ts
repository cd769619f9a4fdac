import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { Database } from '../../../platform/database/database';
import { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { invalid } from '../../../platform/errors/api-error';
import { asTheyAre } from '../../../platform/fields/settle-fields';
import type { SingleResult } from '../../../platform/http/results';
import type { Row } from '../../../platform/resource/rows';
import type { CreateTicket } from '../ticket.dto';
import { Ticket } from '../ticket.entity';
import { TicketsService } from '../tickets.service';
import type { FollowUpTicket } from './follow-up.dto';
import { requireUnmerged } from './ticket-pair';

/** Goes on with what a closed ticket was about, in a ticket of its own with clocks of its own. */
@Injectable()
export class FollowUps {
  constructor(
    private readonly database: Database,
    private readonly tickets: TicketsService,
  ) {}

  /** Makes a ticket like the closed one, as far as the body says nothing else; 422 unless it is closed. */
  async create(id: number, body: FollowUpTicket): Promise<SingleResult> {
    return (await this.createKnown(id, body)).result;
  }

  /** The same, with the id, which the answer need not show. */
  createKnown(id: number, body: FollowUpTicket): Promise<{ id: number; result: SingleResult }> {
    return this.database.transaction(async () => {
      const closed = await this.tickets.held(id);
      requireUnmerged(closed, 'id');
      if (closed.status !== 'closed') {
        const message = `The ticket is ${closed.status}; only closed tickets have follow-ups.`;
        invalid('status', 'invalid_transition', message, { from: closed.status, allowed: ['closed'] });
      }
      const made = await this.tickets.createKnown(Object.assign(taken(closed), body), { followup_of_id: id });
      await this.tickets.tell(id, 'ticket.followed_up', { follow_up: { id: made.id } });
      return made;
    });
  }

  /** The newest ticket that goes on with a closed one, and is merged into no other; null = there is none. Inside a unit of work. */
  async newestOf(id: number): Promise<number | null> {
    const where = { followup_of_id: id, merged_into_id: IsNull() };
    const tickets = new WorkspaceRepository(this.database, Ticket);
    const found = await tickets.findOne({ select: { id: true }, where, order: { id: 'DESC' } });
    return found?.id ?? null;
  }
}

/** Who asks about what stays; how urgent it is, and who works on it, is found anew. */
function taken(closed: Row<Ticket>): CreateTicket {
  const { subject, type, requester_email, requester_name, company_id, category_id, team_id } = closed;
  const { tags, required_skills, asset_ids, cc_emails, custom_fields } = closed;
  // A call is its own answer (product reference 3.4); what follows is none.
  const channel = closed.channel === 'phone' ? 'portal' : closed.channel;
  const company = company_id === null ? {} : { company_id };
  const links = { ...company, category_id, asset_ids, cc_emails, custom_fields: asTheyAre(custom_fields) };
  const team = team_id === null ? {} : { team_id };
  return { subject, type, channel, requester_email, requester_name, tags, required_skills, ...links, ...team };
}
