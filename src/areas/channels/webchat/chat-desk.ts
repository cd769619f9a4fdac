import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { Database } from '../../../platform/database/database';
import type { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../../platform/database/workspace-repository.module';
import type { Row } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { saidText } from '../adapters/telling';
import { type AiMode, WebchatConfig } from '../adapters/webchat-channel';
import { canSend, ChannelsService, leavingStatus, type OpenChannel } from '../channels.service';
import { ThreadMessage } from '../message.entity';
import { isOpenNow } from '../open-hours';
import { ThreadLog } from '../thread-log';
import { ThreadTickets } from '../thread-tickets';
import { ChannelThread } from '../thread.entity';

/** What of a conversation is looked at, at most. */
const MAX_NEWS = 20;
/** Whoever is answered is told that it was no person. */
const AUTHOR = 'AI assistant';

/** A conversation with a visitor that is held until the end of the unit of work. */
export interface HeldChat {
  threadId: number;
  contactId: number | null;
  /** Whether the engine speaks in it, only suggests, or leaves it. */
  ai: AiMode;
  /** Its ticket, unless that is closed: people have it. */
  ticketId: number | null;
  /** Position of what a person of the workspace wrote last; 0 when nobody has. */
  answeredAt: number;
}

/** Something that the visitor said. */
export interface VisitorWord {
  position: number;
  body: string;
  /** They asked for a person otherwise than by words. */
  asksForPerson: boolean;
}

/** Chats for whoever answers in them without being a person: what was said, saying something, and giving them to people. Inside units of work. */
@Injectable()
export class ChatDesk {
  constructor(
    private readonly database: Database,
    @InjectStore(ChannelThread) private readonly threads: Store<ChannelThread>,
    @InjectWorkspaceRepository(ThreadMessage) private readonly messages: WorkspaceRepository<ThreadMessage>,
    private readonly channels: ChannelsService,
    private readonly tickets: ThreadTickets,
    private readonly log: ThreadLog,
  ) {}

  /** The conversation, locked; null where it is none with a visitor, or its channel takes and sends nothing. */
  async hold(threadId: number): Promise<HeldChat | null> {
    return this.chatOf(await this.threads.lockIfAny(threadId));
  }

  /** The same without holding it: it may be another by the time that something is said. */
  async look(threadId: number): Promise<HeldChat | null> {
    return this.chatOf(await this.threads.find(threadId));
  }

  private async chatOf(thread: Row<ChannelThread> | null): Promise<HeldChat | null> {
    const open = thread && (await this.channels.open(thread.channel_id));
    if (!thread || !open || !(open.settings instanceof WebchatConfig)) return null;
    if (open.channel.status !== 'active' || !canSend(open)) return null;
    const last = await this.messages.findOne({
      select: { position: true },
      where: { thread_id: thread.id, direction: 'outbound', author_type: 'agent' },
      order: { position: 'DESC' },
    });
    return {
      threadId: thread.id,
      contactId: thread.contact_id,
      ai: open.settings.ai,
      ticketId: await this.tickets.current(thread.ticket_id),
      answeredAt: last?.position ?? 0,
    };
  }

  /** What the visitor said behind a position, the last of it, oldest first. */
  async news(threadId: number, after: number): Promise<VisitorWord[]> {
    const found = await this.messages.find({
      select: { position: true, body: true, message_type: true },
      where: { thread_id: threadId, direction: 'inbound', position: MoreThan(after) },
      order: { position: 'DESC' },
      take: MAX_NEWS,
    });
    return found
      .filter(({ body }) => body !== '')
      .map(({ position, body, message_type }) => ({ position, body, asksForPerson: message_type === 'event' }))
      .toReversed();
  }

  /** Says something to the visitor. On a ticket it is not written: nobody has answered yet. */
  async say(threadId: number, body: string): Promise<void> {
    const { thread, open } = await this.held(threadId);
    await this.log.add(thread, {
      ...{ body: saidText(body), direction: 'outbound', author_type: 'bot', author_name: AUTHOR },
      ...{ status: leavingStatus(open), contact_id: thread.contact_id },
    });
  }

  /** Says something to the people of the workspace alone. */
  async note(threadId: number, body: string): Promise<void> {
    const { thread } = await this.held(threadId);
    const said = { body: saidText(body), author_type: 'bot', author_name: AUTHOR } as const;
    await this.log.add(thread, { ...said, direction: 'internal', status: 'sent' });
  }

  /**
   * Gives the conversation to people, as a ticket with all that was said, in the queue of the team of the channel.
   *
   * @param teamId where the channel names none
   * @returns its ticket, also one that it had
   */
  async handOver(threadId: number, teamId: number | null): Promise<number> {
    const { thread } = await this.held(threadId);
    return (await this.tickets.current(thread.ticket_id)) ?? this.tickets.convert(threadId, {}, teamId);
  }

  /** What a visitor is told by the channel while nobody is there; null while somebody is, empty where the channel has no words for it. */
  async awayText(threadId: number): Promise<string | null> {
    const { open } = await this.held(threadId);
    if (await isOpenNow(this.database, open.channel)) return null;
    return open.channel.auto_reply?.outside_hours_message ?? '';
  }

  private async held(threadId: number): Promise<{ thread: Row<ChannelThread>; open: OpenChannel }> {
    const thread = await this.threads.lock(threadId);
    return { thread, open: (await this.channels.open(thread.channel_id)) ?? this.threads.missing(threadId) };
  }
}
