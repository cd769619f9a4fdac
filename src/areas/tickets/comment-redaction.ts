import { Injectable } from '@nestjs/common';
import { EventRedaction } from '../../platform/events/event-redaction';
import { commentResource } from './comment.resource';
import { ticketResource } from './ticket.resource';

/** What of a comment goes with it; who wrote it and when stays. */
const TEXTS = ['body', 'previous_body', 'custom_fields', 'attachments'];

/** A deleted comment leaves the fact and not the text (decision 36): in events, and in whatever was made of them. */
@Injectable()
export class CommentRedaction {
  constructor(private readonly redaction: EventRedaction) {}

  /**
   * Inside the unit of work of the deletion.
   *
   * @param commentId null = all comments of a ticket that goes
   */
  forget(ticketId: number, commentId: number | null): Promise<void> {
    const about = [`${ticketResource.table}:${ticketId}`];
    if (commentId !== null) about.push(`${commentResource.table}:${commentId}`);
    return this.redaction.forget({
      object: ticketResource.singular,
      objectId: ticketId,
      member: 'comment',
      id: commentId,
      table: commentResource.table,
      names: TEXTS,
      about,
    });
  }
}
