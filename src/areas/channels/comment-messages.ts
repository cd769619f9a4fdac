import { Injectable, type OnModuleInit } from '@nestjs/common';
import { current, currentWorkspaceId, runInContext } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import type { Row } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { type CommentKeeper, CommentRedaction, REDACTED, type Reworded } from '../tickets/comment-redaction';
import { saidText } from './adapters/telling';
import { ThreadMessage } from './message.entity';
import type { MessageTemplate } from './message-template';
import { ThreadLog } from './thread-log';
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
    const found = await this.named(ticketId, commentId);
    if (found.length > 0) await this.held(found);
  }

  async forget(ticketId: number, commentId: number | null): Promise<void> {
    for (const message of await this.held(await this.named(ticketId, commentId)))
      await seeingAll(() => this.log.bury(message));
  }

  async reword({ ticketId, id, text, before, after }: Reworded): Promise<void> {
    for (const message of await this.held(await this.named(ticketId, id))) {
      const without = (said: string): string => said.replaceAll(text, () => REDACTED);
      // One of the two may have been changed since.
      const isSame = message.body === before || message.body === saidText(before);
      const body = saidText(isSame ? after : without(message.body));
      const metadata = eachText(message.metadata, without);
      const template = message.template && filledAnew(message.template, without);
      await seeingAll(() => this.log.reword(message, { body, metadata, template }));
    }
  }

  /** Messages by their ids, each with its conversation. */
  private named(ticketId: number, commentId: number | null): Promise<Named[]> {
    return this.database.query<Named>(NAMED, [currentWorkspaceId(), ticketId, commentId]);
  }

  /** Those of them that still say something, locked, their conversations ahead of them. */
  private held(named: readonly Named[]): Promise<Row<ThreadMessage>[]> {
    return seeingAll(async () => {
      const threads = [...new Set(named.map(({ thread_id }) => thread_id))].sort((a, b) => a - b);
      for (const id of threads) await this.threads.lockIfAny(id);
      const held: Row<ThreadMessage>[] = [];
      for (const { id } of named) {
        const message = await this.messages.lockIfAny(id);
        if (message?.deleted_at === null) held.push(message);
      }
      return held;
    });
  }
}

interface Named extends Record<string, unknown> {
  id: number;
  thread_id: number;
}

const NAMED = `
  SELECT m.id, m.thread_id FROM ticket_comments c
  JOIN channel_messages m ON m.workspace_id = c.workspace_id AND m.comment_id = c.id
  WHERE c.workspace_id = $1 AND c.ticket_id = $2 AND ($3::bigint IS NULL OR c.id = $3) ORDER BY m.id`;

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
