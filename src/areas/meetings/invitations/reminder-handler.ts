import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { MailAccounts } from '../../../platform/mail/mail-accounts';
import type { JobHandler, Job, JobOutcome } from '../../../platform/queue/job-handler';
import { JobQueue } from '../../../platform/queue/job-queue';
import { REMINDER_JOB } from '../meeting-rows';
import { MeetingsService } from '../meetings.service';
import { AttendeeMail, type Note } from './attendee-mail';
import type { ToldMeeting } from './letter-text';

/** Reminds of meetings: an event and, where there is a mail server, mail to those who have not declined. */
@Injectable()
export class ReminderHandler implements JobHandler, OnModuleInit {
  readonly kind = REMINDER_JOB;
  readonly perGroup = 20;
  readonly perWorkspace = 20;
  readonly leaseMs = 30_000;

  constructor(
    private readonly queue: JobQueue,
    private readonly database: Database,
    private readonly accounts: MailAccounts,
    private readonly meetings: MeetingsService,
    private readonly mail: AttendeeMail,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  async perform(job: Job): Promise<JobOutcome> {
    const through = await this.accounts.current();
    return { settle: () => this.remind(job.subject_id, through?.account.from.address ?? null) };
  }

  /**
   * In the transaction that ends the job, so exactly once. The meeting is locked first: a change of its time takes away
   * the reminders to come, and whoever comes second sees what the first one did.
   */
  private async remind(id: number, own: string | null): Promise<void> {
    const [meeting] = await this.database.query<ToldMeeting & { id: number; host_id: number; is_ahead: boolean }>(
      `SELECT m.*, m.starts_at > now() AS is_ahead FROM meeting_reminders r
       JOIN meetings m ON m.workspace_id = r.workspace_id AND m.id = r.meeting_id
       WHERE r.workspace_id = $1 AND r.id = $2 AND r.done_at IS NULL FOR UPDATE OF m`,
      [currentWorkspaceId(), id],
    );
    if (meeting?.status !== 'scheduled') return;
    const [reminder] = await this.database.query<{ minutes: number; due_at: string }>(
      `UPDATE meeting_reminders SET done_at = now() WHERE workspace_id = $1 AND id = $2 AND done_at IS NULL
       RETURNING minutes, due_at`,
      [currentWorkspaceId(), id],
    );
    // A reminder that was held up until the meeting had begun reminds of nothing; one of the very moment does.
    if (!reminder || (!meeting.is_ahead && reminder.minutes > 0)) return;
    await this.meetings.announceReminder(meeting.id, reminder);
    if (own === null) return;
    const notes = meeting.attendees
      .filter(({ response }) => response !== 'declined')
      .map((to): Note => ({ kind: 'reminder', method: null, to }));
    await this.mail.send(meeting, notes, `meeting-reminder:${id}`, own);
  }
}
