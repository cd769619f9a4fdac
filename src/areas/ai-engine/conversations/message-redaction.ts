import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../../platform/database/workspace-repository.module';
import { EventRedaction, type Redacted, type Redactor } from '../../../platform/events/event-redaction';
import { breather } from '../../../platform/workers/breather';
import { type CommentKeeper, CommentRedaction, REDACTED } from '../../tickets/comment-redaction';
import { aiConversationResource } from './conversation.resource';
import type { MessageRole } from './conversation-values';
import { AiMessage } from './message.entity';
import { TakenTexts } from './repeated-texts';

/** What of a conversation says what somebody said in it; `body` is that of its messages. */
const NAMES = ['first_message', 'reply', 'body'];

interface Led extends Record<string, unknown> {
  id: number;
  first_message: string;
  reply: string | null;
  /** What is said there was said to the engine itself; on the ticket stands what it made of that. */
  is_own: boolean;
}

/**
 * What was taken out of comments, and out of messages of channels, goes from the conversations that the engine leads in their ticket or
 * chat: people read them, and models are sent them. A message is never empty: `[redacted]` stands in its place.
 */
@Injectable()
export class MessageRedaction implements Redactor, CommentKeeper, OnModuleInit {
  constructor(
    @InjectWorkspaceRepository(AiMessage) private readonly messages: WorkspaceRepository<AiMessage>,
    private readonly database: Database,
    private readonly redaction: EventRedaction,
    private readonly comments: CommentRedaction,
  ) {}

  onModuleInit(): void {
    this.redaction.register(this);
    this.comments.register(this);
  }

  /** Whoever goes on with a conversation holds it ahead of its ticket. */
  async hold(ticketId: number, commentId: number | null): Promise<void> {
    await this.database.query(HOLD, [currentWorkspaceId(), ticketId, commentId]);
  }

  async redact({ member, objectId, texts }: Redacted): Promise<void> {
    const place = PLACES[member];
    if (place === undefined || texts.length === 0) return;
    const led = await this.database.query<Led>(ledIn(place), [currentWorkspaceId(), objectId]);
    if (led.length === 0) return;
    const taken = new TakenTexts(texts);
    for (const conversation of led) await this.redactIn(conversation, taken, member === 'comment');
  }

  private async redactIn({ id, first_message, reply, is_own }: Led, taken: TakenTexts, isComment: boolean) {
    const key = [currentWorkspaceId(), id];
    const goes = (body: string, role: MessageRole): boolean =>
      taken.areRepeatedBy(body) || (isComment && (is_own || role === 'ai') && taken.consistOf(body));
    // Whoever goes on with the conversation waits for it, and has read what is left.
    const messages = await this.messages.find({
      select: { id: true, role: true, body: true },
      where: { conversation_id: id },
    });
    const heard: typeof messages = [];
    const breathe = breather();
    for (const message of messages) {
      if (goes(message.body, message.role)) heard.push(message);
      await breathe();
    }
    const isFirst = goes(first_message, 'user');
    const isLast = reply !== null && goes(reply, 'ai');
    if (heard.length === 0 && !isFirst && !isLast) return;
    const values = [...key, heard.map((message) => message.id), REDACTED];
    await this.database.run([{ text: REDACT_MESSAGES, values }]);
    if (isFirst || isLast) await this.database.query(REDACT, [...key, isFirst, isLast, REDACTED]);
    const said = [...heard.map(({ body }) => body), ...(isFirst ? [first_message] : []), ...(isLast ? [reply] : [])];
    await this.redaction.replace({
      object: aiConversationResource.singular,
      objectId: id,
      table: aiConversationResource.table,
      names: NAMES,
      about: [`${aiConversationResource.table}:${id}`],
      texts: [...new Set(said)],
      instead: REDACTED,
    });
  }
}

/** By which column a conversation belongs to the record that is forgotten in. */
const PLACES: Readonly<Record<string, 'ticket_id' | 'thread_id'>> = { comment: 'ticket_id', message: 'thread_id' };

const HOLD = `
  SELECT c.id FROM ai_conversations c WHERE c.workspace_id = $1 AND c.id IN (
    SELECT a.id FROM ai_conversations a WHERE a.workspace_id = $1 AND a.ticket_id = $2
    UNION ALL SELECT a.id FROM ticket_comments k
      JOIN channel_messages m ON m.workspace_id = k.workspace_id AND m.comment_id = k.id
      JOIN ai_conversations a ON a.workspace_id = m.workspace_id AND a.thread_id = m.thread_id
      WHERE k.workspace_id = $1 AND k.ticket_id = $2 AND ($3::bigint IS NULL OR k.id = $3)
  ) ORDER BY c.id FOR UPDATE`;

const ledIn = (place: 'ticket_id' | 'thread_id'): string => `
  SELECT c.id, c.first_message, c.reply, c.last_comment_id IS NULL AND c.thread_id IS NULL AS is_own
  FROM ai_conversations c WHERE c.workspace_id = $1 AND c.${place} = $2 ORDER BY c.id FOR UPDATE`;

const REDACT_MESSAGES = `UPDATE ai_messages SET body = $4 WHERE workspace_id = $1 AND conversation_id = $2 AND id = ANY($3::bigint[])`;

const REDACT = `
  UPDATE ai_conversations SET first_message = CASE WHEN $3::boolean THEN $5 ELSE first_message END,
    reply = CASE WHEN $4::boolean THEN $5 ELSE reply END, version = version + 1, updated_at = now()
  WHERE workspace_id = $1 AND id = $2`;
