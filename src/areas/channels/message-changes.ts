import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { Row, Values } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { AttachmentsService } from '../attachments/attachments.service';
import { CommentsService } from '../tickets/comments.service';
import { ticketOfComment } from '../tickets/ticket-lookup';
import type { Arrival, ArrivedStatus } from './adapters/adapter';
import { isAdvance } from './channel-values';
import { addressOf } from './inbound/arrival';
import { Marks } from './marks/marks.service';
import { ThreadMessage } from './message.entity';
import { ThreadLog } from './thread-log';
import { ChannelThread } from './thread.entity';

/** What becomes of messages that are there, and of the comments that say the same. */
@Injectable()
export class MessageChanges {
  constructor(
    @InjectStore(ThreadMessage) private readonly messages: Store<ThreadMessage>,
    @InjectStore(ChannelThread) private readonly threads: Store<ChannelThread>,
    private readonly database: Database,
    private readonly comments: CommentsService,
    private readonly attachments: AttachmentsService,
    private readonly log: ThreadLog,
    private readonly marks: Marks,
  ) {}

  /** The message, locked with its conversation, which is locked first. 404, 412. Inside the unit of work. */
  async held(id: number, expected: ExpectedVersions = null): Promise<Row<ThreadMessage>> {
    const { thread_id } = (await this.messages.find(id)) ?? this.messages.missing(id);
    await this.threads.lock(thread_id);
    return this.messages.lock(id, expected);
  }

  /** What the other side tells of a message; why it was passed over, null when it was not. Inside the unit of work. */
  async follow(id: number, arrival: Exclude<Arrival, { kind: 'message' }>): Promise<'too_many' | null> {
    const message = await this.held(id);
    if (message.deleted_at !== null) return null;
    const isTheirs = message.direction === 'inbound';
    if (arrival.kind === 'reaction') {
      const who = { who: `peer:${addressOf(arrival.from)}`, userId: null };
      return (await this.marks.reacted(message, who, arrival.emoji, arrival.removed)) ? null : 'too_many';
    }
    if (arrival.kind === 'status') await this.advance(message, arrival);
    else if (isTheirs && arrival.kind === 'edit') await this.rewrite(message, arrival.body);
    else if (isTheirs) await this.bury(message);
    return null;
  }

  /** What another text makes of a locked message, which is the caller's to store; it is told, and the comment that says the same changes. @param mentioned whom it names and the one before did not */
  async edited(
    message: Row<ThreadMessage>,
    body: string,
    mentioned: readonly number[] = [],
  ): Promise<Values<ThreadMessage>> {
    const { id, thread_id, comment_id, body: previous_body } = message;
    await this.log.tellChange(thread_id, {
      id,
      previous_body,
      body,
      ...(mentioned.length > 0 ? { mentioned_ids: mentioned } : {}),
    });
    const ticketId = comment_id === null ? null : await ticketOfComment(this.database, comment_id);
    if (comment_id !== null && ticketId !== null) await this.comments.edit(ticketId, comment_id, { body }, null);
    return { body, edited_at: await this.database.moment() };
  }

  /** Only that it was there stays; so of the comment that says the same. */
  async bury(message: Row<ThreadMessage>): Promise<void> {
    const { id, comment_id, attachments } = message;
    const ticketId = comment_id === null ? null : await ticketOfComment(this.database, comment_id);
    if (comment_id !== null && ticketId !== null) {
      // Which takes the message along: `CommentMessages`.
      await this.comments.removeFrom(ticketId, comment_id, null);
      return;
    }
    for (const file of attachments) await this.attachments.remove(file.id, null);
    await this.log.bury(attachments.length === 0 ? message : await this.messages.lock(id));
  }

  private async rewrite(message: Row<ThreadMessage>, body: string): Promise<void> {
    if (body !== message.body) await this.messages.apply(message, { values: await this.edited(message, body) });
  }

  private async advance(message: Row<ThreadMessage>, { status, error, at }: ArrivedStatus): Promise<void> {
    if (message.direction !== 'outbound' || !isAdvance(message.status, status)) return;
    const when = at ?? (await this.database.moment());
    const { sent_at, delivered_at } = message;
    const values: Values<ThreadMessage> = { status, error };
    values.sent_at = sent_at ?? when;
    if (status === 'delivered' || status === 'read') values.delivered_at = delivered_at ?? when;
    if (status === 'read') values.read_at = when;
    await this.messages.apply(message, { values });
    const { id, thread_id } = message;
    if (status === 'failed') await this.log.tellFailure(thread_id, { id, error });
    else await this.log.tellChange(thread_id, { id, status });
  }
}
