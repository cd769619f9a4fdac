import { Injectable } from '@nestjs/common';
import { clockMs } from '../../platform/context/clock';
import { current } from '../../platform/context/current';
import { demand } from '../../platform/context/demand';
import { Database } from '../../platform/database/database';
import { invalid } from '../../platform/errors/api-error';
import type { ListResult, SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { ListParams } from '../../platform/resource/reader';
import type { Row, Values } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { canonical } from '../../platform/text/json';
import { mentionsIn } from '../tickets/followers/mentions';
import { namedUsers } from '../users/user-lookup';
import { Channel } from './channel.entity';
import { canSend, ChannelsService, leavingStatus, type OpenChannel } from './channels.service';
import { Marks } from './marks/marks.service';
import { MessageChanges } from './message-changes';
import type { CreateChannelMessage, CreateMessage, React, UpdateMessage } from './message.dto';
import { ThreadMessage } from './message.entity';
import type { MessageTemplate } from './message-template';
import { type NewMessage, ThreadLog } from './thread-log';
import { ThreadTickets } from './thread-tickets';
import { ChannelThread } from './thread.entity';
import { Threads } from './threads.service';
import { windowClosed } from './outbound/reply-window';

/** What people of the workspace say: in internal channels to each other, elsewhere to who is outside. */
@Injectable()
export class MessagesService {
  constructor(
    @InjectStore(ThreadMessage) private readonly records: Store<ThreadMessage>,
    @InjectStore(Channel) private readonly channelRecords: Store<Channel>,
    private readonly database: Database,
    private readonly channels: ChannelsService,
    private readonly threads: Threads,
    private readonly tickets: ThreadTickets,
    private readonly changes: MessageChanges,
    private readonly log: ThreadLog,
    private readonly marks: Marks,
  ) {}

  async listOf(channelId: number, params: ListParams): Promise<ListResult> {
    await this.channelRecords.require(channelId);
    return this.records.list(params, { channel_id: channelId });
  }

  async createIn(channelId: number, body: CreateChannelMessage): Promise<SingleResult> {
    await this.channelRecords.require(channelId);
    return this.create(Object.assign(body, { channel_id: channelId }));
  }

  create(body: CreateMessage): Promise<SingleResult> {
    return this.database.transaction(async () => {
      const open = await this.channels.open(body.channel_id);
      if (!open) invalid('channel_id', 'not_found', `"channel_id" names ${body.channel_id}, which does not exist.`);
      const thread = await this.threads.forMessage(open, body);
      requireActive(open);
      const { external_id = null, custom_fields = {}, reply_to_id = null, metadata = {}, template = null } = body;
      requireTaken(open, thread, template, this.author().author_type);
      const said: NewMessage = {
        ...{
          ...this.author(),
          external_id,
          custom_fields,
          reply_to_id,
          metadata,
          template,
          body: body.body,
          asked: body,
        },
        message_type: template === null ? 'text' : 'template',
      };
      const written = open.adapter.isOutside
        ? await this.send(open, thread, said, body)
        : await this.log.add(thread, {
            ...said,
            direction: 'internal',
            status: 'sent',
            mentioned_ids: await this.mentioned(body.body),
            attachment_ids: body.attachment_ids,
          });
      return this.records.answer(written, 201);
    });
  }

  edit(id: number, body: UpdateMessage, expected: ExpectedVersions): Promise<SingleResult> {
    return this.database.transaction(async () => {
      const message = await this.changes.held(id, expected);
      return this.records.update(id, body, null, async (before, values) => {
        const { body: text, ...more } = values;
        if (text === undefined || text === before.body) {
          if (differs(before, more)) await this.log.tellChange(before.thread_id, { id, body: before.body });
          return { values: more };
        }
        this.requireEditable(message);
        const mentioned_ids = message.direction === 'internal' ? await this.mentioned(text) : [];
        const added = mentioned_ids.filter((each) => !before.mentioned_ids.includes(each));
        return { values: { ...more, ...(await this.changes.edited(message, text, added)), mentioned_ids } };
      });
    });
  }

  /** It stays as a sign that it was there. */
  remove(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.database.transaction(async () => {
      const message = await this.changes.held(id, expected);
      if (message.deleted_at === null) {
        requireOwn(message);
        await this.changes.bury(message);
      }
      return this.records.read(id);
    });
  }

  react(id: number, { emoji, removed = false }: React, expected: ExpectedVersions): Promise<SingleResult> {
    return this.database.transaction(async () => {
      const message = await this.changes.held(id, expected);
      if (message.deleted_at !== null) invalid('id', 'deleted', 'The message was deleted.');
      await this.marks.react(message, this.marks.caller(), emoji, removed);
      return this.records.read(id);
    });
  }

  markRead(id: number, expected: ExpectedVersions): Promise<SingleResult> {
    return this.database.transaction(async () => {
      await this.marks.read(await this.changes.held(id, expected));
      return this.records.read(id);
    });
  }

  convert(
    id: number,
    body: Parameters<ThreadTickets['convert']>[1],
    expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.database.transaction(async () => {
      const { thread_id } = await this.changes.held(id, expected);
      await this.tickets.convert(thread_id, body);
      return this.records.read(id);
    });
  }

  private async send(
    open: OpenChannel,
    thread: Row<ChannelThread>,
    said: NewMessage,
    { attachment_ids }: CreateMessage,
  ): Promise<Awaited<ReturnType<ThreadLog['add']>>> {
    demand('tickets.reply');
    const { ticketId, comment } = await this.tickets.reply(thread, said.body, attachment_ids);
    const { isMailed } = open.adapter;
    if (isMailed === true && comment === null)
      invalid('thread_id', 'no_ticket', 'What goes by mail is said on a ticket, and this conversation has none.');
    const files = comment ? { attachments: comment.attachments, comment_id: comment.id } : { attachment_ids };
    const more: Values<ChannelThread> = {
      ...(thread.status === 'open' ? {} : { status: 'open' }),
      ...(thread.ticket_id === ticketId ? {} : { ticket_id: ticketId }),
    };
    const message = {
      ...said,
      ...files,
      direction: 'outbound',
      status: leavingStatus(open),
      contact_id: thread.contact_id,
      isMailed,
    } as const;
    return this.log.add(thread, message, more);
  }

  private author(): Pick<ThreadMessage, 'author_type' | 'author_id' | 'author_name'> {
    const { actor, principal } = current();
    const isPerson = actor.type === 'user' || actor.type === 'token';
    return {
      author_type: isPerson ? 'agent' : 'bot',
      author_id: principal?.userId ?? null,
      author_name: principal?.user?.name ?? actor.name,
    };
  }

  private async mentioned(body: string): Promise<number[]> {
    const named = mentionsIn(body);
    if (named.ids.length + named.emails.length + named.handles.length === 0) return [];
    const own = current().principal?.userId ?? null;
    return (await namedUsers(this.database, named)).filter((id) => id !== own);
  }

  private requireEditable(message: Row<ThreadMessage>): void {
    if (message.deleted_at !== null) invalid('body', 'deleted', 'The message was deleted.');
    if (message.direction === 'inbound') invalid('body', 'inbound', 'What others wrote cannot be changed.');
    requireOwn(message);
    if (message.direction === 'outbound' && (message.status !== 'queued' || message.attempts + message.parts_sent > 0))
      invalid('body', 'sent', 'The message has left already.');
  }
}

function requireActive(open: OpenChannel): void {
  const { status } = open.channel;
  if (status === 'archived') invalid('channel_id', 'archived', 'The channel was deleted.');
  if (open.adapter.isOutside && !canSend(open))
    invalid('channel_id', 'receives_only', 'The channel only takes messages in: it has nowhere to send to.');
}

/** A template where the other side takes one, and nothing else where it takes nothing else. */
function requireTaken(
  open: OpenChannel,
  { last_inbound_at: lastInboundAt }: Row<ChannelThread>,
  template: MessageTemplate | null,
  author: ThreadMessage['author_type'],
): void {
  const { adapter } = open;
  if (template !== null && adapter.takesTemplates !== true)
    invalid('template', 'not_taken', `${adapter.name} channels have no templates.`);
  const closed = template === null ? windowClosed(open, { lastInboundAt, author, nowMs: clockMs() }) : null;
  if (closed) invalid(adapter.takesTemplates === true ? 'template' : 'body', closed.code, closed.message);
}

function differs(before: Row<ThreadMessage>, { external_id, custom_fields }: Values<ThreadMessage>): boolean {
  const isNamed = external_id !== undefined && external_id !== before.external_id;
  return isNamed || (custom_fields !== undefined && canonical(custom_fields) !== canonical(before.custom_fields));
}

/** One's own; those of others are for who may moderate. */
function requireOwn({ author_type, author_id }: Row<ThreadMessage>): void {
  const { principal } = current();
  const isOwn = author_type === 'agent' && author_id === (principal?.userId ?? null);
  if (!isOwn) demand('channels.moderate');
}
