import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { type Template, template } from '../../platform/http/template';
import { MailAccounts } from '../../platform/mail/mail-accounts';
import { cleanAddress } from '../../platform/mail/mail-address';
import { Mailer } from '../../platform/mail/mailer';
import type { StoredMailFile } from '../../platform/mail/mail-attachment';
import { mailParts } from '../../platform/mail/markdown';
import type { JobHandler, Job, JobOutcome } from '../../platform/queue/job-handler';
import { JobQueue } from '../../platform/queue/job-queue';
import { AttachmentsService } from '../attachments/attachments.service';
import type { AttachedFile } from '../attachments/holders/attached-file';
import { blockedAddresses } from '../contacts/contact-lookup';
import { teamName } from '../teams/team-lookup';
import { polledAddresses } from './mail-in/polled-addresses';

/** Bytes of files that a mail takes along; the others are links in it. */
const MAX_ENCLOSED = 10 * 1_048_576;

/** How long links in mails open their files. */
const LINK_SECONDS = 30 * 86_400;

/** A file that is too large for a mail. */
interface LinkedFile {
  name: string;
  url: string;
}

/** Kind of the job that mails a comment to the requester; its subject is the event of the comment. */
export const MAIL_REPLY_JOB = 'mail_reply';

interface Reply {
  comment_id: number;
  body: string;
  author_type: string;
  /** Who signs it: the agent who wrote it, else the team of the ticket, else the workspace. */
  signed: string;
  ticket_id: number;
  code: string;
  subject: string;
  requester_email: string | null;
  cc_emails: string[];
  attachments: AttachedFile[];
  /** Ids of the mail about the ticket, oldest first. */
  thread: string[];
  /** The last mail that came in. */
  answered: string | null;
  /** Address of the mailbox that the ticket came through. */
  mailbox: string | null;
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
    private readonly attachments: AttachmentsService,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
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
    const { enclosed, linked } = await this.filesOf(reply.attachments);
    await this.mailer.queue({
      to: [requester],
      cc: await this.copiesOf(reply),
      ...(reply.mailbox === null ? {} : { reply_to: reply.mailbox }),
      subject: `Re: [${reply.code}] ${reply.subject.replace(/^(re|aw|sv|fwd?):\s*/i, '')}`,
      ...letter(reply, linked),
      files: enclosed,
      about: { id: reply.ticket_id, name: reply.code },
      references: reply.thread,
      ...(reply.answered === null ? {} : { in_reply_to: reply.answered }),
      auto: reply.author_type !== 'agent',
      signed: true,
      once: `comment:${reply.comment_id}`,
    });
  }

  /** Which files the mail takes along, smallest first, and links to the rest. */
  private async filesOf(
    attached: readonly AttachedFile[],
  ): Promise<{ enclosed: StoredMailFile[]; linked: LinkedFile[] }> {
    const keys = await this.attachments.keysOf(attached.map(({ id }) => id));
    const enclosed: StoredMailFile[] = [];
    const linked: LinkedFile[] = [];
    let bytes = 0;
    for (const { id, filename, content_type, size } of attached.toSorted((a, b) => a.size - b.size)) {
      const stored = keys.get(id);
      if (stored === undefined) continue;
      bytes += size;
      if (bytes <= MAX_ENCLOSED) enclosed.push({ filename, content_type, stored });
      else
        linked.push({
          name: `${filename} (${Math.ceil(size / 1_048_576)} MB)`,
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

const page: Template<{ content: string; author: string | null; code: string; files: readonly LinkedFile[] }> = template(
  __dirname,
  'mail-reply',
);

/** The comment, who wrote it, and the ticket: as HTML and as text. */
function letter({ body, signed, code }: Reply, files: readonly LinkedFile[]): { html: string; text: string } {
  const { html: content, text } = mailParts(body);
  const links = files.map(({ name, url }) => `${name}:\n${url}\n\n`).join('');
  return { html: page({ content, author: signed, code, files }), text: `${text}\n\n${links}${signed}\n[${code}]\n` };
}

/** The comment as it is now: one that was deleted or made internal in the meantime is not sent. */
const REPLY = `
  SELECT c.id AS comment_id, c.body, c.attachments,
    coalesce(CASE WHEN c.author_type = 'agent' AND c.author_id IS NOT NULL THEN c.author_name END, (${teamName('t.team_id')}), w.name) AS signed, c.author_type, t.id AS ticket_id, t.code, t.subject, t.requester_email, t.cc_emails,
    ARRAY(SELECT m.message_id FROM mail_messages m WHERE m.workspace_id = t.workspace_id AND m.ticket_id = t.id ORDER BY m.created_at, m.message_id) AS thread,
    (SELECT m.message_id FROM mail_messages m WHERE m.workspace_id = t.workspace_id AND m.ticket_id = t.id AND m.direction = 'in'
     ORDER BY m.created_at DESC LIMIT 1) AS answered,
    (SELECT lower(i.config ->> 'address') FROM integrations i
     LEFT JOIN mail_messages m ON m.workspace_id = i.workspace_id AND m.integration_id = i.id AND m.ticket_id = t.id
     WHERE i.workspace_id = t.workspace_id AND i.provider = 'imap' AND i.status = 'active'
     ORDER BY m.created_at NULLS LAST, i.id LIMIT 1) AS mailbox
  FROM events e
  JOIN ticket_comments c ON c.workspace_id = e.workspace_id AND c.id = (e.related #>> '{comment,id}')::bigint
  JOIN tickets t ON t.workspace_id = c.workspace_id AND t.id = c.ticket_id
  JOIN workspaces w ON w.id = t.workspace_id
  WHERE e.workspace_id = $1 AND e.id = $2 AND NOT c.is_internal AND c.author_type <> 'requester' AND t.channel = 'email'`;
