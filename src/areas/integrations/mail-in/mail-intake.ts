import { Injectable } from '@nestjs/common';
import { type Actor, currentWorkspaceId } from '../../../platform/context/current';
import { composedHere } from '../../../platform/database/constraint-errors';
import { Database } from '../../../platform/database/database';
import { isBlank } from '../../../platform/columns/not-blank';
import { ApiError } from '../../../platform/errors/api-error';
import { MailAccounts } from '../../../platform/mail/mail-accounts';
import { isRecord, ownJson } from '../../../platform/text/json';
import { CommentsService } from '../../tickets/comments.service';
import { MAX_COPIES } from '../../tickets/followers/copies';
import { Participants, type WrittenTo } from '../../tickets/followers/participants.service';
import { FollowUps } from '../../tickets/relations/follow-ups.service';
import { TicketsService } from '../../tickets/tickets.service';
import { IntegrationLogsService } from '../integration-logs.service';
import { IntegrationStates } from '../integration-states.service';
import type { Installation } from '../integrations.service';
import { settingsOf } from '../integration-config';
import { ImapConfig } from '../provider-configs';
import { blockedAddresses } from '../../contacts/contact-lookup';
import { ContactsService } from '../../contacts/contacts.service';
import { activeUserByEmail } from '../../users/user-lookup';
import type { AttachedFile } from '../../attachments/holders/attached-file';
import { type ArrivedMailFile, KeptFiles } from './kept-files';
import { HtmlTexts } from './html-texts';
import { type IncomingMail, readMail } from './incoming-mail';
import { type BounceReport, readBounce } from './bounce-report';
import { Bounces } from './bounces';
import { mayBeAnsweredByMachines, skipReason } from './mail-filter';
import { Mailboxes } from './mailboxes';
import { MailPlaces } from './mail-places';
import { ownAddresses } from './own-addresses';
import { MailThread, type Sender } from './mail-thread';
import { body, CUT, type Skipped, whyOf } from './mail-words';
import { replyText } from './reply-text';

/** Recipients of a message that are looked at. */
const MAX_RECIPIENTS = 50;
const SYSTEM: Actor = { type: 'system', id: null, name: 'system' };

/** A message where it lies on the server. */
export interface FetchedMail {
  uid: number;
  source: Buffer;
  /** It is larger than what was read. */
  isCut: boolean;
}

type Verdict =
  | { status: 'success' }
  | {
      status: 'skipped';
      reason: Skipped;
      /** Addresses that a report is about. */
      about?: readonly string[];
    };

/** Lets messages in: each becomes a ticket or a comment, once. */
@Injectable()
export class MailIntake {
  constructor(
    private readonly database: Database,
    private readonly accounts: MailAccounts,
    private readonly thread: MailThread,
    private readonly places: MailPlaces,
    private readonly htmlTexts: HtmlTexts,
    private readonly tickets: TicketsService,
    private readonly comments: CommentsService,
    private readonly followUps: FollowUps,
    private readonly participants: Participants,
    private readonly logs: IntegrationLogsService,
    private readonly states: IntegrationStates,
    private readonly files: KeptFiles,
    private readonly bounces: Bounces,
    private readonly contacts: ContactsService,
    private readonly mailboxes: Mailboxes,
  ) {}

  /**
   * Takes one message; runs in the workspace, outside a transaction. What it becomes, that it was seen and the log are
   * one transaction. A message that cannot be taken is logged and passed over; one bad message must not stop the rest.
   *
   * @throws ApiError 503 when PostgreSQL is away: the message is to be fetched again
   */
  async take(installation: Installation, fetched: FetchedMail): Promise<void> {
    const began = performance.now();
    let arrived: readonly ArrivedMailFile[] = [];
    try {
      const mail = await readMail(fetched.source, (html) => this.htmlTexts.of(html));
      const bounce = skipReason(mail, []) === 'bounce' ? await readBounce(fetched.source) : null;
      // What is passed over whatever it is about leaves nothing.
      if (skipReason(mail, []) === null) arrived = await this.files.arrive(mail);
      const actor = mail.from === null || bounce ? SYSTEM : await this.actorOf(mail.from);
      await this.database.inWorkspace(currentWorkspaceId(), actor, () =>
        this.database.transaction(async () => {
          const verdict = bounce
            ? await this.returned(installation, mail, bounce)
            : await this.decide(installation, mail, arrived, fetched.isCut);
          await this.remember(installation, fetched, mail, began, verdict);
        }),
      );
    } catch (error) {
      if (isOutage(error)) throw error;
      await this.passOver(installation, fetched, began, error);
    } finally {
      await this.files.discardOthers(arrived);
    }
  }

