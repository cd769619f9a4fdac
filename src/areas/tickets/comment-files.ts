import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import type { AttachedFile } from '../attachments/holders/attached-file';
import type { AttachmentHolder, Hanging } from '../attachments/holders/attachment-holder';
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
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.holders.register(this);
  }

  async isPublic(id: number): Promise<boolean> {
    const comment = await this.comments.find(id);
    return comment !== null && !comment.is_internal;
  }

  async place(id: number): Promise<Partial<Hanging> | null> {
    const comment = await this.comments.find(id);
    return comment && { comment_id: id, ticket_id: comment.ticket_id };
  }

  /** What came with it from elsewhere is no change of it: whoever takes it back finds it as it came. */
  async shows(id: number, files: readonly AttachedFile[], gone: readonly number[] = []): Promise<void> {
    await this.database.query(
      `UPDATE ticket_comments SET attachments = (SELECT coalesce(jsonb_agg(f.value ORDER BY f.place), '[]') FROM
         jsonb_array_elements(attachments || $3::jsonb) WITH ORDINALITY AS f(value, place) WHERE (f.value ->> 'id')::bigint <> ALL($4::bigint[]))
       WHERE workspace_id = $1 AND id = $2`,
      [currentWorkspaceId(), id, JSON.stringify(files), gone],
    );
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
