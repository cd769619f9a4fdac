import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { invalid } from '../../platform/errors/api-error';
import type { SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { CommentRedaction, REDACTED } from './comment-redaction';
import type { RedactComment } from './comment.dto';
import { TicketComment } from './comment.entity';
import { Ticket } from './ticket.entity';

const MAX_BODY = 65_536;

/** Takes a word, a number, a sentence out of a comment, as if it had never been said. */
@Injectable()
export class CommentWords {
  constructor(
    @InjectStore(TicketComment) private readonly comments: Store<TicketComment>,
    @InjectStore(Ticket) private readonly tickets: Store<Ticket>,
    private readonly database: Database,
    private readonly redaction: CommentRedaction,
  ) {}

  /**
   * Wherever a copy of the comment is kept it goes whole, as with a deleted one; the comment itself and its new event have the rest.
   *
   * @throws ApiError 404, 412; 422 when the comment does not say it
   */
  redact(ticketId: number, id: number, { text }: RedactComment, expected: ExpectedVersions): Promise<SingleResult> {
    return this.database.transaction(async () => {
      await this.redaction.hold(ticketId, id);
      await this.tickets.lock(ticketId);
      const scope = { ticket_id: ticketId };
      const before = await this.comments.lock(id, expected, scope);
      if (!before.body.includes(text)) invalid('text', 'not_found', '"text" is not in the comment, letter by letter.');
      const body = before.body.replaceAll(text, () => REDACTED);
      if (body.length > MAX_BODY) invalid('text', 'min', '"text" is too short for a comment that says it so often.');
      await this.redaction.reword({ ticketId, id, text, before: before.body, after: body });
      const edited_at = await this.database.moment();
      const result = await this.comments.mutate(id, null, () => ({ values: { body, edited_at } }), scope);
      await this.tickets.announce(ticketId, ['ticket.comment_redacted'], { comment: { id, body } });
      return result;
    });
  }
}
