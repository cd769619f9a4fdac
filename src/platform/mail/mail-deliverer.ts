import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../context/current';
import { Database } from '../database/database';
import type { Attempt } from '../delivery/attempt';
import { Deliveries, type Deliverer, type Verdict } from '../delivery/deliveries';
import { MAIL_RETRIES } from '../delivery/retries';
import type { Job } from '../queue/job-handler';
import { PeriodicJobs, RUN_AGAIN } from '../schedule/periodic-jobs';
import { type Brand, brandOf } from '../brand/brand';
import type { Composition } from './letter/compose';
import type { LetterParts, QuotedMessage } from './letter/letter';
import { logoFile, MailLetters } from './letter/mail-letters';
import { MailAccounts, type MailAccount } from './mail-accounts';
import { mailFailure, type MailFailure } from './mail-failure';
import type { MailAttachment, StoredMailFile } from './mail-attachment';
import { MailFiles } from './mail-files';
import { lostMailboxes } from './delivery-status';
import { MailAddresses } from './mail-addresses';
import { MailHistories } from './mail-histories';
import { MailOutcomes } from './mail-outcomes';
import { accountAs, type MailIdentity } from './mail-identity';
import { type LostMailbox, SmtpClient, type WireFile, type WireMail } from './smtp-client';

/** Kind of the job that sends a mail; its subject is a row of `outgoing_mails`. */
export const MAIL_JOB = 'mail';

const PRUNE_BATCH = 1_000;

interface MailRow {
  status: string;
  message_id: string;
  recipients: string[];
  cc: string[];
  reply_to: string | null;
  subject: string;
  body: string;
  /** Of mails that an earlier release queued; they leave as they are. */
  html: string | null;
  letter: LetterParts | null;
  in_reply_to: string | null;
  thread: string[];
  is_automatic: boolean;
  attachments: (MailAttachment | StoredMailFile)[];
  /** Of the workspace, as they are when the mail leaves. */
  identity: Partial<MailIdentity>;
  brand: Brand;
  quoted: readonly QuotedMessage[];
}

/** A mail with the account that it leaves through. */
interface DueMail {
  id: number;
  workspaceId: number;
  attempt: number;
  mail: MailRow;
  /** Null when nobody has set one up. */
  through: MailAccount | null;
}

interface MailAttempt extends Attempt {
  response: string | null;
  rejected: string[];
  lost: LostMailbox[];
  failure: MailFailure | null;
  durationMs: number;
}

/** Sends queued mail through the workspace's account, else the operator's. */
@Injectable()
export class MailDeliverer implements Deliverer<DueMail, MailAttempt>, OnModuleInit {
  readonly kind = MAIL_JOB;
  readonly subjects = 'outgoing_mails';
  readonly perGroup = 4;
  readonly perWorkspace = 4;
  readonly leaseMs = 120_000;
  readonly retries = MAIL_RETRIES;
  private readonly logger = new Logger(MailDeliverer.name);

  constructor(
    private readonly deliveries: Deliveries,
    private readonly database: Database,
    private readonly accounts: MailAccounts,
    private readonly smtp: SmtpClient,
    private readonly files: MailFiles,
    private readonly letters: MailLetters,
    private readonly histories: MailHistories,
    private readonly addresses: MailAddresses,
    private readonly outcomes: MailOutcomes,
    private readonly jobs: PeriodicJobs,
  ) {}

  onModuleInit(): void {
    this.deliveries.register(this);
    this.jobs.register('prune-outgoing-mails', 3_600_000, () => this.prune());
  }

  async load({ subject_id: id, workspace_id: workspaceId, attempt }: Job): Promise<DueMail | null> {
    const mail = await this.find(id);
    if (mail?.status !== 'queued') return null;
    return { id, workspaceId, attempt, mail, through: await this.accounts.current() };
  }

  withdrawal(due: DueMail): (() => Promise<void>) | null {
    if (due.through) return null;
    return async () => {
      await this.write(due, NO_ACCOUNT, false, []);
    };
  }

  async send({ mail, through }: DueMail): Promise<MailAttempt> {
    if (!through) throw new Error('A mail without an account was not withdrawn.');
    const began = Date.now();
    const outcome = await this.attempt(through, mail);
    const isPermanent = outcome.failure?.isPermanent ?? false;
    const durationMs = Date.now() - began;
    return { ...outcome, durationMs, arrived: outcome.failure === null, isPermanent, askedSeconds: null };
  }

  async record(due: DueMail, made: MailAttempt, { status, attempt }: Verdict): Promise<void> {
    const { mail, through } = due;
    const { failure, response, durationMs } = made;
    const willRetry = status === 'retrying';
    const subject = await this.write(due, failure, willRetry, made.rejected);
    for (const { address, reason } of made.lost) await this.addresses.lost(address, reason);
    const recipients = [...mail.recipients, ...mail.cc];
    const told = { messageId: mail.message_id, recipients, subject, durationMs, attempt, response, failure, willRetry };
    await through?.report?.(told);
  }

