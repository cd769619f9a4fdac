import { DateTime } from 'luxon';
import type { LetterParts } from '../../../platform/mail/letter/letter';
import type { Guest } from '../attendee';
import type { CalendarMeeting, Organizer } from './calendar-file';
import type { LetterKind } from './letters';
import { meetingWords } from './meeting-mails';

/** What letters tell of a meeting. */
export interface ToldMeeting extends CalendarMeeting {
  timezone: string;
  cancellation_reason: string | null;
  custom_fields: Record<string, unknown>;
}

/** What stands below the text of a mail to an attendee, with the time as their clock shows it. Internal notes stay inside. */
export function letterParts(
  kind: LetterKind | 'reminder',
  meeting: ToldMeeting,
  host: Organizer,
  to: Guest,
  language: string,
): LetterParts {
  const isOff = kind === 'cancellation' || kind === 'rejection';
  const words = meetingWords(language);
  const { title, location, meeting_url: url, cancellation_reason: reason } = meeting;
  const facts: [string, string | null][] = [
    [words.when, timeOf(meeting, to, language)],
    [words.with, host.name],
    [words.where, location],
    [words.reason, reason],
  ];
  return {
    format: 'markdown',
    language,
    heading: title,
    facts: facts.flatMap(([label, value]) => (value ? [[label, value] as const] : [])),
    ...(url && !isOff ? { button: { label: words.button, url } } : {}),
    signed: true,
  };
}

/** When it is, as the clock of an attendee shows it. */
export function timeOf(meeting: ToldMeeting, to: Guest, language: string): string {
  return when(meeting, to.timezone ?? meeting.timezone, language);
}

function when({ starts_at: start, ends_at: end }: ToldMeeting, zone: string, locale: string): string {
  const local = (moment: string): DateTime => DateTime.fromISO(moment, { zone, locale });
  const [from, to] = [local(start), local(end)];
  const until = to.toFormat(from.hasSame(to, 'day') ? 'HH:mm' : 'cccc, d LLLL yyyy, HH:mm');
  return `${from.toFormat('cccc, d LLLL yyyy, HH:mm')} - ${until} (${zone})`;
}
