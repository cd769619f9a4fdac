import { Injectable } from '@nestjs/common';
import { Raw } from 'typeorm';
import { Database } from '../../../platform/database/database';
import type { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../../platform/database/workspace-repository.module';
import { ApiError } from '../../../platform/errors/api-error';
import type { Row, Values } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import type { Arrival, ArrivedMessage } from '../adapters/adapter';
import { isLedByEngine } from '../adapters/webchat-channel';
import type { Channel } from '../channel.entity';
import type { OpenChannel } from '../channels.service';
import { MessageChanges } from '../message-changes';
import { ThreadMessage } from '../message.entity';
import { AutoReplies } from '../outbound/auto-replies';
import { type NewMessage, ThreadLog } from '../thread-log';
import { ThreadTickets } from '../thread-tickets';
import { ChannelThread } from '../thread.entity';
import { addressOf } from './arrival';
import type { InboundAnswer } from './inbound.dto';
import { People, type Person } from './people';

/** What became of one thing that was told: ids, which the answer shows as records. */
export interface Taken extends Pick<InboundAnswer, 'duplicate' | 'ignored'> {
  messageId: number | null;
  ticketId: number | null;
}

const NAMED = { id: true, thread_id: true, external_message_id: true, contact_id: true } as const;
type Named = Pick<ThreadMessage, keyof typeof NAMED>;

const NOTHING: Taken = { messageId: null, ticketId: null, duplicate: false, ignored: null };

/** Takes what the other side of a channel tells: each message once, in the order of its coming. */
@Injectable()
export class Inbound {
  constructor(
    private readonly database: Database,
    @InjectStore(ChannelThread) private readonly threads: Store<ChannelThread>,
    @InjectWorkspaceRepository(ChannelThread) private readonly storedThreads: WorkspaceRepository<ChannelThread>,
    @InjectWorkspaceRepository(ThreadMessage) private readonly messages: WorkspaceRepository<ThreadMessage>,
    private readonly people: People,
    private readonly tickets: ThreadTickets,
    private readonly changes: MessageChanges,
    private readonly replies: AutoReplies,
    private readonly log: ThreadLog,
  ) {}

  /** One unit of work. What comes twice, however close together, is told so and changes nothing. */
  async take(open: OpenChannel, arrival: Arrival): Promise<Taken> {
    if (arrival.kind === 'message') return this.message(open, arrival);
    return this.database.transaction(async () => {
      const known = await this.meant(open.channel.id, arrival.external_message_id);
      if (!known) return { ...NOTHING, ignored: 'unknown_message' };
      if (await this.isSilenced(open.channel, known, arrival)) return { ...NOTHING, ignored: 'blocked' };
      // A message has come as far as its last part; without one of its parts it has not.
      const isOfPart = known.external_message_id !== arrival.external_message_id;
      const isAdvance = arrival.kind === 'status' && arrival.status !== 'failed';
      const ignored = isOfPart && isAdvance ? null : await this.changes.follow(known.id, arrival);
      return { ...NOTHING, messageId: ignored === null ? known.id : null, ignored };
    });
  }

  /** Who is blocked says nothing more, by other words for what they said or by reactions. What they said they may take back. */
  private async isSilenced(channel: Channel, { contact_id }: Named, arrival: Arrival): Promise<boolean> {
    if (arrival.kind === 'reaction') return this.people.isBlocked(channel, arrival.from);
    if (arrival.kind !== 'edit' || contact_id === null) return false;
    return (await this.people.person(contact_id))?.is_blocked === true;
  }

  private async message(open: OpenChannel, arrival: ArrivedMessage): Promise<Taken> {
    const takeIn = (): Promise<Taken> => this.database.transaction(() => this.takeIn(open, arrival));
    try {
      return await takeIn();
    } catch (error) {
      // Somebody else has taken it into another conversation: it is found now.
      if (isNamedTwice(error)) return takeIn();
      throw error;
    }
  }

  private async takeIn(open: OpenChannel, arrival: ArrivedMessage): Promise<Taken> {
    const { channel } = open;
    const early = await this.known(channel.id, arrival);
    if (early) return early;
    const person = (await this.partner(channel, arrival)) ?? (await this.people.personOf(channel, arrival.from));
    if (person.is_blocked) return { ...NOTHING, ignored: 'blocked' };
    const thread = await this.threadOf(channel, arrival, person);
    // Whoever came first has held the conversation until now.
    const late = await this.known(channel.id, arrival);
    if (late) return late;
    const { body, subject, attachment_ids } = arrival;
    const isLed = isLedByEngine(open.settings);
    const said = { body, subject, name: arrival.from.name ?? person.name, attachment_ids, isLed };
    const { ticketId, comment, files } = await this.tickets.receive(channel, thread, person, said);
    const taken = files === null ? { attachment_ids } : { attachments: files };
    const message = { ...(await this.valuesOf(thread, arrival, person)), ...taken, comment_id: comment?.id ?? null };
    const more: Values<ChannelThread> = {
      ...(thread.status === 'open' ? {} : { status: 'open' }),
      ...(thread.ticket_id === ticketId ? {} : { ticket_id: ticketId }),
    };
    const written = await this.log.add(thread, message, more);
    if (!isLed) await this.replies.follow(open, thread.id);
    return { ...NOTHING, messageId: written.id, ticketId };
  }

  private async valuesOf(
    { id, channel_id }: Row<ChannelThread>,
    { body, message_type, external_message_id, sent_at, in_reply_to, from, metadata = {} }: ArrivedMessage,
    person: Person,
  ): Promise<NewMessage> {
    const answered = in_reply_to === null ? null : await this.meant(channel_id, in_reply_to);
    return {
      direction: 'inbound',
      body,
      message_type,
      metadata: { ...metadata },
      author_type: 'contact',
      author_id: person.id,
      author_name: from.name ?? person.name,
      contact_id: person.id,
      status: 'received',
      external_message_id,
      sent_at,
      reply_to_id: answered?.thread_id === id ? answered.id : null,
    };
  }

  /** The conversation, made where there is none, locked until the end of the unit of work. */
  private async threadOf(
    channel: Channel,
    { conversation, reply_to, from }: ArrivedMessage,
    person: Person,
  ): Promise<Row<ChannelThread>> {
    const id =
      (await this.threadNamed(channel.id, conversation)) ??
      (await this.threads.insertUnlessThere({
        channel_id: channel.id,
        conversation,
        peer_address: reply_to ?? conversation,
        peer_name: from.name ?? person.name,
        contact_id: person.id,
      })) ??
      (await this.threadNamed(channel.id, conversation));
    if (id === null) throw new Error('A conversation is neither there nor could it be made.');
    const thread = await this.threads.lock(id);
    // Whoever was at the other end may have been deleted since.
    if (thread.contact_id !== null) return thread;
    await this.threads.apply(thread, { values: { contact_id: person.id } });
    return this.threads.lock(id);
  }

  /** Whoever the conversation is with: they may have been merged with another contact since. */
  private async partner(channel: Channel, { conversation, reply_to, from }: ArrivedMessage): Promise<Person | null> {
    if (reply_to !== addressOf(from)) return null;
    const where = { channel_id: channel.id, conversation, peer_address: reply_to };
    const thread = await this.storedThreads.findOne({ select: { contact_id: true }, where });
    return thread?.contact_id ? this.people.person(thread.contact_id) : null;
  }

  private async threadNamed(channel_id: number, conversation: string): Promise<number | null> {
    const where = { channel_id, conversation };
    return (await this.storedThreads.findOne({ select: { id: true }, where }))?.id ?? null;
  }

  private async known(channelId: number, { external_message_id }: ArrivedMessage): Promise<Taken | null> {
    const message = await this.named(channelId, external_message_id);
    if (!message) return null;
    const thread = await this.storedThreads.findOne({ select: { ticket_id: true }, where: { id: message.thread_id } });
    return { ...NOTHING, messageId: message.id, ticketId: thread?.ticket_id ?? null, duplicate: true };
  }

  private named(channel_id: number, external_message_id: string): Promise<Named | null> {
    return this.messages.findOne({ select: NAMED, where: { channel_id, external_message_id } });
  }

  /** The message of a name, or the one that a part of it has. */
  private async meant(channel_id: number, name: string): Promise<Named | null> {
    const part_ids = Raw((column) => `${column} @> ARRAY[:name]::text[] AND ${column} <> '{}'`, { name });
    return (
      (await this.named(channel_id, name)) ??
      (await this.messages.findOne({ select: NAMED, where: { channel_id, part_ids } }))
    );
  }
}

function isNamedTwice(error: unknown): boolean {
  return error instanceof ApiError && error.extras.details?.[0]?.field === 'external_message_id';
}
