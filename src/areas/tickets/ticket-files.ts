import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import type { AttachmentHolder, Hanging } from '../attachments/holders/attachment-holder';
import { AttachmentHolders } from '../attachments/holders/attachment-holders';
import { Ticket } from './ticket.entity';

/** Files of tickets: whoever has a link has it of somebody who knows the ticket. */
@Injectable()
export class TicketFiles implements AttachmentHolder, OnModuleInit {
  readonly column = 'ticket_id';
  readonly permission = 'tickets.update';

  constructor(
    @InjectStore(Ticket) private readonly tickets: Store<Ticket>,
    private readonly holders: AttachmentHolders,
  ) {}

  onModuleInit(): void {
    this.holders.register(this);
  }

  isPublic(): Promise<boolean> {
    return Promise.resolve(true);
  }

  async place(id: number): Promise<Partial<Hanging> | null> {
    return (await this.tickets.find(id)) && { ticket_id: id };
  }
}
