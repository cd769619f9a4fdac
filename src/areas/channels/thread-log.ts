import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { EventRedaction } from '../../platform/events/event-redaction';
import type { Told } from '../../platform/resource/change';
import { withRelated } from '../../platform/resource/change';
import { changeEach } from '../../platform/resource/many-changes';
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

/** Of a stored message: who said what, and what became of it. */
export type Said = Pick<
  Row<ThreadMessage>,
  'id' | 'thread_id' | 'body' | 'status' | 'error' | 'author_type' | 'author_id' | 'author_name'
>;

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
  async bury(message: Row<ThreadMessage>): Promise<void> {
    await this.messages.apply(message, { values: leftOf(message, await this.database.moment()) });
    await this.forget(message.thread_id, [message]);
    await this.threads.announce(message.thread_id, BURIED, buriedOf(message));
    this.callLive();
  }

  /** The same of locked messages of one conversation that something else takes along, however many. */
  async buryAll(threadId: number, messages: readonly Said[]): Promise<void> {
    const deletedAt = await this.database.moment();
    const workspace_id = currentWorkspaceId();
    const batches = Array.from({ length: Math.ceil(messages.length / BATCH) }, (_, at) =>
      messages.slice(at * BATCH, (at + 1) * BATCH),
    );
    for (const some of batches) {
      const changes = some.map((message) => ({
        ...{ workspace_id, id: message.id, counts: true, events: [] },
        values: leftOf(message, deletedAt),
      }));
      await changeEach(this.database, messageResource.name, changes);
    }
    await this.forget(threadId, messages);
    for (const some of batches)
      await this.database.run(some.map((message) => this.threads.announcement(threadId, BURIED, buriedOf(message))));
    this.callLive();
  }

  /** Lets a locked message say something else, as if it had never said what it does. */
  async reword(message: Row<ThreadMessage>, values: Values<ThreadMessage> & { body: string }): Promise<void> {
    const { id, thread_id } = message;
    await this.messages.apply(message, { values: { ...values, edited_at: await this.database.moment() } });
    await this.forget(thread_id, [message]);
    await this.tellChange(thread_id, { id, body: values.body });
  }

  /** What they said goes from what tells of it, and from whatever was made of that. */
  private forget(threadId: number, messages: readonly Said[]): Promise<void> {
    const ids = messages.map(({ id }) => id);
    return this.redaction.forget({
      object: threadResource.singular,
      objectId: threadId,
      member: 'message',
      only: ids,
      table: messageResource.table,
      names: TEXTS,
      about: [`${threadResource.table}:${threadId}`, ...ids.map((id) => `${messageResource.table}:${id}`)],
      said: { ids, texts: messages.map(({ body }) => body) },
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

const BURIED = ['channel_thread.message_deleted'];
/** Messages that are buried in one statement. */
const BATCH = 500;

/** What is left of a message that is deleted: whatever is not named here. */
function leftOf({ status, error }: Said, deleted_at: string): Values<ThreadMessage> {
  const left = { body: '', attachments: [], custom_fields: {}, metadata: {}, template: null, mentioned_ids: [] };
  // What waits does not leave any more.
  return { ...left, deleted_at, ...(status === 'queued' ? { status: 'failed', error: WITHDRAWN } : { status, error }) };
}

/** What is told of a message that is deleted. */
function buriedOf({ id, author_type, author_id, author_name }: Said): { message: object } {
  return { message: { id, author_type, author_id, author_name } };
}

const WITHDRAWN = { code: 'withdrawn', message: 'It was deleted before it left.' };
