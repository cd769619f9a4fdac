import { Injectable } from '@nestjs/common';
import { ApiError, invalid } from '../../../platform/errors/api-error';
import { TicketsService } from '../../tickets/tickets.service';

/** Tickets that bodies name. */
@Injectable()
export class AskedTickets {
  constructor(private readonly tickets: TicketsService) {}

  /** Refuses (422) a ticket that is not there, or that the caller does not see. */
  async require(id: number): Promise<void> {
    if (!(await this.isSeen(id))) this.missing();
  }

  /** Whether the ticket is there, and the caller sees it. */
  async isSeen(id: number): Promise<boolean> {
    try {
      await this.tickets.require(id);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError) || error.type !== 'not_found') throw error;
      return false;
    }
  }

  missing(): never {
    invalid('ticket_id', 'not_found', '"ticket_id" names a ticket that does not exist.');
  }

  /** Tells automations and the history what was predicted; in the open unit of work. */
  async tell(id: number, predictions: readonly object[]): Promise<void> {
    await this.tickets.tell(id, 'ticket.predicted', { predictions });
  }

  /** The ticket is held until the end of the unit of work. Answers its version then. */
  async hold(id: number): Promise<number> {
    return (await this.tickets.held(id)).version;
  }
}
