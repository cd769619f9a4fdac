import type { Guest } from '../attendee';
import type { Meeting } from '../meeting.entity';
import type { CalendarMethod } from './calendar-file';

/** Events after which attendees may have to be written to. */
export const LETTER_EVENTS = [
  'meeting.created',
  'meeting.updated',
  'meeting.confirmed',
  'meeting.rescheduled',
  'meeting.rejected',
  'meeting.cancelled',
] as const;

/** What an attendee is told. */
export type LetterKind = 'invitation' | 'update' | 'cancellation' | 'rejection';

/** One mail; `method` says what its calendar file is to do, null = there is none. */
export interface Letter {
  kind: LetterKind;
  method: CalendarMethod | null;
  to: Guest;
}

/** What changed, as the event tells it. */
type ToldChanges = Readonly<Partial<Record<keyof Meeting, { from: unknown; to: unknown }>>> & {
  attendees?: { from: readonly Guest[]; to: unknown };
};

/** An event of a meeting, as far as letters depend on it. */
export interface MeetingEvent {
  type: string;
  data: { status: string; attendees: readonly Guest[] };
  changes: ToldChanges | null;
}

/** Fields whose change attendees want to know of. */
const SHOWN = ['title', 'description', 'location', 'meeting_url', 'host_id'] as const;
/** Changes that have events, and letters, of their own. */
const OWN_EVENTS = ['status', 'starts_at', 'ends_at'] as const;

/**
 * Who is told what because of an event. Of the events of one change only one makes a letter to an attendee: what is only
 * asked for (pending) is not yet announced, a change of time outranks other changes.
 */
export function lettersOf({ type, data, changes }: MeetingEvent): Letter[] {
  const guests = data.attendees;
  const all = (kind: LetterKind, method: CalendarMethod | null, whom = guests): Letter[] =>
    whom.map((to) => ({ kind, method, to }));
  const { added, removed, kept } = difference(guests, changes);
  const gone = all('cancellation', 'CANCEL', removed);
  const before = changes?.status?.from;
  switch (type) {
    case 'meeting.created':
      return data.status === 'scheduled' ? all('invitation', 'REQUEST') : [];
    case 'meeting.confirmed':
      return all('invitation', 'REQUEST');
    case 'meeting.rejected':
      return all('rejection', null);
    case 'meeting.cancelled':
      return before === 'scheduled' ? [...all('cancellation', 'CANCEL'), ...gone] : all('rejection', null);
    case 'meeting.rescheduled':
      if (data.status !== 'scheduled' || before !== undefined) return [];
      return [...all('update', 'REQUEST', kept), ...all('invitation', 'REQUEST', added), ...gone];
    case 'meeting.updated': {
      if (data.status !== 'scheduled' || OWN_EVENTS.some((name) => changes?.[name])) return [];
      const tells = SHOWN.some((name) => changes?.[name]);
      return [...(tells ? all('update', 'REQUEST', kept) : []), ...all('invitation', 'REQUEST', added), ...gone];
    }
    default:
      return [];
  }
}

function difference(
  guests: readonly Guest[],
  changes: MeetingEvent['changes'],
): { added: Guest[]; removed: Guest[]; kept: Guest[] } {
  const former = changes?.attendees?.from ?? guests;
  const was = new Set(former.map(({ email }) => email));
  const is = new Set(guests.map(({ email }) => email));
  return {
    added: guests.filter(({ email }) => !was.has(email)),
    removed: former.filter(({ email }) => !is.has(email)),
    kept: guests.filter(({ email }) => was.has(email)),
  };
}
