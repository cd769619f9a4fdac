import { Injectable } from '@nestjs/common';
import { current, currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { invalid } from '../../../platform/errors/api-error';
import type { Row } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { ThreadMessage } from '../message.entity';
import { ThreadLog } from '../thread-log';
import { ChannelThread } from '../thread.entity';

/** Different reactions to one message. */
const MAX_EMOJI = 20;
/** Reactions to one message. */
const MAX_REACTIONS = 1_000;

/** Who reacts: a user, a token of none, or somebody outside. */
export interface Reacting {
  /** Unique among all of them. */
  who: string;
  userId: number | null;
}

/** Who has read how far, and who reacted how. */
@Injectable()
export class Marks {
  constructor(
    private readonly database: Database,
    @InjectStore(ChannelThread) private readonly threads: Store<ChannelThread>,
    private readonly log: ThreadLog,
  ) {}

  /** The caller, as one who reacts. */
  caller(): Reacting {
    const { principal, access } = current();
    const userId = principal?.userId ?? null;
    return { who: userId === null ? `token:${access?.token.id ?? 0}` : `user:${userId}`, userId };
  }

  /** Adds a reaction, or takes it back; what is there already stays. 422 beyond what a message takes. Inside the unit of work that holds the conversation. */
  async react(message: Row<ThreadMessage>, reacting: Reacting, emoji: string, removed: boolean): Promise<void> {
    if (await this.reacted(message, reacting, emoji, removed)) return;
    invalid('emoji', 'max', `A message has at most ${MAX_EMOJI} different reactions, and ${MAX_REACTIONS} in all.`);
  }

  /** The same; false where the message takes no more. */
  async reacted(
    message: Row<ThreadMessage>,
    { who, userId }: Reacting,
    emoji: string,
    removed: boolean,
  ): Promise<boolean> {
    const { id, thread_id } = message;
    const place = [currentWorkspaceId(), id, emoji, who];
    if (!removed && !(await this.hasRoom(place))) return false;
    const changed = removed
      ? await this.database.query(
          'DELETE FROM channel_reactions WHERE workspace_id = $1 AND message_id = $2 AND emoji = $3 AND who = $4 RETURNING emoji',
          place,
        )
      : await this.add(place, userId);
    if (changed.length > 0) await this.log.tellChange(thread_id, { id, reaction: { emoji, removed, user_id: userId } });
    return true;
  }

  /**
   * The caller has read a conversation as far as a message, so nobody else need be told of it as new; who that was is kept of users.
   * Inside the unit of work that holds the conversation.
   */
  async read({ thread_id, position }: Row<ThreadMessage>): Promise<void> {
    const { userId } = this.caller();
    const thread = await this.threads.lock(thread_id);
    const isFurther = userId !== null && (await this.readBy(userId, thread_id, position));
    const read_position = Math.max(thread.read_position, position);
    if (!isFurther && read_position === thread.read_position) return;
    const [left] = await this.database.query<{ n: number }>(UNREAD, [currentWorkspaceId(), thread_id, read_position]);
    await this.threads.apply(thread, {
      values: { read_position, unread_count: left?.n ?? 0 },
      events: [{ type: 'channel_thread.read', related: { read: { user_id: userId, position } } }],
      always: true,
    });
  }

  private async readBy(userId: number, threadId: number, position: number): Promise<boolean> {
    const rows = await this.database.query(
      `INSERT INTO channel_reads AS r (workspace_id, thread_id, user_id, position) VALUES ($1, $2, $3, $4)
       ON CONFLICT (workspace_id, thread_id, user_id) DO UPDATE SET position = excluded.position, read_at = now()
       WHERE r.position < excluded.position RETURNING r.position`,
      [currentWorkspaceId(), threadId, userId, position],
    );
    return rows.length > 0;
  }

  private async hasRoom(place: readonly unknown[]): Promise<boolean> {
    const [there] = await this.database.query<{ n: number; kinds: number; is_kind: boolean }>(
      `SELECT count(*) AS n, count(DISTINCT emoji) AS kinds, coalesce(bool_or(emoji = $3), false) AS is_kind
       FROM channel_reactions WHERE workspace_id = $1 AND message_id = $2`,
      place.slice(0, 3),
    );
    return !there || (there.n < MAX_REACTIONS && (there.is_kind || there.kinds < MAX_EMOJI));
  }

  private add(place: readonly unknown[], userId: number | null): Promise<object[]> {
    return this.database.query(
      `INSERT INTO channel_reactions (workspace_id, message_id, emoji, who, user_id) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT DO NOTHING RETURNING emoji`,
      [...place, userId],
    );
  }
}

/** What came in behind what was read. */
const UNREAD = `
  SELECT count(*) AS n FROM channel_messages m
  WHERE m.workspace_id = $1 AND m.thread_id = $2 AND m.direction = 'inbound' AND m.deleted_at IS NULL AND m.position > $3`;
