import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { Mailer } from '../../../platform/mail/mailer';
import { blockedAddresses } from '../../contacts/contact-lookup';
import { polledAddresses } from '../../integrations/mail-in/polled-addresses';
import { findUser } from '../../users/user-lookup';
import { calendarFile, type CalendarMethod, type Organizer } from './calendar-file';
import type { Letter } from './letters';
import { letterText, type ToldMeeting } from './letter-text';

/** A letter, or a reminder. */
export type Note = Letter | { kind: 'reminder'; method: null; to: Letter['to'] };

/** Queues mail to attendees, with the calendar file where there is something for calendars to do. */
@Injectable()
export class AttendeeMail {
  constructor(
    private readonly database: Database,
    private readonly mailer: Mailer,
  ) {}

  /**
   * Inside a unit of work; of mails with the same `key` and recipient only the first leaves. Nothing is sent to blocked
   * contacts, to the service's own mailboxes, nor to the host.
   *
   * @param own address that the mail leaves as
   */
  async send(
    meeting: ToldMeeting & { host_id: number },
    notes: readonly Note[],
    key: string,
    own: string,
  ): Promise<void> {
    if (notes.length === 0) return;
    const host = await this.host(meeting.host_id);
    const closed = await this.closed(notes.map(({ to }) => to.email));
    for (const { kind, method, to } of notes) {
      if (closed.has(to.email) || to.email === own || to.email === host.email) continue;
      await this.mailer.queue({
        to: [to.email],
        reply_to: host.email,
        ...letterText(kind, meeting, host, to),
        signed: true,
        once: `${key}:${to.email}`,
        attachments: method === null ? [] : [attachment(calendarFile(meeting, host, method), method)],
      });
    }
  }

  private async host(id: number): Promise<Organizer> {
    const host = await findUser(this.database, id);
    return host ?? { name: '', email: '' };
  }

  /** Of these addresses, those that are not written to. */
  private async closed(emails: readonly string[]): Promise<Set<string>> {
    return new Set([...(await blockedAddresses(this.database, emails)), ...(await polledAddresses(this.database))]);
  }
}

function attachment(
  content: string,
  method: CalendarMethod,
): { filename: string; content_type: string; content: string } {
  return {
    filename: 'invite.ics',
    content_type: `text/calendar; charset=utf-8; method=${method}`,
    content: Buffer.from(content).toString('base64'),
  };
}
