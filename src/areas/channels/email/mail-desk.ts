import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Not, Raw } from 'typeorm';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import type { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../../platform/database/workspace-repository.module';
import { Mailer } from '../../../platform/mail/mailer';
import { type MailOutcome, MailOutcomes } from '../../../platform/mail/mail-outcomes';
import type { Row } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { AttachmentsService } from '../../attachments/attachments.service';
import { findContact } from '../../contacts/contact-lookup';
import {
  Mailboxes,
  type MailboxOwner,
  type TakenMail,
  type TicketsOfMailbox,
} from '../../integrations/mail-in/mailboxes';
import { saidText } from '../adapters/telling';
import { Channel } from '../channel.entity';
import { MAX_PEER } from '../channel-values';
import { MessageChanges } from '../message-changes';
import { ThreadMessage } from '../message.entity';
import { ThreadLog } from '../thread-log';
import { ChannelThread } from '../thread.entity';

/** What of a ticket a conversation by mail is about. */
interface MailTicket {
  channel: string;
  subject: string;
  contact_id: number | null;
  requester_email: string | null;
  requester_name: string | null;
}

/**
 * Mailboxes as channels of teams. The mail of this service reads, answers, retries and takes what comes back; here stands what it did:
 * a conversation for each ticket by mail, a message for each mail, known by its Message-ID, and how far it came.
 */
@Injectable()
export class MailDesk implements MailboxOwner, OnModuleInit {
  constructor(
    private readonly database: Database,
    @InjectWorkspaceRepository(Channel) private readonly channels: WorkspaceRepository<Channel>,
    @InjectStore(ChannelThread) private readonly threads: Store<ChannelThread>,
    @InjectWorkspaceRepository(ChannelThread) private readonly storedThreads: WorkspaceRepository<ChannelThread>,
    @InjectStore(ThreadMessage) private readonly messages: Store<ThreadMessage>,
    @InjectWorkspaceRepository(ThreadMessage) private readonly stored: WorkspaceRepository<ThreadMessage>,
    private readonly log: ThreadLog,
    private readonly changes: MessageChanges,
    private readonly attachments: AttachmentsService,
    private readonly mailboxes: Mailboxes,
    private readonly outcomes: MailOutcomes,
    private readonly mailer: Mailer,
  ) {}

  onModuleInit(): void {
    this.mailboxes.own(this);
    this.outcomes.listen('comment', (commentId, outcome) => this.heard(commentId, outcome));
  }

  async ticketsOf(integrationId: number): Promise<TicketsOfMailbox> {
    const channel = await this.channelOf(integrationId);
    if (channel === null) return {};
    const { team_id, default_priority: priority, default_category_id: category_id } = channel;
    return {
      ...(team_id === null ? {} : { team_id }),
      ...(priority === null ? {} : { priority }),
      ...(category_id === null ? {} : { category_id }),
    };
  }

  /** What agents write by mail is a comment of theirs, which goes out, and is a message, as any other. */
  async took(mail: TakenMail): Promise<void> {
    if (mail.comment?.authorType === 'agent') return;
    const channel = await this.channelOf(mail.integrationId);
    const [ticket] = channel
      ? await this.database.query<MailTicket>(TICKET, [currentWorkspaceId(), mail.ticketId])
      : [];
    if (channel === null || ticket?.channel !== 'email') return;
    const thread = await this.threadOf(channel.id, mail.ticketId, ticket);
    const { messageId, from } = mail.mail;
    const author = await findContact(this.database, null, from?.address ?? '');
    const isKnown = messageId.length <= MAX_PEER && !(await this.isNamed(channel.id, messageId));
    await this.log.add(
      thread,
      {
        ...{ body: saidText(mail.body), direction: 'inbound', status: 'received', author_type: 'contact' },
        author_id: author?.id ?? null,
        author_name: from?.name || (author?.name ?? from?.address ?? null),
        contact_id: author?.id ?? null,
        external_message_id: isKnown ? messageId : null,
        comment_id: mail.comment?.id ?? null,
        attachments: await this.attachments.attached(mail.attachmentIds),
      },
      thread.status === 'open' ? {} : { status: 'open' },
    );
  }

  /** How far the mail of a comment has come that was written before its message; nothing while it has not left. */
  async catchUp(commentId: number): Promise<void> {
    const outcome = await this.mailer.outcomeOf(`comment:${commentId}`);
    if (outcome) await this.heard(commentId, outcome);
  }

  private async heard(commentId: number, { status, error, messageId }: MailOutcome): Promise<void> {
    const found = await this.stored.findOne({
      select: { id: true, channel_id: true },
      where: { comment_id: commentId },
    });
    if (!found || !(await this.channels.existsBy({ id: found.channel_id, type: 'email' }))) return;
    const told = error === null ? null : { code: error.code, message: error.message };
    const arrival = { kind: 'status', external_message_id: messageId, status, error: told, at: null } as const;
    await this.changes.follow(found.id, arrival);
    if (messageId.length > MAX_PEER || (await this.isNamed(found.channel_id, messageId))) return;
    const message = await this.messages.lock(found.id);
    if (message.external_message_id === null)
      await this.messages.apply(message, { values: { external_message_id: messageId } });
  }

  private channelOf(integrationId: number): Promise<Channel | null> {
    const config = Raw((column) => `(${column} ->> 'integration_id')::bigint = :integrationId`, { integrationId });
    return this.channels.findOne({ where: { type: 'email', status: Not('archived'), config } });
  }

  /** The conversation of a ticket, locked. */
  private async threadOf(channel_id: number, ticket_id: number, ticket: MailTicket): Promise<Row<ChannelThread>> {
    const where = { channel_id, conversation: `ticket:${ticket_id}` };
    const find = async (): Promise<number | null> =>
      (await this.storedThreads.findOne({ select: { id: true }, where }))?.id ?? null;
    const { contact_id, requester_email, requester_name, subject } = ticket;
    const id =
      (await find()) ??
      (await this.threads.insertUnlessThere({
        ...where,
        ...{ ticket_id, contact_id, subject, peer_address: requester_email },
        peer_name: requester_name ?? requester_email,
      })) ??
      (await find());
    if (id === null) throw new Error('A conversation is neither there nor could it be made.');
    return this.threads.lock(id);
  }

  private isNamed(channel_id: number, external_message_id: string): Promise<boolean> {
    return this.stored.existsBy({ channel_id, external_message_id });
  }
}

const TICKET = `SELECT t.channel, t.subject, t.contact_id, t.requester_email, t.requester_name FROM tickets t WHERE t.workspace_id = $1 AND t.id = $2`;
