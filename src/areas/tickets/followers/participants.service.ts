import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { blockedAddresses } from '../../contacts/contact-lookup';
import { activeUsersByEmail } from '../../users/user-lookup';
import { TicketChanges } from '../ticket-changes';
import { Ticket } from '../ticket.entity';
import { copiesWith } from './copies';
import { FollowersService } from './followers.service';

/** Whom a message was written to besides the desk. */
export interface WrittenTo {
  /** Customers and strangers: they get copies. */
  copies: string[];
  /** Agents: they follow. */
  followers: number[];
}

/** Takes those into a ticket who were written to besides the desk. */
@Injectable()
export class Participants {
  constructor(
    @InjectStore(Ticket) private readonly tickets: Store<Ticket>,
    private readonly database: Database,
    private readonly rules: TicketChanges,
    private readonly followers: FollowersService,
  ) {}

  /** Sorts addresses (lower-case) by who has them; those of blocked contacts are left out. Inside a unit of work. */
  async sorted(addresses: readonly string[]): Promise<WrittenTo> {
    if (addresses.length === 0) return { copies: [], followers: [] };
    const blocked = await blockedAddresses(this.database, addresses);
    const users = await activeUsersByEmail(this.database, addresses);
    const taken = new Set([...blocked, ...users.map(({ email }) => email.toLowerCase())]);
    return {
      copies: addresses.filter((address) => !taken.has(address)),
      followers: users.map(({ id }) => id),
    };
  }

  /** Takes them into a ticket that is not merged; who takes part already goes on. Inside a unit of work. */
  async take(ticketId: number, { copies, followers }: WrittenTo): Promise<void> {
    if (copies.length > 0) {
      const ticket = await this.tickets.lock(ticketId);
      const cc_emails = copiesWith(ticket.cc_emails, copies, ticket.requester_email);
      if (cc_emails.length > ticket.cc_emails.length)
        await this.tickets.apply(ticket, await this.rules.change(ticket, { cc_emails }));
    }
    await this.followers.add(ticketId, followers, 'copy');
  }
}
