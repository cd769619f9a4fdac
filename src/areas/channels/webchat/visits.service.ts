import { Injectable } from '@nestjs/common';
import { In, LessThan, MoreThan } from 'typeorm';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../../platform/database/workspace-repository.module';
import { fail, invalid } from '../../../platform/errors/api-error';
import { PageLimits } from '../../../platform/limits/page-limits';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { AttachmentsService } from '../../attachments/attachments.service';
import { addressOf } from '../inbound/arrival';
import { Inbound } from '../inbound/inbound.service';
import { People } from '../inbound/people';
import { saidText, shortText } from '../adapters/telling';
import { Typing } from '../live/typing';
import { MessageChanges } from '../message-changes';
import { ThreadMessage } from '../message.entity';
import { ThreadLog } from '../thread-log';
import { ChannelThread } from '../thread.entity';
import type { OpenChat } from './chat-door';
import type { SaySomething } from './chat.dto';
import { VisitorFiles } from './visitor-files';
import { externalId, visitorMessage, type VisitorMessage } from './visitor-view';
import { peerOf, type Visitor } from './visitor';

/** Messages of one visitor in any 60 seconds. */
const SAID_PER_MINUTE = 30;
/** Characters of an address of a page. */
const MAX_PAGE = 500;
/** Messages that are read at once. */
const PAGE = 50;
/** Marked as read at once; what is older was read with them. */
const MAX_READ = 50;
/** An address of a file opens it for so long; the next look has another. */
const LINK_SECONDS = 86_400;

/** A conversation as its visitor sees it. */
export interface VisitorThread {
  messages: VisitorMessage[];
  /** There are older ones. */
  has_more: boolean;
  /** Null before anybody has said something. */
  thread: number | null;
}

/** What visitors say, and are told. */
@Injectable()
export class Visits {
  constructor(
    private readonly database: Database,
    @InjectStore(ChannelThread) private readonly threads: Store<ChannelThread>,
    @InjectWorkspaceRepository(ChannelThread) private readonly storedThreads: WorkspaceRepository<ChannelThread>,
    @InjectWorkspaceRepository(ThreadMessage) private readonly stored: WorkspaceRepository<ThreadMessage>,
    private readonly inbound: Inbound,
    private readonly people: People,
    private readonly changes: MessageChanges,
    private readonly log: ThreadLog,
    private readonly limits: PageLimits,
    private readonly files: VisitorFiles,
    private readonly attachments: AttachmentsService,
    private readonly notices: Typing,
  ) {}

  /** Takes a message, once for each `client_id`. 403 for who is blocked. */
  async say(chat: OpenChat, visitor: Visitor, told: SaySomething): Promise<VisitorMessage> {
    await this.limits.admit(`chat said:${chat.channel.id}:${visitor.key}`, SAID_PER_MINUTE);
    const attachment_ids = this.files.idsOf(told.files ?? [], chat, visitor);
    if (told.body === undefined && attachment_ids.length === 0) invalid('body', 'required', '"body" is required.');
    const from = peerOf(visitor);
    return this.database.transaction(async () => {
      const { messageId, ignored, duplicate } = await this.inbound.take(chat, {
        kind: 'message',
        external_message_id: externalId(visitor.key, told.client_id),
        conversation: visitor.key,
        reply_to: addressOf(from),
        from,
        subject: null,
        body: saidText(told.body ?? null, '(file)'),
        // What asks for a person is no matter of words.
        message_type: told.asks_for_person === true ? 'event' : 'text',
        sent_at: null,
        in_reply_to: null,
        attachment_ids,
      });
      if (ignored === 'blocked' || messageId === null) fail('insufficient_scope', 'You cannot write here.');
      const message = await this.stored.findOneBy({ id: messageId });
      if (!message) throw new Error('A message went while it was taken in.');
      if (message.position === 1 && !duplicate) await this.note(chat, visitor, message.thread_id, told.page ?? null);
      return this.shown(message, visitor);
    });
  }

