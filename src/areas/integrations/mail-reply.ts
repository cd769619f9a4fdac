import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { escapeMarkdown } from '../../platform/conditions/template';
import { Database } from '../../platform/database/database';
import { MailAccounts } from '../../platform/mail/mail-accounts';
import { cleanAddress } from '../../platform/mail/mail-address';
import { Mailer } from '../../platform/mail/mailer';
import { MailTexts } from '../../platform/mail/texts/mail-texts';
import type { StoredMailFile } from '../../platform/mail/mail-attachment';
import type { LetterLink, LetterParts } from '../../platform/mail/letter/letter';
import { MailHistories } from '../../platform/mail/mail-histories';
import type { JobHandler, Job, JobOutcome } from '../../platform/queue/job-handler';
import { JobQueue } from '../../platform/queue/job-queue';
import { AttachmentsService } from '../attachments/attachments.service';
import type { AttachedFile } from '../attachments/holders/attached-file';
import { blockedAddresses, languageOfAddress } from '../contacts/contact-lookup';
import { teamName, teamSignature } from '../teams/team-lookup';
import { userSignature } from '../users/user-lookup';
import { polledAddresses } from './mail-in/polled-addresses';
import { repliesBefore } from './mail-history';
import { replyMail } from './ticket-mails';
import { threadOf, type TicketThread } from './ticket-thread';

/** Bytes of files that a mail takes along; the others are links in it. */
const MAX_ENCLOSED = 10 * 1_048_576;

/** How long links in mails open their files. */
const LINK_SECONDS = 30 * 86_400;

/** Kind of the job that mails a comment to the requester; its subject is the event of the comment. */
export const MAIL_REPLY_JOB = 'mail_reply';

interface Reply extends TicketThread {
  comment_id: number;
  body: string;
  author_type: string;
  /** Who signs it: the agent who wrote it, else the team of the ticket, else the workspace. */
  signed: string;
  /** Markdown of theirs; null where they have none. */
  signature: string | null;
  /** BCP 47 tag of the requester. */
  language: string | null;
  ticket_id: number;
  code: string;
  subject: string;
  requester_email: string | null;
  cc_emails: string[];
  attachments: AttachedFile[];
  requester_name: string | null;
  custom_fields: Record<string, unknown>;
  /** Name of the workspace. */
  workspace: string;
}

/** Mails agents' public comments on tickets that came by mail to those who wrote in: each comment once. */
@Injectable()
export class MailReply implements JobHandler, OnModuleInit {
  readonly kind = MAIL_REPLY_JOB;
  /** One at a time per ticket: comments arrive in the order they were written. */
  readonly perGroup = 1;
  readonly perWorkspace = 10;
  readonly leaseMs = 30_000;

  constructor(
    private readonly queue: JobQueue,
    private readonly database: Database,
    private readonly mailer: Mailer,
    private readonly accounts: MailAccounts,
    private readonly histories: MailHistories,
    private readonly texts: MailTexts,
    private readonly attachments: AttachmentsService,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
    this.histories.provide('comment', (id) => repliesBefore(this.database, id));
  }

  async perform(job: Job): Promise<JobOutcome> {
    // Without a mail server there is nobody to complain to about each comment.
    if ((await this.accounts.current()) === null) return {};
    return { settle: () => this.queueReply(job.subject_id) };
  }

  private async queueReply(eventId: number): Promise<void> {
    const [reply] = await this.database.query<Reply>(REPLY, [currentWorkspaceId(), eventId]);
    const requester = cleanAddress(reply?.requester_email ?? '');
    if (!reply || requester === null) return;
    const values = {
      message: reply.body,
      'ticket.code': reply.code,
      'ticket.subject': reply.subject.replace(/^(re|aw|sv|fwd?):\s*/i, ''),
      'requester.name': reply.requester_name ?? requester,
      'workspace.name': reply.workspace,
    };
    const written = await this.texts.written(replyMail, reply.language, values, reply.custom_fields);
    const { enclosed, linked } = await this.filesOf(reply.attachments);
    await this.mailer.queue({
      to: [requester],
      cc: await this.copiesOf(reply),
      ...(reply.mailbox === null ? {} : { reply_to: reply.mailbox }),
      subject: written.subject,
      text: written.text,
      letter: letterOf(reply, linked),
      files: enclosed,
      about: { id: reply.ticket_id, name: reply.code },
      references: reply.thread,
      ...(reply.answered === null ? {} : { in_reply_to: reply.answered }),
      auto: reply.author_type !== 'agent',
      once: `comment:${reply.comment_id}`,
    });
  }

  /** Which files the mail takes along, smallest first, and links to the rest. */
  private async filesOf(
    attached: readonly AttachedFile[],
  ): Promise<{ enclosed: StoredMailFile[]; linked: LetterLink[] }> {
    const keys = await this.attachments.keysOf(attached.map(({ id }) => id));
    const enclosed: StoredMailFile[] = [];
    const linked: LetterLink[] = [];
    let bytes = 0;
    for (const { id, filename, content_type, size } of attached.toSorted((a, b) => a.size - b.size)) {
      const stored = keys.get(id);
      if (stored === undefined) continue;
      bytes += size;
      if (bytes <= MAX_ENCLOSED) enclosed.push({ filename, content_type, stored });
      else
        linked.push({
          label: `${filename} (${Math.ceil(size / 1_048_576)} MB)`,
          url: this.attachments.linkTo(id, LINK_SECONDS).url,
        });
    }
    return { enclosed, linked };
  }

  /** Neither blocked contacts nor mailboxes that are read in: what is sent there would come back. */
  private async copiesOf({ cc_emails: copies }: Reply): Promise<string[]> {
    if (copies.length === 0) return [];
    const left = [...(await polledAddresses(this.database)), ...(await blockedAddresses(this.database, copies))];
    return copies.filter((address) => !left.includes(address));
  }
}

/** What stands around the comment: who signs it, its files, and what was said before. */
function letterOf(reply: Reply, files: readonly LetterLink[]): LetterParts {
  return {
    format: 'markdown',
    ...(reply.language === null ? {} : { language: reply.language }),
    files,
    signature: reply.signature ?? escapeMarkdown(reply.signed),
    signed: true,
    reference: reply.code,
    history: `comment:${reply.comment_id}`,
    answerable: reply.mailbox !== null,
  };
}

/** The comment as it is now: one that was deleted or made internal in the meantime is not sent. */
const REPLY = `
  SELECT c.id AS comment_id, c.body, c.attachments,
    coalesce(CASE WHEN c.author_type = 'agent' AND c.author_id IS NOT NULL THEN c.author_name END, (${teamName('t.team_id')}), w.name) AS signed,
    nullif(btrim(CASE WHEN c.author_type = 'agent' AND c.author_id IS NOT NULL THEN (${userSignature('c.author_id')}) ELSE (${teamSignature('t.team_id')}) END), '') AS signature,
    (${languageOfAddress('t.requester_email')}) AS language, c.author_type, t.id AS ticket_id, t.code, t.subject, t.requester_email, t.cc_emails,
    t.requester_name, t.custom_fields, w.name AS workspace, ${threadOf('t')}
  FROM events e
  JOIN ticket_comments c ON c.workspace_id = e.workspace_id AND c.id = (e.related #>> '{comment,id}')::bigint
  JOIN tickets t ON t.workspace_id = c.workspace_id AND t.id = c.ticket_id
  JOIN workspaces w ON w.id = t.workspace_id
  WHERE e.workspace_id = $1 AND e.id = $2 AND NOT c.is_internal AND c.author_type <> 'requester' AND t.channel = 'email'`;
