import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { EventRedaction } from '../../platform/events/event-redaction';
import { commentResource } from './comment.resource';
import { ticketResource } from './ticket.resource';

/** What of a comment goes with it; who wrote it and when stays. */
const TEXTS = ['body', 'previous_body', 'custom_fields', 'attachments'];

/** What stands instead of a redacted text. */
export const REDACTED = '[redacted]';

/** A text that is taken out of a comment, and what the comment says without it. */
export interface Reworded {
  ticketId: number;
  id: number;
  /** Letter by letter. */
  text: string;
  before: string;
  after: string;
}

/**
 * Whoever keeps records that say the same as comments, and lose it with them: the message that a comment came as, or leaves as.
 * All of it happens inside the unit of work of the redaction, and whatever the caller sees.
 */
export interface CommentKeeper {
  /**
   * Locks what others lock ahead of tickets: nothing of the ticket is locked yet.
   *
   * @param commentId null = all comments of the ticket
   */
  hold(ticketId: number, commentId: number | null): Promise<void>;
  /** The comments, which are still there, go. */
  forget?(ticketId: number, commentId: number | null): Promise<void>;
  reword?(reworded: Reworded): Promise<void>;
}

/** A deleted comment leaves the fact and not the text (decision 36): in events, in whatever was made of them, and with those who keep it besides. */
@Injectable()
export class CommentRedaction {
  private readonly keepers: CommentKeeper[] = [];

  constructor(
    private readonly redaction: EventRedaction,
    private readonly database: Database,
  ) {}

  /** Called in `onModuleInit`. */
  register(keeper: CommentKeeper): void {
    this.keepers.push(keeper);
  }

  /** The first thing that a unit of work does which is going to forget comments: locks that others take ahead of the ticket's. */
  async hold(ticketId: number, commentId: number | null): Promise<void> {
    for (const keeper of this.keepers) await keeper.hold(ticketId, commentId);
  }

  /**
   * Inside the unit of work of the deletion, ahead of it. What was said in tickets that were merged into this one stands in their events, too.
   *
   * @param commentId null = all comments of a ticket that goes
   */
  async forget(ticketId: number, commentId: number | null): Promise<void> {
    await this.forgetEvents(ticketId, commentId);
    for (const keeper of this.keepers) await keeper.forget?.(ticketId, commentId);
  }

  /** The same of a comment that stays without a text that it had; ahead of the change. */
  async reword(reworded: Reworded): Promise<void> {
    await this.forgetEvents(reworded.ticketId, reworded.id);
    for (const keeper of this.keepers) await keeper.reword?.(reworded);
  }

  private async forgetEvents(ticketId: number, commentId: number | null): Promise<void> {
    const key = [currentWorkspaceId(), ticketId];
    const tickets = await this.database.query<{ id: number }>(MERGED, key);
    const stored = await this.database.query<{ id: number; body: string }>(STORED, [...key, commentId]);
    const said = { ids: stored.map(({ id }) => id), texts: stored.map(({ body }) => body) };
    for (const { id } of tickets) {
      const about = [`${ticketResource.table}:${id}`];
      if (commentId !== null) about.push(`${commentResource.table}:${commentId}`);
      await this.redaction.forget({
        object: ticketResource.singular,
        objectId: id,
        member: 'comment',
        only: commentId === null ? null : [commentId],
        table: commentResource.table,
        names: TEXTS,
        about,
        said,
      });
    }
  }
}

/** The ticket, and those that were merged into it, directly or not. */
const MERGED = `
  WITH RECURSIVE merged AS (
    SELECT $2::bigint AS id
    UNION SELECT t.id FROM merged m JOIN tickets t ON t.workspace_id = $1 AND t.merged_into_id = m.id
  ) SELECT id FROM merged`;

/** What the comments say now: their events may be gone, as the workspace keeps them for so many days. */
const STORED = `
  SELECT c.id, c.body FROM ticket_comments c
  WHERE c.workspace_id = $1 AND c.ticket_id = $2 AND ($3::bigint IS NULL OR c.id = $3)`;
