import { Injectable, type OnModuleInit } from '@nestjs/common';
import { current, currentWorkspaceId, runInContext } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { type CommentKeeper, CommentRedaction, REDACTED, type Reworded } from '../tickets/comment-redaction';
import { saidText } from './adapters/telling';
import { ThreadMessage } from './message.entity';
import type { MessageTemplate } from './message-template';
import { type Said, ThreadLog } from './thread-log';
import { ChannelThread } from './thread.entity';

/** Messages that say the same as comments: what is deleted or redacted there is so here. What has left has left. */
@Injectable()
export class CommentMessages implements CommentKeeper, OnModuleInit {
  constructor(
    @InjectStore(ThreadMessage) private readonly messages: Store<ThreadMessage>,
    @InjectStore(ChannelThread) private readonly threads: Store<ChannelThread>,
    private readonly database: Database,
    private readonly redaction: CommentRedaction,
    private readonly log: ThreadLog,
  ) {}

  onModuleInit(): void {
    this.redaction.register(this);
  }

  /** Conversations, then messages, then tickets: as whoever takes a message in, changes or deletes one. */
  async hold(ticketId: number, commentId: number | null): Promise<void> {
    await this.held(ticketId, commentId);
  }

  async forget(ticketId: number, commentId: number | null): Promise<void> {
    for (const [threadId, messages] of await this.held(ticketId, commentId)) {
      const [message] = messages;
      if (commentId === null || !message) await seeingAll(() => this.log.buryAll(threadId, messages));
      else await seeingAll(async () => this.log.bury(await this.messages.lock(message.id)));
    }
  }

  async reword({ ticketId, id, text, before, after }: Reworded): Promise<void> {
    const without = (said: string): string => said.replaceAll(text, () => REDACTED);
    for (const { id: messageId } of [...(await this.held(ticketId, id)).values()].flat())
      await seeingAll(async () => {
        const message = await this.messages.lock(messageId);
        // One of the two may have been changed since.
        const isSame = message.body === before || message.body === saidText(before);
        const body = saidText(isSame ? after : without(message.body));
        const metadata = eachText(message.metadata, without);
        const template = message.template && filledAnew(message.template, without);
        await this.log.reword(message, { body, metadata, template });
      });
  }

  /** What the comments are said by and still there, locked, by its conversations, which are locked ahead of it. */
  private async held(ticketId: number, commentId: number | null): Promise<Map<number, Said[]>> {
    const key = [currentWorkspaceId(), ticketId, commentId];
    const threads = await this.database.query<{ thread_id: number }>(THREADS, key);
    const held = new Map<number, Said[]>();
    if (threads.length === 0) return held;
    await seeingAll(async () => {
      for (const { thread_id } of threads) await this.threads.lockIfAny(thread_id);
    });
    for (const message of await this.database.query<Said & Record<string, unknown>>(MESSAGES, key)) {
      const others = held.get(message.thread_id);
      if (others) others.push(message);
      else held.set(message.thread_id, [message]);
    }
    return held;
  }
}

const NAMED = `ticket_comments c JOIN channel_messages m ON m.workspace_id = c.workspace_id AND m.comment_id = c.id
  WHERE c.workspace_id = $1 AND c.ticket_id = $2 AND ($3::bigint IS NULL OR c.id = $3)`;

const THREADS = `SELECT DISTINCT m.thread_id FROM ${NAMED} ORDER BY 1`;

const MESSAGES = `
  SELECT m.id, m.thread_id, m.body, m.status, m.error, m.author_type, m.author_id, m.author_name FROM ${NAMED}
  AND m.deleted_at IS NULL ORDER BY m.id FOR UPDATE OF m`;

/** Whoever may delete or redact a comment need not see the conversation; they do it all the same. */
function seeingAll<T>(work: () => Promise<T>): Promise<T> {
  return runInContext({ ...current(), principal: null }, work);
}

/** A template with other words in its places; what it is called says nothing, and it is sent by that. */
function filledAnew(
  { name, language, parameters }: MessageTemplate,
  without: (text: string) => string,
): MessageTemplate {
  return { name, language, ...(parameters ? { parameters: parameters.map(without) } : {}) };
}

/** The texts of a flat object without something. */
function eachText(values: Record<string, unknown>, without: (text: string) => string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? without(value) : value]),
  );
}