  private async attempt({ account: own }: MailAccount, mail: MailRow): Promise<Outcome> {
    const account = accountAs(own, mail.identity);
    let bodies: { text: string; html: string | null } = { text: mail.body, html: mail.html };
    let attachments: readonly WireFile[] = [];
    const wire = (): WireMail => ({
      messageId: mail.message_id,
      to: mail.recipients,
      cc: mail.cc,
      replyTo: mail.reply_to ?? account.replyTo,
      subject: mail.subject,
      text: bodies.text,
      html: bodies.html,
      inReplyTo: mail.in_reply_to,
      references: mail.thread,
      isAutomatic: mail.is_automatic,
      attachments,
    });
    try {
      if (mail.letter) bodies = await this.letters.compose(compositionOf(mail, mail.letter));
      attachments = [...(await this.files.open(mail.attachments)), ...(mail.letter ? logoFile(mail.brand) : [])];
      return { ...(await this.smtp.send(account, wire())), failure: null };
    } catch (error) {
      const failure = mailFailure(error);
      const response = failure.code.startsWith('smtp_') ? failure.message : null;
      return { response, rejected: [], lost: lostMailboxes(error), failure };
    } finally {
      for (const { content } of attachments) if (typeof content !== 'string') content.destroy();
    }
  }

  private find(id: number): Promise<MailRow | undefined> {
    return this.database.transaction(async () => {
      const [row] = await this.database.query<Omit<MailRow, 'quoted'>>(
        `SELECT m.status, message_id, recipients, cc, reply_to, subject, body, html, letter, in_reply_to, thread, is_automatic, attachments,
           w.settings AS identity, ${brandOf('w')} AS brand
         FROM outgoing_mails m JOIN workspaces w ON w.id = m.workspace_id WHERE m.workspace_id = $1 AND m.id = $2`,
        [currentWorkspaceId(), id],
      );
      if (!row) return undefined;
      return { ...row, quoted: row.status === 'queued' ? await this.histories.of(row.letter?.history) : [] };
    });
  }

  /** Answers the subject as it is now: what the mail told of may have been deleted while it was under way. */
  private async write(
    { id, workspaceId, attempt }: DueMail,
    failure: MailFailure | null,
    willRetry: boolean,
    rejected: readonly string[],
  ): Promise<string> {
    const status = failure === null ? 'sent' : willRetry ? 'queued' : 'failed';
    const error =
      failure ?? (rejected.length ? { code: 'rejected', message: `Refused: ${rejected.join(', ')}` } : null);
    // Withdrawn meanwhile, it is not tried again.
    const [row] = await this.database.query<{
      subject: string;
      once_key: string | null;
      message_id: string;
      status: string;
    }>(
      `UPDATE outgoing_mails SET status = CASE WHEN $3 = 'sent' OR status = 'queued' THEN $3 ELSE status END, attempts = $4,
         error = CASE WHEN $3 = 'sent' OR status = 'queued' THEN $5::jsonb ELSE error END, sent_at = CASE WHEN $3 = 'sent' THEN now() END
       WHERE workspace_id = $1 AND id = $2 RETURNING subject, once_key, message_id, status`,
      [currentWorkspaceId(), id, status, attempt, error ? JSON.stringify(error) : null],
    );
    if (row && row.status === status && status !== 'queued')
      await this.outcomes.tell(row.once_key, { status, messageId: row.message_id, error });
    if (failure !== null && !willRetry)
      this.logger.warn(`Mail ${id} of workspace ${workspaceId} failed: ${failure.message}`);
    return row?.subject ?? '';
  }

  /** Sent and failed mail is kept for 30 days. */
  private async prune(): Promise<unknown> {
    const gone = await this.database.query(
      `DELETE FROM outgoing_mails WHERE (workspace_id, id) IN (
         SELECT workspace_id, id FROM outgoing_mails WHERE created_at < now() - interval '30 days' AND status <> 'queued' LIMIT ${PRUNE_BATCH})
       RETURNING id`,
    );
    return gone.length === PRUNE_BATCH ? RUN_AGAIN : undefined;
  }
}

function compositionOf({ subject, body, brand, identity, quoted }: MailRow, parts: LetterParts): Composition {
  return { letter: { ...parts, subject, text: body, quoted }, brand, signature: identity.mail_signature ?? null };
}

type Outcome = Pick<MailAttempt, 'response' | 'rejected' | 'lost' | 'failure'>;

const NO_ACCOUNT: MailFailure = {
  code: 'no_account',
  message: 'There is no mail server to send it through: install the smtp integration, or set SMTP_URL and MAIL_FROM.',
  isPermanent: true,
};