  /** What was said, oldest first: the last of it, or what is before or after a position. */
  history(
    chat: OpenChat,
    visitor: Visitor,
    { before, after }: { before?: number; after?: number },
  ): Promise<VisitorThread> {
    return this.database.transaction(async () => {
      const thread = await this.threadOf(chat, visitor);
      if (thread === null) return { messages: [], has_more: false, thread };
      const place =
        after !== undefined
          ? { position: MoreThan(after) }
          : before !== undefined
            ? { position: LessThan(before) }
            : {};
      const found = await this.stored.find({
        where: { thread_id: thread, direction: In(['inbound', 'outbound']), ...place },
        order: { position: after === undefined ? 'DESC' : 'ASC' },
        take: PAGE + 1,
      });
      const page = found.slice(0, PAGE);
      const messages = after === undefined ? page.toReversed() : page;
      return { messages: messages.map((each) => this.shown(each, visitor)), has_more: found.length > PAGE, thread };
    });
  }

  /** The visitor has seen everything as far as a position: what was sent to them is read. */
  async read(chat: OpenChat, visitor: Visitor, position: number): Promise<{ read: number }> {
    return this.database.transaction(async () => {
      const thread = await this.threadOf(chat, visitor);
      if (thread === null) return { read: 0 };
      const unread = await this.stored.find({
        select: { id: true },
        where: {
          thread_id: thread,
          direction: 'outbound',
          status: In(['sent', 'delivered']),
          position: LessThan(position + 1),
        },
        order: { position: 'DESC' },
        take: MAX_READ,
      });
      for (const { id } of unread.toReversed())
        await this.changes.follow(id, {
          kind: 'status',
          external_message_id: '',
          status: 'read',
          error: null,
          at: null,
        });
      return { read: unread.length };
    });
  }

  /** The visitor is writing; nobody is told before their first message. */
  async typing(chat: OpenChat, visitor: Visitor): Promise<{ told: boolean }> {
    const thread_id = await this.database.transaction(() => this.threadOf(chat, visitor));
    if (thread_id === null) return { told: false };
    const of = { workspace_id: currentWorkspaceId(), channel_id: chat.channel.id, thread_id };
    this.notices.tell({ ...of, from: 'visitor', user_id: null, name: visitor.name });
    return { told: true };
  }

  /** The conversation of a visitor; null before they have said something. Inside the unit of work. */
  async threadOf({ channel: { id } }: OpenChat, { key }: Visitor): Promise<number | null> {
    const where = { channel_id: id, conversation: key };
    return (await this.storedThreads.findOne({ select: { id: true }, where }))?.id ?? null;
  }

  /** Messages of their conversation as they are by now, by their ids; without those that are none of theirs. */
  told(visitor: Visitor, ids: readonly number[]): Promise<ReadonlyMap<number, VisitorMessage>> {
    if (ids.length === 0) return Promise.resolve(new Map());
    return this.database.transaction(async () => {
      const where = { id: In([...ids]), direction: In(['inbound', 'outbound']) };
      return new Map((await this.stored.find({ where })).map((each) => [each.id, this.shown(each, visitor)]));
    });
  }

  /** A message as its visitor sees it. */
  private shown(message: ThreadMessage, { key }: Visitor): VisitorMessage {
    return visitorMessage(message, key, (id) => this.attachments.linkTo(id, LINK_SECONDS).url);
  }

  /** Tells the people of the workspace, and not the visitor, where it began, and an address that nobody has proven. */
  private async note(chat: OpenChat, visitor: Visitor, threadId: number, page: string | null): Promise<void> {
    const thread = await this.threads.lock(threadId);
    const person = thread.contact_id === null ? null : await this.people.person(thread.contact_id);
    const isUnproven = visitor.email !== null && person?.email !== visitor.email;
    const begun = shortText(page, MAX_PAGE);
    const said = begun === null ? [] : [`The chat was begun on ${begun}`];
    if (isUnproven)
      said.push(`The visitor gives the address ${visitor.email ?? ''}, which another contact has: nothing proves it.`);
    if (said.length === 0) return;
    await this.log.add(thread, {
      body: said.join('\n'),
      direction: 'internal',
      message_type: 'event',
      author_type: 'system',
      author_name: chat.channel.name,
      status: 'sent',
    });
  }
}