  private async decide(
    installation: Installation,
    mail: IncomingMail,
    arrived: readonly ArrivedMailFile[],
    isCut: boolean,
  ): Promise<Verdict> {
    const reason = skipReason(mail, await ownAddresses(this.database, this.accounts));
    if (reason !== null || mail.from === null) return { status: 'skipped', reason: reason ?? 'no_sender' };
    if (await this.isBlocked(mail.from.address)) return { status: 'skipped', reason: 'blocked' };
    const { max_per_sender_per_hour: limit } = settingsOf(ImapConfig, installation.config);
    if ((await this.thread.recentOf(mail.from.address)) >= limit) return { status: 'skipped', reason: 'too_many' };
    if (!(await this.claim(installation, mail))) return { status: 'skipped', reason: 'duplicate' };
    await this.contacts.mailArrives(mail.from.address);
    const place = await this.places.of(mail);
    const files = await this.files.keep(arrived);
    const notes = [...files.notes, ...(isCut ? [CUT] : [])];
    const box = installation.id;
    if ('sender' in place) await this.comment(box, place.ticketId, mail, place.sender, files.ids, notes);
    else await this.openTicket(box, mail, files.ids, notes, place.goesOnWith);
    return { status: 'success' };
  }

  /** No ticket comes of a report; whom it is about is told. Each report counts once. */
  private async returned(installation: Installation, mail: IncomingMail, bounce: BounceReport): Promise<Verdict> {
    if (!(await this.claim(installation, mail))) return { status: 'skipped', reason: 'duplicate' };
    const lost = await this.bounces.take(bounce);
    return { status: 'skipped', reason: 'bounce', about: lost.map(({ address }) => address) };
  }

  /** Whoever enters the message's id first is the one to take it, whichever mailbox it came through. */
  private async claim({ id }: Installation, mail: IncomingMail): Promise<boolean> {
    const rows = await this.database.query(
      `INSERT INTO mail_messages (workspace_id, message_id, direction, integration_id, sender, is_answerable) VALUES ($1, $2, 'in', $3, $4, $5)
       ON CONFLICT DO NOTHING RETURNING message_id`,
      [currentWorkspaceId(), mail.messageId, id, mail.from?.address ?? null, mayBeAnsweredByMachines(mail)],
    );
    return rows.length === 1;
  }

  /** @param closed the ticket that it goes on with */
  private async openTicket(
    integrationId: number,
    mail: IncomingMail,
    attachment_ids: number[],
    notes: readonly string[],
    closed: number | null,
  ): Promise<void> {
    const description = body(closed === null ? mail.text : replyText(mail.text), mail, notes);
    const others = await this.others(mail);
    const said = {
      subject: isBlank(mail.subject) ? '(no subject)' : mail.subject,
      ...{ description, attachment_ids, channel: 'email' as const },
      requester_email: mail.from?.address,
      requester_name: mail.from?.name === '' ? null : mail.from?.name,
      cc_emails: others.copies.slice(0, MAX_COPIES),
    };
    const { id } =
      closed === null
        ? await this.tickets.createKnown(composedHere({ ...said, ...(await this.mailboxes.ticketsOf(integrationId)) }))
        : await this.followUps.createKnown(closed, said);
    await this.participants.take(id, { ...others, copies: [] });
    await this.lead(mail, id, null);
    await this.mailboxes.took({
      ...{ integrationId, mail, body: description, ticketId: id, comment: null, attachmentIds: attachment_ids },
    });
  }

