import { DateTime } from 'luxon';
import type { Guest } from '../attendee';
import type { CalendarMeeting, Organizer } from './calendar-file';
import type { LetterKind } from './letters';

const SUBJECTS: Readonly<Record<LetterKind | 'reminder', string>> = {
  invitation: 'Invitation',
  update: 'Updated',
  cancellation: 'Cancelled',
  rejection: 'Declined',
  reminder: 'Reminder',
};

const OPENINGS: Readonly<Record<LetterKind | 'reminder', string>> = {
  invitation: 'You are invited to a meeting.',
  update: 'A meeting that you are invited to has changed.',
  cancellation: 'A meeting that you were invited to will not take place, or without you.',
  rejection: 'The meeting that was asked for cannot take place.',
  reminder: 'A meeting that you are invited to begins soon.',
};

/** What letters tell of a meeting. */
export interface ToldMeeting extends CalendarMeeting {
  timezone: string;
  cancellation_reason: string | null;
}

/** Subject and text of a mail to an attendee, with the time as their clock shows it. Internal notes stay inside. */
export function letterText(
  kind: LetterKind | 'reminder',
  meeting: ToldMeeting,
  host: Organizer,
  to: Guest,
): { subject: string; text: string } {
  const lines = [
    OPENINGS[kind],
    '',
    meeting.title,
    `When: ${when(meeting, to.timezone ?? meeting.timezone)}`,
    `With: ${host.name}`,
    ...(meeting.location ? [`Where: ${meeting.location}`] : []),
    ...(meeting.meeting_url ? [`Join: ${meeting.meeting_url}`] : []),
    ...(meeting.cancellation_reason ? [`Reason: ${meeting.cancellation_reason}`] : []),
    ...(meeting.description && kind !== 'cancellation' && kind !== 'rejection' ? ['', meeting.description] : []),
  ];
  return { subject: `${SUBJECTS[kind]}: ${meeting.title}`, text: `${lines.join('\n')}\n` };
}

function when({ starts_at: start, ends_at: end }: ToldMeeting, zone: string): string {
  const local = (moment: string): DateTime => DateTime.fromISO(moment, { zone, locale: 'en' });
  const [from, to] = [local(start), local(end)];
  const until = to.toFormat(from.hasSame(to, 'day') ? 'HH:mm' : 'cccc, d LLLL yyyy, HH:mm');
  return `${from.toFormat('cccc, d LLLL yyyy, HH:mm')} - ${until} (${zone})`;
}
