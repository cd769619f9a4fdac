import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { EventRedaction } from '../../platform/events/event-redaction';
import { commentResource } from './comment.resource';
import { ticketResource } from './ticket.resource';

/** What of a comment goes with it; who wrote it and when stays. */
const TEXTS = ['body', 'previous_body', 'custom_fields', 'attachments'];

/** A deleted comment leaves the fact and not the text (decision 36): in events, and in whatever was made of them. */
@Injectable()
export class CommentRedaction {
  constructor(
    private readonly redaction: EventRedaction,
    private readonly database: Database,
  ) {}

  /**
   * Inside the unit of work of the deletion. What was said in tickets that were merged into this one stands in their events, too.
   *
   * @param commentId null = all comments of a ticket that goes
   */
  async forget(ticketId: number, commentId: number | null): Promise<void> {
    const tickets = await this.database.query<{ id: number }>(MERGED, [currentWorkspaceId(), ticketId]);
    for (const { id } of tickets) await this.forgetIn(id, commentId);
  }

  private forgetIn(ticketId: number, commentId: number | null): Promise<void> {
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

/** The ticket, and those that were merged into it, directly or not. */
const MERGED = `
  WITH RECURSIVE merged AS (
    SELECT $2::bigint AS id
    UNION SELECT t.id FROM merged m JOIN tickets t ON t.workspace_id = $1 AND t.merged_into_id = m.id
  ) SELECT id FROM merged`;
