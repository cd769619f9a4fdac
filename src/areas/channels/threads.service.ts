import { Injectable } from '@nestjs/common';
import { current, currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import type { WorkspaceRepository } from '../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../platform/database/workspace-repository.module';
import { invalid } from '../../platform/errors/api-error';
import type { SingleResult } from '../../platform/http/results';
import { type ExpectedVersions, requireVersion } from '../../platform/resource/etag';
import type { Row } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { contactOfId } from '../contacts/contact-lookup';
import type { OpenChannel } from './channels.service';
import { isStandIn, People } from './inbound/people';
import type { CreateMessage, MessageRecipient } from './message.dto';
import { ThreadMessage } from './message.entity';
import { Typing } from './live/typing';
import { SHOWN_SECONDS } from './live/typing-notice';
import type { ConvertToTicket, TypingTold } from './thread.dto';
import { ThreadTickets } from './thread-tickets';
import { ChannelThread } from './thread.entity';

/** Finds the conversation that somebody says something in, or begins it. */
@Injectable()
export class Threads {
  constructor(
    @InjectStore(ChannelThread) private readonly records: Store<ChannelThread>,
    @InjectWorkspaceRepository(ChannelThread) private readonly stored: WorkspaceRepository<ChannelThread>,
    @InjectStore(ThreadMessage) private readonly messages: Store<ThreadMessage>,
    private readonly database: Database,
    private readonly people: People,
    private readonly tickets: ThreadTickets,
    private readonly notices: Typing,
  ) {}

  convert(id: number, body: ConvertToTicket, expected: ExpectedVersions): Promise<SingleResult> {
    return this.database.transaction(async () => {
      await this.records.lock(id, expected);
      await this.tickets.convert(id, body);
      return this.records.read(id);
    });
  }

  /** Tells whoever listens to a conversation that the caller is writing in it. */
  async typing(id: number, expected: ExpectedVersions): Promise<TypingTold> {
    const { channel_id, version } = await this.database.transaction(
      async () => (await this.records.find(id)) ?? this.records.missing(id),
    );
    requireVersion(expected, version);
    const user = current().principal?.user ?? null;
    const of = { workspace_id: currentWorkspaceId(), channel_id, thread_id: id };
    this.notices.tell({ ...of, from: 'agent', user_id: user?.id ?? null, name: user?.name ?? null });
    return { seconds: SHOWN_SECONDS };
  }

  /** The conversation of a message that a body describes, locked. 422 for what is not there, or of another channel. Inside the unit of work. */
  async forMessage(open: OpenChannel, { thread_id, reply_to_id, to }: CreateMessage): Promise<Row<ChannelThread>> {
    const scope = { channel_id: open.channel.id };
    const answered = reply_to_id ? await this.messages.find(reply_to_id) : null;
    if (reply_to_id && answered?.channel_id !== scope.channel_id)
      invalid('reply_to_id', 'not_found', `"reply_to_id" names ${reply_to_id}, which does not exist in the channel.`);
    const named = thread_id ?? answered?.thread_id ?? null;
    if (named !== null) {
      const thread = await this.records.lockIfAny(named, scope);
      if (!thread)
        invalid('thread_id', 'not_found', `"thread_id" names ${named}, which does not exist in the channel.`);
      if (answered && answered.thread_id !== thread.id)
        invalid('reply_to_id', 'other_thread', '"reply_to_id" names a message of another conversation.');
      return thread;
    }
    if (to !== undefined) return this.with(open, to);
    if (open.adapter.isOutside) invalid('thread_id', 'required', '"thread_id" or "to" must say who is written to.');
    return this.begun({ channel_id: scope.channel_id });
  }

  /** The conversation of a ticket in which something was said last. */
  private async ofTicket(channel_id: number, ticket_id: number): Promise<Row<ChannelThread>> {
    const where = { channel_id, ticket_id };
    const found = await this.stored.findOne({
      select: { id: true },
      where,
      order: { last_message_at: 'DESC', id: 'DESC' },
    });
    const thread = found && (await this.records.lockIfAny(found.id));
    if (!thread)
      invalid(
        'to.ticket_id',
        'not_found',
        `"to.ticket_id" names ${ticket_id}, which has no conversation in the channel.`,
      );
    return thread;
  }

  /** The conversation with somebody outside. */
  private async with({ channel, adapter }: OpenChannel, to: MessageRecipient): Promise<Row<ChannelThread>> {
    if (!adapter.isOutside) invalid('to', 'invalid', 'An internal channel has nobody outside.');
    if (adapter.isMailed === true) invalid('to', 'invalid', 'What goes by mail begins with a ticket: make one.');
    const { contact_id = null, name = null, ticket_id } = to;
    if (ticket_id !== undefined) return this.ofTicket(channel.id, ticket_id);
    const contact = contact_id === null ? null : await contactOfId(this.database, contact_id);
    if (contact_id !== null && !contact) invalid('to.contact_id', 'not_found', `There is no contact ${contact_id}.`);
    if (contact?.is_blocked) invalid('to.contact_id', 'blocked', 'The contact is blocked.');
    const known = contact && (await this.people.addressOf(channel, contact.id));
    const own = contact && !isStandIn(contact.email) ? contact.email : null;
    const address = to.address ?? known ?? own;
    if (address === null)
      invalid(
        'to.address',
        'required',
        'Nobody knows what the contact is written to by in this channel: name an "address".',
      );
    const there = await this.stored.findOne({
      select: { id: true },
      where: { channel_id: channel.id, conversation: address },
    });
    if (there) return this.records.lock(there.id);
    return this.begun({
      channel_id: channel.id,
      conversation: address,
      peer_address: address,
      peer_name: name ?? contact?.name ?? null,
      contact_id: contact?.id ?? null,
    });
  }

  private async begun(values: Partial<ChannelThread> & { channel_id: number }): Promise<Row<ChannelThread>> {
    const id = await this.records.insertUnlessThere(values);
    const { channel_id, conversation = null } = values;
    const found =
      id ??
      (conversation && (await this.stored.findOne({ select: { id: true }, where: { channel_id, conversation } }))?.id);
    if (!found) throw new Error('A conversation could not be begun.');
    return this.records.lock(found);
  }
}