  private async comment(
    integrationId: number,
    ticketId: number,
    mail: IncomingMail,
    sender: Sender,
    attachment_ids: number[],
    notes: readonly string[],
  ): Promise<void> {
    const email = mail.from?.address ?? '';
    const said = body(replyText(mail.text), mail, notes);
    const result = await this.comments.add(ticketId, {
      body: said,
      attachment_ids,
      author_type: sender.kind,
      author: { id: sender.id, name: mail.from?.name === '' ? sender.name : (mail.from?.name ?? sender.name), email },
    });
    const { id, ticket_id, attachments } = ownJson<{ id: number; ticket_id: number; attachments: AttachedFile[] }>(
      result.json,
    );
    await this.participants.take(ticket_id, await this.others(mail));
    await this.lead(mail, ticket_id, id);
    const comment = { id, authorType: sender.kind, attachments };
    await this.mailboxes.took({
      ...{ integrationId, mail, body: said, ticketId: ticket_id, comment, attachmentIds: attachment_ids },
    });
  }

  /** Whom the message was written to besides this workspace. */
  private async others(mail: IncomingMail): Promise<WrittenTo> {
    const own = await ownAddresses(this.database, this.accounts);
    const others = [...mail.recipients, ...mail.cc].filter(
      (each) => each !== mail.from?.address && !own.includes(each),
    );
    return this.participants.sorted([...new Set(others)].slice(0, MAX_RECIPIENTS));
  }

  /** Later answers to this message find their ticket by it. */
  private async lead(mail: IncomingMail, ticketId: number, commentId: number | null): Promise<void> {
    await this.database.query(
      'UPDATE mail_messages SET ticket_id = $3, comment_id = $4 WHERE workspace_id = $1 AND message_id = $2',
      [currentWorkspaceId(), mail.messageId, ticketId, commentId],
    );
  }

  private async remember(
    installation: Installation,
    { uid }: FetchedMail,
    mail: IncomingMail,
    began: number,
    verdict: Verdict,
  ): Promise<void> {
    await this.seen(installation.id, uid);
    if (verdict.status === 'success') await this.states.succeeded(installation.id);
    await this.logs.add({
      integration_id: installation.id,
      direction: 'inbound',
      event: 'mail.received',
      status: verdict.status,
      http_method: 'IMAP',
      url: place(installation, uid),
      request_headers: { From: mail.from?.address ?? '', Subject: mail.subject, 'Message-ID': mail.messageId },
      request_body: mail.text,
      duration_ms: Math.round(performance.now() - began),
      error:
        verdict.status === 'skipped' ? { code: verdict.reason, message: whyOf(verdict.reason, verdict.about) } : null,
      delivery_id: mail.messageId,
    });
  }

  private async passOver(
    installation: Installation,
    { uid }: FetchedMail,
    began: number,
    error: unknown,
  ): Promise<void> {
    const message = error instanceof ApiError ? error.message : 'The message could not be read.';
    await this.database.transaction(async () => {
      await this.seen(installation.id, uid);
      await this.logs.add({
        integration_id: installation.id,
        direction: 'inbound',
        event: 'mail.received',
        status: 'failed',
        http_method: 'IMAP',
        url: place(installation, uid),
        duration_ms: Math.round(performance.now() - began),
        error: { code: error instanceof ApiError ? error.type : 'unreadable', message },
      });
    });
  }

  private async seen(id: number, uid: number): Promise<void> {
    await this.database.query(
      `UPDATE integration_states SET last_uid = greatest(last_uid, $3) WHERE workspace_id = $1 AND integration_id = $2`,
      [currentWorkspaceId(), id, uid],
    );
  }

  /** An active agent acts as the user; anyone else as the requester. */
  private async actorOf({ address, name }: { address: string; name: string }): Promise<Actor> {
    return this.database.transaction(async () => {
      const user = await activeUserByEmail(this.database, address);
      return user
        ? { type: 'user', id: user.id, name: user.name }
        : { type: 'requester', id: null, name: name === '' ? address : name };
    });
  }

  private async isBlocked(address: string): Promise<boolean> {
    return (await blockedAddresses(this.database, [address])).length > 0;
  }
}

function place({ config }: Installation, uid: number): string {
  const { host, mailbox } = settingsOf(ImapConfig, config);
  return `imap://${host}/${encodeURIComponent(mailbox)};UID=${uid}`;
}

/** PostgreSQL or the connection to it is the matter, not the message. */
function isOutage(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 503;
  const { code } = isRecord(error) ? error : {};
  return typeof code === 'string' && /^(08|53|57P|ECONN|EPIPE)/.test(code);
}
