import { invalid } from '../../platform/errors/api-error';
import { requireTransition, type TransitionTable } from '../../platform/state/transitions';
import type { Values } from '../../platform/resource/rows';
import type { MeetingStatus } from './meeting-values';
import type { Meeting } from './meeting.entity';

/** Product reference 2.6: row = from, list = to. Moving to another time is no change of status. */
export const MEETING_TRANSITIONS: TransitionTable<MeetingStatus> = {
  pending: ['scheduled', 'rejected', 'cancelled'],
  scheduled: ['cancelled', 'completed', 'no_show'],
  completed: ['no_show'],
  no_show: ['completed'],
  cancelled: [],
  rejected: [],
};

const EVENTS: Readonly<Record<MeetingStatus, string | null>> = {
  pending: null,
  scheduled: 'meeting.confirmed',
  rejected: 'meeting.rejected',
  cancelled: 'meeting.cancelled',
  completed: 'meeting.completed',
  no_show: 'meeting.no_show',
};

/** Days in which it can still be said that a meeting did or did not take place. */
const SECOND_THOUGHTS_DAYS = 7;
const DAY_MS = 86_400_000;

/** What of a meeting the status rules look at; moments are ISO 8601. */
export type MeetingFacts = Pick<Meeting, 'status' | 'starts_at' | 'concluded_at' | 'ical_sequence'>;

/** Whether a meeting takes its hosts' time. */
export const isAhead = (status: string): boolean => status === 'pending' || status === 'scheduled';

/** Whether a meeting counts for the day of its hosts: it takes their time, or took it. */
export const isCounted = (status: string): boolean => status !== 'cancelled' && status !== 'rejected';

/**
 * Values and event that come with a change of status.
 *
 * @param now ISO 8601
 * @param userId who changes it
 * @throws ApiError 422 `invalid_transition`
 */
export function statusEffects(
  before: MeetingFacts,
  to: MeetingStatus,
  now: string,
  userId: number | null,
): { values: Values<Meeting>; events: string[] } {
  if (before.status === to) return { values: {}, events: [] };
  requireTransition(MEETING_TRANSITIONS, 'status', before.status, to);
  const values: Values<Meeting> = { status: to };
  if (to === 'completed' || to === 'no_show') {
    requireStart(before, to, now);
    requireSecondThoughts(before, to, now);
    values.concluded_at = before.concluded_at ?? now;
  }
  if (to === 'cancelled' || to === 'rejected') {
    values.cancelled_by = userId;
    values.ical_sequence = before.ical_sequence + 1;
  }
  const event = EVENTS[to];
  return { values, events: event === null ? [] : [event] };
}

function requireStart({ status, starts_at }: MeetingFacts, to: MeetingStatus, now: string): void {
  if (new Date(starts_at).getTime() > new Date(now).getTime())
    refuse(status, to, `The meeting has not begun: it can become ${to} from ${starts_at} on.`);
}

function requireSecondThoughts({ status, concluded_at }: MeetingFacts, to: MeetingStatus, now: string): void {
  if (status === 'scheduled' || concluded_at === null) return;
  if (new Date(now).getTime() - new Date(concluded_at).getTime() > SECOND_THOUGHTS_DAYS * DAY_MS)
    refuse(status, to, `The meeting became ${status} more than ${SECOND_THOUGHTS_DAYS} days ago and stays so.`);
}

/** The table allows it, this moment does not. */
function refuse(from: MeetingStatus, to: MeetingStatus, message: string): never {
  const allowed = MEETING_TRANSITIONS[from].filter(
    (state) => state !== to && state !== 'completed' && state !== 'no_show',
  );
  invalid('status', 'invalid_transition', message, { from, to, allowed });
}
