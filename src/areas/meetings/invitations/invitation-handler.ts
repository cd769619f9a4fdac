import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { MailAccounts } from '../../../platform/mail/mail-accounts';
import type { WorkHandler, WorkItem, WorkOutcome } from '../../../platform/queue/work-handler';
import { WorkQueue } from '../../../platform/queue/work-queue';
import { AttendeeMail } from './attendee-mail';
import { lettersOf, type MeetingEvent } from './letters';
import type { ToldMeeting } from './letter-text';

/** Kind of the work that writes to attendees because of an event; its subject is the event. */
export const INVITATION_WORK = 'meeting_invitation';

/** Invites attendees by mail, tells them of changes and cancellations: each once per event. */
@Injectable()
export class InvitationHandler implements WorkHandler, OnModuleInit {
  readonly kind = INVITATION_WORK;
  /** One at a time per meeting: what is told later happened later. */
  readonly perLane = 1;
  readonly perWorkspace = 10;
  readonly leaseMs = 30_000;

  constructor(
    private readonly queue: WorkQueue,
    private readonly database: Database,
    private readonly accounts: MailAccounts,
    private readonly mail: AttendeeMail,
  ) {}

  onModuleInit(): void {
    this.queue.register(this);
  }

  async perform(item: WorkItem): Promise<WorkOutcome> {
    // Without a mail server there is nobody to complain to about each invitation.
    const through = await this.accounts.current();
    if (!through) return {};
    return { settle: () => this.write(item.subject_id, through.account.from.address) };
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
