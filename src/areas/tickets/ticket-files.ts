import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { AttachmentHolder } from '../attachments/holders/attachment-holder';
import { AttachmentHolders } from '../attachments/holders/attachment-holders';

/** Files of tickets: whoever has a link has it of somebody who knows the ticket. */
@Injectable()
export class TicketFiles implements AttachmentHolder, OnModuleInit {
  readonly column = 'ticket_id';
  readonly permission = 'tickets.update';

  constructor(private readonly holders: AttachmentHolders) {}

  onModuleInit(): void {
    this.holders.register(this);
  }

  isPublic(): Promise<boolean> {
    return Promise.resolve(true);
  }
}
