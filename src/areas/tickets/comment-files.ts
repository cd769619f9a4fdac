import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import type { AttachmentHolder } from '../attachments/holders/attachment-holder';
import { AttachmentHolders } from '../attachments/holders/attachment-holders';
import { TicketComment } from './comment.entity';
import { Ticket } from './ticket.entity';

/** Files of comments: those of internal notes are for agents alone, and a comment shows no file that is gone. */
@Injectable()
export class CommentFiles implements AttachmentHolder, OnModuleInit {
  readonly column = 'comment_id';
  readonly permission = 'tickets.update';

  constructor(
    @InjectStore(TicketComment) private readonly comments: Store<TicketComment>,
    @InjectStore(Ticket) private readonly tickets: Store<Ticket>,
    private readonly holders: AttachmentHolders,
  ) {}

  onModuleInit(): void {
    this.holders.register(this);
  }

  async isPublic(id: number): Promise<boolean> {
    const comment = await this.comments.find(id);
    return comment !== null && !comment.is_internal;
  }

  async letGo(id: number, attachmentId: number): Promise<void> {
    const comment = await this.comments.lockIfAny(id);
    if (!comment) return;
    const attachments = comment.attachments.filter((file) => file.id !== attachmentId);
    await this.comments.apply(comment, { values: { attachments } });
    const related = { comment: { id, previous_body: comment.body, body: comment.body, attachments } };
    await this.tickets.announce(comment.ticket_id, ['ticket.comment_updated'], related);
  }
}
