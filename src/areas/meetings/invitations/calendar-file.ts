import ical, {
  ICalAlarmType,
  ICalAttendeeRole,
  ICalAttendeeStatus,
  ICalCalendarMethod,
  ICalEventStatus,
} from 'ical-generator';
import type { Guest } from '../attendee';

/** A meeting as its JSON has it, as far as calendars care. */
export interface CalendarMeeting {
  title: string;
  description: string | null;
  starts_at: string;
  ends_at: string;
  status: string;
  attendees: readonly Guest[];
  location: string | null;
  meeting_url: string | null;
  ical_uid: string;
  ical_sequence: number;
  reminders: readonly number[];
  created_at: string;
  updated_at: string;
}

/** Who invites. */
export interface Organizer {
  name: string;
  email: string;
}

/** What a calendar is to do with the file (iTIP, RFC 5546). */
export type CalendarMethod = 'REQUEST' | 'CANCEL';

const RESPONSES = {
  needs_action: ICalAttendeeStatus.NEEDSACTION,
  accepted: ICalAttendeeStatus.ACCEPTED,
  declined: ICalAttendeeStatus.DECLINED,
  tentative: ICalAttendeeStatus.TENTATIVE,
};

/** The method by which a calendar comes to show what a meeting is. */
export function methodOf(status: string): CalendarMethod {
  return status === 'cancelled' || status === 'rejected' ? 'CANCEL' : 'REQUEST';
}

/**
 * The meeting as an iCalendar file (RFC 5545): one event with a stable UID, all times in UTC. Nothing in it depends on
 * when it is written, so the same meeting always makes the same file.
 */
export function calendarFile(meeting: CalendarMeeting, organizer: Organizer, method: CalendarMethod): string {
  const calendar = ical({
    prodId: { company: 'helpdesk-api', product: 'meetings', language: 'EN' },
    method: method === 'CANCEL' ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.REQUEST,
  });
  const event = calendar.createEvent({
    id: meeting.ical_uid,
    sequence: meeting.ical_sequence,
    stamp: new Date(meeting.updated_at),
    created: new Date(meeting.created_at),
    lastModified: new Date(meeting.updated_at),
    start: new Date(meeting.starts_at),
    end: new Date(meeting.ends_at),
    summary: clean(meeting.title),
    description: clean(meeting.description ?? '') || null,
    location: clean(meeting.location ?? meeting.meeting_url ?? '') || null,
    url: meeting.meeting_url,
    status: statusOf(meeting.status, method),
    organizer: { name: named(organizer.name, organizer.email), email: organizer.email },
  });
  for (const { email, name, response } of meeting.attendees) {
    event.createAttendee({
      email,
      name: named(name ?? '', email),
      role: ICalAttendeeRole.REQ,
      status: RESPONSES[response],
      rsvp: method === 'REQUEST',
    });
  }
  if (method === 'REQUEST') {
    for (const minutes of meeting.reminders) {
      event.createAlarm({ type: ICalAlarmType.display, trigger: minutes * 60, description: clean(meeting.title) });
    }
  }
  // Every line ends, the last one too (RFC 5545, 3.1).
  return `${calendar.toString().trimEnd()}\r\n`;
}

function statusOf(status: string, method: CalendarMethod): ICalEventStatus {
  if (method === 'CANCEL') return ICalEventStatus.CANCELLED;
  return status === 'pending' ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED;
}

/** Text as a calendar can hold it: without control characters, but for line breaks. */
function clean(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, ' ');
}

/** A parameter value cannot hold quotes or line breaks, however it is escaped (RFC 5545, 3.2). */
function named(name: string, email: string): string {
  return (
    clean(name)
      .replaceAll(/[\n\t "]+/g, ' ')
      .trim() || email
  );
}
