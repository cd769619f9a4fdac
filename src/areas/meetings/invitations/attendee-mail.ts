import { Injectable } from '@nestjs/common';
import { escapeMarkdown } from '../../../platform/conditions/template';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { Mailer, type NewMail } from '../../../platform/mail/mailer';
import { MailTexts } from '../../../platform/mail/texts/mail-texts';
import { languageOfTag } from '../../../platform/text/language';
import { blockedAddresses, languageOfAddress } from '../../contacts/contact-lookup';
import { polledAddresses } from '../../integrations/mail-in/polled-addresses';
import { findUser } from '../../users/user-lookup';
import type { Guest } from '../attendee';
import { calendarFile, type CalendarMethod, type Organizer } from './calendar-file';
import type { Letter } from './letters';
import { letterParts, timeOf, type ToldMeeting } from './letter-text';
import { MEETING_MAILS } from './meeting-mails';

/** A letter, or a reminder. */
export type Note = Letter | { kind: 'reminder'; method: null; to: Letter['to'] };

/** Queues mail to attendees, with the calendar file where there is something for calendars to do. */
@Injectable()
export class AttendeeMail {
  constructor(
    private readonly database: Database,
    private readonly mailer: Mailer,
    private readonly texts: MailTexts,
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
        ...(await this.letter(kind, meeting, host, to)),
        once: `${key}:${to.email}`,
        attachments: method === null ? [] : [attachment(calendarFile(meeting, host, method), method)],
      });
    }
  }

  private async letter(
    kind: Note['kind'],
    meeting: ToldMeeting,
    host: Organizer,
    to: Guest,
  ): Promise<Pick<NewMail, 'subject' | 'text' | 'letter'>> {
    const [known] = await this.database.query<{ language: string | null; workspace: string; locale: string }>(
      `SELECT (${languageOfAddress('$2')}) AS language, w.name AS workspace, w.locale FROM workspaces w WHERE w.id = $1`,
      [currentWorkspaceId(), to.email],
    );
    const wanted = known?.language ?? known?.locale ?? 'en';
    const values = {
      'meeting.title': meeting.title,
      'meeting.when': timeOf(meeting, to, languageOfTag(wanted)),
      'host.name': host.name,
      'attendee.name': to.name ?? to.email,
      'workspace.name': known?.workspace ?? '',
    };
    const written = await this.texts.written(MEETING_MAILS[kind], wanted, values, meeting.custom_fields);
    const { subject, text, language } = written;
    const isOff = kind === 'cancellation' || kind === 'rejection';
    const more = meeting.description && !isOff ? `\n\n${escapeMarkdown(meeting.description)}` : '';
    const parts = letterParts(kind, meeting, host, to, language);
    return { subject, text: `${text}${more}`, letter: { ...parts, facts: [...(parts.facts ?? []), ...written.facts] } };
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
