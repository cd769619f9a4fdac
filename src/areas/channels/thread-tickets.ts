import { Injectable } from '@nestjs/common';
import { composedHere } from '../../platform/database/constraint-errors';
import { Database } from '../../platform/database/database';
import type { WorkspaceRepository } from '../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../platform/database/workspace-repository.module';
import { invalid } from '../../platform/errors/api-error';
import type { Row } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { ownJson } from '../../platform/text/json';
import { AttachmentsService } from '../attachments/attachments.service';
import type { AttachedFile } from '../attachments/holders/attached-file';
import { contactOfId } from '../contacts/contact-lookup';
import { CommentsService } from '../tickets/comments.service';
import { ticketStatusOf } from '../tickets/ticket-lookup';
import { TicketsService } from '../tickets/tickets.service';
import { Channel } from './channel.entity';
import { MAX_MESSAGE, ticketChannelOf } from './channel-values';
import { isStandIn, type Person } from './inbound/people';
import { ThreadMessage } from './message.entity';
import type { ConvertToTicket } from './thread.dto';
import { ChannelThread } from './thread.entity';
import { subjectOf, transcriptOf } from './transcript';

/** The last messages that a ticket is made of. */
const MAX_MESSAGES = 500;

/** What a message became on a ticket. */
interface OnTicket {
  ticketId: number | null;
  comment: { id: number; ticket_id: number; attachments: AttachedFile[] } | null;
  /** Files that are the ticket's; null where it took none. */
  files: AttachedFile[] | null;
}

/** Something that was said to a channel. */
interface Said {
  body: string;
  subject: string | null;
  name: string | null;
  attachment_ids?: readonly number[] | undefined;
  /** Somebody answers who is no person: a ticket is made when people have it. */
  isLed?: boolean;
}

/** What conversations and tickets have to do with each other. */
@Injectable()
export class ThreadTickets {
  constructor(
    private readonly database: Database,
    @InjectStore(ChannelThread) private readonly threads: Store<ChannelThread>,
    @InjectStore(Channel) private readonly channels: Store<Channel>,
    @InjectWorkspaceRepository(ThreadMessage) private readonly messages: WorkspaceRepository<ThreadMessage>,
    private readonly tickets: TicketsService,
    private readonly comments: CommentsService,
    private readonly attachments: AttachmentsService,
  ) {}

  /** What came in is a comment on the ticket of its conversation; where that is closed, or none, it is one of its own by rule of the channel. */
  async receive(channel: Channel, thread: Row<ChannelThread>, person: Person, said: Said): Promise<OnTicket> {
    const current = await this.current(thread.ticket_id);
    if (current !== null) {
      const author = { id: person.id, name: said.name ?? person.email ?? 'Customer', email: person.email };
      const { body, attachment_ids = [] } = said;
      return this.comment(current, { body, author_type: 'requester', author, attachment_ids });
    }
    if (!channel.auto_create_ticket || said.isLed === true)
      return { ticketId: thread.ticket_id, comment: null, files: null };
    const files = await this.attachments.attached(said.attachment_ids ?? []);
    // Where its tickets go may have gone since it was opened.
    const known = (await this.channels.find(channel.id)) ?? channel;
    return { ticketId: await this.open(known, person, said), comment: null, files };
  }

  /** What is sent is a comment on the ticket of its conversation, too, which has its files then. */
  async reply(thread: Row<ChannelThread>, body: string, attachment_ids: readonly number[] = []): Promise<OnTicket> {
    const ticketId = await this.target(thread.ticket_id);
    if (ticketId === null) return { ticketId, comment: null, files: null };
    return this.comment(ticketId, { body, attachment_ids });
  }

  /**
   * Makes a ticket of what was said in a conversation; it goes on in the comments. 422 where it has one that is not closed.
   *
   * @param teamId whose it is where the channel has no team
   */
  async convert(
    threadId: number,
    { subject, priority }: ConvertToTicket,
    teamId: number | null = null,
  ): Promise<number> {
    return this.database.transaction(async () => {
      const thread = await this.threads.lock(threadId);
      const current = await this.current(thread.ticket_id);
      if (current !== null)
        invalid('id', 'has_ticket', `The conversation has a ticket: ${current}.`, { ticket_id: current });
      const channel = await this.channels.lock(thread.channel_id);
      const said = await this.messages.find({
        where: { thread_id: threadId },
        order: { position: 'DESC' },
        take: MAX_MESSAGES,
      });
      const [first] = said.toReversed().filter(({ body }) => body !== '');
      const text = transcriptOf(said.toReversed(), MAX_MESSAGE);
      const contact = thread.contact_id === null ? null : await contactOfId(this.database, thread.contact_id);
      const person = contact && { ...contact, email: isStandIn(contact.email) ? null : contact.email };
      const named = subject ?? thread.subject ?? subjectOf(first?.body ?? '');
      const asked = {
        ...channel,
        default_priority: priority ?? channel.default_priority,
        team_id: channel.team_id ?? teamId,
      };
      const ticketId = await this.open(asked, person, {
        body: text,
        subject: named,
        name: thread.peer_name,
      });
      await this.threads.apply(thread, { values: { ticket_id: ticketId } });
      return ticketId;
    });
  }

  private async open(
    channel: Row<Channel>,
    person: Person | null,
    { body, subject, name, attachment_ids = [] }: Said,
  ): Promise<number> {
    const email = person?.email ?? null;
    const asker =
      email === null
        ? { contact_id: person?.id ?? null, requester_name: name, company_id: person?.company_id ?? null }
        : {};
    const { id } = await this.tickets.createKnown(
      composedHere({
        subject: subject ?? subjectOf(body),
        description: body,
        attachment_ids,
        channel: ticketChannelOf(channel.type),
        ...(email === null ? {} : { requester_email: email, requester_name: name }),
        ...(channel.default_priority === null ? {} : { priority: channel.default_priority }),
        ...(channel.default_category_id === null ? {} : { category_id: channel.default_category_id }),
        ...(channel.team_id === null ? {} : { team_id: channel.team_id }),
      }),
      asker,
    );
    return id;
  }

  private async comment(ticketId: number, body: Parameters<CommentsService['add']>[1]): Promise<OnTicket> {
    const result = await this.comments.add(ticketId, body);
    const comment = ownJson<NonNullable<OnTicket['comment']>>(result.json);
    return { ticketId: comment.ticket_id, comment, files: comment.attachments };
  }

  /** The ticket, or the one that it was merged into, unless it is closed. */
  async current(ticketId: number | null): Promise<number | null> {
    const target = await this.target(ticketId);
    if (target === null) return null;
    return (await ticketStatusOf(this.database, target)) === 'closed' ? null : target;
  }

  private async target(ticketId: number | null): Promise<number | null> {
    return ticketId === null ? null : this.tickets.mergeTarget(ticketId);
  }
}
