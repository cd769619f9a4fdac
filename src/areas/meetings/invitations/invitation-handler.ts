import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { MailAccounts } from '../../../platform/mail/mail-accounts';
import type { JobHandler, Job, JobOutcome } from '../../../platform/queue/job-handler';
import { JobQueue } from '../../../platform/queue/job-queue';
import { AttendeeMail } from './attendee-mail';
import { lettersOf, type MeetingEvent } from './letters';
import type { ToldMeeting } from './letter-text';

/** Kind of the job that writes to attendees because of an event; its subject is the event. */
export const INVITATION_JOB = 'meeting_invitation';

/** Invites attendees by mail, tells them of changes and cancellations: each once per event. */
@Injectable()
export class InvitationHandler implements JobHandler, OnModuleInit {
  readonly kind = INVITATION_JOB;
  /** One at a time per meeting: what is told later happened later. */
  readonly perGroup = 1;
  readonly perWorkspace = 10;
  readonly leaseMs = 30_000;

  constructor(
    private readonly queue: JobQueue,
    private readonly database: Database,
    private readonly accounts: MailAccounts,
    private readonly mail: AttendeeMail,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  async perform(job: Job): Promise<JobOutcome> {
    // Without a mail server there is nobody to complain to about each invitation.
    const through = await this.accounts.current();
    if (!through) return {};
    return { settle: () => this.write(job.subject_id, through.account.from.address) };
  }

  private async write(eventId: number, own: string): Promise<void> {
    const [event] = await this.database.query<MeetingEvent & { data: ToldMeeting & { host_id: number } }>(
      `SELECT type, data, changes FROM events WHERE workspace_id = $1 AND id = $2`,
      [currentWorkspaceId(), eventId],
    );
    if (!event) return;
    await this.mail.send(event.data, lettersOf(event), `meeting:${eventId}`, own);
  }
}
