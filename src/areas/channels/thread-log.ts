import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { EventRedaction } from '../../platform/events/event-redaction';
import type { Told } from '../../platform/resource/change';
import { withRelated } from '../../platform/resource/change';
import type { Row, Values } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import type { Written } from '../../platform/resource/change';
import { ownJson } from '../../platform/text/json';
import { Attaching } from '../attachments/holders/attaching';
import { LiveWire } from './live/live-wire';
import { ThreadMessage } from './message.entity';
import { messageResource } from './message.resource';
import { Outbox } from './outbound/outbox';
import { ChannelThread } from './thread.entity';
import { threadResource } from './thread.resource';

/** What of a message goes with it; who wrote it and when stays. */
const TEXTS = ['body', 'previous_body', 'custom_fields', 'attachments', 'metadata', 'template'];

/** A message to be written down. */
export interface NewMessage extends Values<ThreadMessage> {
  body: string;
  /** Files that it takes; those of a comment are named by `attachments` instead. */
  attachment_ids?: readonly number[] | undefined;
  /** Somebody else sends it. */
  isMailed?: boolean | undefined;
  /** The body that it comes from, which may name nothing that is the service's to set. */
  asked?: object;
}

/** The one place where messages get into a conversation: in order, each with its event, and on their way out where they have one. */
@Injectable()
export class ThreadLog {
  constructor(
    @InjectStore(ThreadMessage) private readonly messages: Store<ThreadMessage>,
    @InjectStore(ChannelThread) private readonly threads: Store<ChannelThread>,
    private readonly database: Database,
    private readonly attaching: Attaching,
    private readonly outbox: Outbox,
    private readonly redaction: EventRedaction,
    private readonly wire: LiveWire,
  ) {}

  /**
   * Writes a message at the end of a conversation. Inside the unit of work that has locked it, once for each lock.
   *
   * @param more what changes of the conversation besides
   */
  async add(thread: Row<ChannelThread>, message: NewMessage, more: Values<ChannelThread> = {}): Promise<Written> {
    const { attachment_ids, asked, isMailed = false, ...values } = message;
    const at = await this.momentIn(thread);
    const taken = attachment_ids?.length ? await this.attaching.take('message_id', { attachment_ids }) : null;
    const written = await this.messages.insert(asked ?? values, (given) => {
      const place = { channel_id: thread.channel_id, thread_id: thread.id, position: thread.message_count + 1 };
      Object.assign(given, values, place, { created_at: at, updated_at: at });
      if (values.direction === 'outbound' && values.status === 'sent') given.sent_at = at;
      if (taken) given.attachments = taken.files;
      return taken ? { rows: taken.rows } : undefined;
    });
    const isInbound = values.direction === 'inbound';
    const told: Told[] = Object.keys(more).some((name) => threadResource.column.has(name))
      ? ['channel_thread.updated']
      : [];
    await this.threads.apply(thread, {
      values: {
        ...more,
        message_count: thread.message_count + 1,
        last_message_at: at,
        ...(isInbound ? { unread_count: thread.unread_count + 1, last_inbound_at: at } : {}),
      },
      events: withRelated([...told, 'channel_thread.message_added'], { message: ownJson<unknown>(written.json) }),
      always: true,
    });
    if (values.status === 'queued' && !isMailed) await this.outbox.follow(thread.id, written.id);
    this.callLive();
    return written;
  }

  /** Tells that something of a message changed. */
  async tellChange(threadId: number, message: { id: number; [told: string]: unknown }): Promise<void> {
    await this.threads.announce(threadId, ['channel_thread.message_updated'], { message });
    this.callLive();
  }

  /** Tells that a message could not be sent. */
  async tellFailure(threadId: number, message: { id: number; error: unknown }): Promise<void> {
    await this.threads.announce(threadId, ['channel_thread.message_failed'], { message });
    this.callLive();
  }

  /** Leaves of a locked message that it was there (decision 36); its files are the caller's. */
  async bury({ id, thread_id, ...before }: Row<ThreadMessage>): Promise<void> {
    const deleted_at = await this.database.moment();
    const stopped = before.status === 'queued' ? { status: 'failed' as const, error: WITHDRAWN } : {};
    const message = { id, thread_id, ...before };
    await this.messages.apply(message, {
      values: {
        body: '',
        attachments: [],
        custom_fields: {},
        metadata: {},
        template: null,
        mentioned_ids: [],
        deleted_at,
        ...stopped,
      },
    });
    await this.forget(message);
    const { author_type, author_id, author_name } = before;
    const related = { message: { id, author_type, author_id, author_name } };
    await this.threads.announce(thread_id, ['channel_thread.message_deleted'], related);
    this.callLive();
  }

  /** Lets a locked message say something else, as if it had never said what it does. */
  async reword(message: Row<ThreadMessage>, values: Values<ThreadMessage> & { body: string }): Promise<void> {
    const { id, thread_id } = message;
    await this.messages.apply(message, { values: { ...values, edited_at: await this.database.moment() } });
    await this.forget(message);
    await this.tellChange(thread_id, { id, body: values.body });
  }

  /** What it said goes from what tells of it, and from whatever was made of that. */
  private forget({ id, thread_id, body }: Row<ThreadMessage>): Promise<void> {
    return this.redaction.forget({
      object: threadResource.singular,
      objectId: thread_id,
      member: 'message',
      id,
      table: messageResource.table,
      names: TEXTS,
      about: [`${threadResource.table}:${thread_id}`, `${messageResource.table}:${id}`],
      said: { ids: [id], texts: [body] },
    });
  }

  /** Whoever listens hears of it at once; of everything else that happens to a conversation within two seconds. */
  private callLive(): void {
    const workspaceId = currentWorkspaceId();
    this.database.afterCommit(() => this.wire.tell(workspaceId));
  }

  /** Messages of one conversation are dated in their order, also those of one unit of work, or of one that began before another. */
  private async momentIn({ last_message_at: last }: Row<ChannelThread>): Promise<string> {
    const now = await this.database.moment();
    if (last === null || Date.parse(now) > Date.parse(last)) return now;
    return new Date(Date.parse(last) + 1).toISOString();
  }
}

const WITHDRAWN = { code: 'withdrawn', message: 'It was deleted before it left.' };
