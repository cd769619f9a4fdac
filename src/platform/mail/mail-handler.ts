import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../context/current';
import { Database } from '../database/database';
import type { JobHandler, Job, JobOutcome } from '../queue/job-handler';
import { JobQueue } from '../queue/job-queue';
import { PeriodicJobs, RUN_AGAIN } from '../schedule/periodic-jobs';
import { MailAccounts, type MailAccount } from './mail-accounts';
import { mailFailure, type MailFailure } from './mail-failure';
import { SmtpClient, type WireMail } from './smtp-client';

/** Kind of the job that sends a mail; its subject is a row of `outgoing_mails`. */
export const MAIL_JOB = 'mail';

/** Pauses after each failed attempt, in minutes; after the last one the mail has failed. */
const PAUSES = [1, 5, 30, 120];
const PRUNE_BATCH = 1_000;

interface MailRow {
  status: string;
  message_id: string;
  recipients: string[];
  cc: string[];
  reply_to: string | null;
  subject: string;
  body: string;
  html: string | null;
  in_reply_to: string | null;
  thread: string[];
  is_automatic: boolean;
  attachments: WireMail['attachments'];
}

/** Sends queued mail through the workspace's account, else the operator's. */
@Injectable()
export class MailHandler implements JobHandler, OnModuleInit {
  readonly kind = MAIL_JOB;
  readonly subjects = 'outgoing_mails';
  readonly perGroup = 4;
  readonly perWorkspace = 4;
  readonly leaseMs = 120_000;
  private readonly logger = new Logger(MailHandler.name);

  constructor(
    private readonly queue: JobQueue,
    private readonly database: Database,
    private readonly accounts: MailAccounts,
    private readonly smtp: SmtpClient,
    private readonly jobs: PeriodicJobs,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
    this.jobs.register('prune-outgoing-mails', 3_600_000, () => this.prune());
  }

  async perform(job: Job): Promise<JobOutcome> {
    const mail = await this.load(job.subject_id);
    if (mail?.status !== 'queued') return {};
    const through = await this.accounts.current();
    if (!through) return { settle: () => this.refused(job, NO_ACCOUNT) };
    const began = Date.now();
    const outcome = await this.attempt(through, mail);
    const durationMs = Date.now() - began;
    const pause = outcome.failure?.isPermanent ? undefined : PAUSES[job.attempt - 1];
    const willRetry = outcome.failure !== null && pause !== undefined;
    const settle = async (): Promise<void> => {
      const subject = await this.record(job, outcome.failure, willRetry, outcome.rejected);
      await through.report?.({
        messageId: mail.message_id,
        recipients: [...mail.recipients, ...mail.cc],
        subject,
        durationMs,
        attempt: job.attempt,
        response: outcome.response,
        failure: outcome.failure,
        willRetry,
      });
    };
    return willRetry ? { retryInMs: pause * 60_000, settle } : { settle };
  }

  private async attempt({ account }: MailAccount, mail: MailRow): Promise<Outcome> {
    const wire: WireMail = {
      messageId: mail.message_id,
      to: mail.recipients,
      cc: mail.cc,
      replyTo: mail.reply_to ?? account.replyTo,
      subject: mail.subject,
      text: mail.body,
      html: mail.html,
      inReplyTo: mail.in_reply_to,
      references: mail.thread,
      isAutomatic: mail.is_automatic,
      attachments: mail.attachments,
    };
    try {
      const { response, rejected } = await this.smtp.send(account, wire);
      return { response, rejected, failure: null };
    } catch (error) {
      const failure = mailFailure(error);
      return { response: failure.code.startsWith('smtp_') ? failure.message : null, rejected: [], failure };
    }
  }

  private load(id: number): Promise<MailRow | undefined> {
    return this.database.transaction(async () => {
      const [row] = await this.database.query<MailRow>(
        `SELECT status, message_id, recipients, cc, reply_to, subject, body, html, in_reply_to, thread, is_automatic, attachments
         FROM outgoing_mails WHERE workspace_id = $1 AND id = $2`,
        [currentWorkspaceId(), id],
      );
      return row;
    });
  }

  private async refused(job: Job, failure: MailFailure): Promise<void> {
    await this.record(job, failure, false, []);
  }

  /** Answers the subject as it is now: what the mail told of may have been deleted while it was under way. */
  private async record(
    job: Job,
    failure: MailFailure | null,
    willRetry: boolean,
    rejected: readonly string[],
  ): Promise<string> {
    const status = failure === null ? 'sent' : willRetry ? 'queued' : 'failed';
    const error =
      failure ?? (rejected.length ? { code: 'rejected', message: `Refused: ${rejected.join(', ')}` } : null);
    // Withdrawn meanwhile, it is not tried again.
    const [row] = await this.database.query<{ subject: string }>(
      `UPDATE outgoing_mails SET status = CASE WHEN $3 = 'sent' OR status = 'queued' THEN $3 ELSE status END, attempts = $4,
         error = CASE WHEN $3 = 'sent' OR status = 'queued' THEN $5::jsonb ELSE error END, sent_at = CASE WHEN $3 = 'sent' THEN now() END
       WHERE workspace_id = $1 AND id = $2 RETURNING subject`,
      [currentWorkspaceId(), job.subject_id, status, job.attempt, error ? JSON.stringify(error) : null],
    );
    if (failure !== null && !willRetry)
      this.logger.warn(`Mail ${job.subject_id} of workspace ${job.workspace_id} failed: ${failure.message}`);
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

interface Outcome {
  response: string | null;
  rejected: string[];
  failure: MailFailure | null;
}

const NO_ACCOUNT: MailFailure = {
  code: 'no_account',
  message: 'There is no mail server to send it through: install the smtp integration, or set SMTP_URL and MAIL_FROM.',
  isPermanent: true,
};
