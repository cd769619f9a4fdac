import { invalid } from '../../platform/errors/api-error';
import { DEFAULT_DURATION, MAX_DURATION } from './meeting-values';

const MINUTE_MS = 60_000;

/** Buffers, reminders and days in any zone are reckoned from a meeting's time, and must stay inside the calendar. */
const FIRST_START = Date.UTC(1970, 0, 2);
const LAST_END = Date.UTC(9999, 0, 1);

/** What a body says about the time; moments are ISO 8601. */
export interface AskedTimes {
  starts_at?: string;
  ends_at?: string;
  duration_minutes?: number;
}

/** The time of a meeting; moments are ISO 8601 in UTC. */
export interface Times {
  starts_at: string;
  ends_at: string;
  duration_minutes: number;
}

/**
 * The time of a new meeting.
 *
 * @param fallback minutes when the body does not say how long
 * @throws ApiError 422 on `ends_at` or `duration_minutes`
 */
export function newTimes(asked: AskedTimes & { starts_at: string }, fallback = DEFAULT_DURATION): Times {
  const start = new Date(asked.starts_at).getTime();
  if (asked.ends_at === undefined) return timesFrom(start, asked.duration_minutes ?? fallback);
  const minutes = minutesBetween(start, new Date(asked.ends_at).getTime());
  requireSame(asked.duration_minutes, minutes);
  return timesFrom(start, minutes);
}

/**
 * The time of a meeting after a change: a new start moves the meeting, a new end or duration stretches it. A value sent
 * back as it was is not asked for.
 *
 * @throws ApiError 422 on `ends_at` or `duration_minutes`
 */
export function changedTimes(before: Times, asked: AskedTimes): Times {
  const same = (left: string, right: string): boolean => new Date(left).getTime() === new Date(right).getTime();
  const start = new Date(asked.starts_at ?? before.starts_at).getTime();
  const end =
    asked.ends_at === undefined || same(asked.ends_at, before.ends_at) ? null : new Date(asked.ends_at).getTime();
  const minutes = asked.duration_minutes === before.duration_minutes ? undefined : asked.duration_minutes;
  if (end === null) return timesFrom(start, minutes ?? before.duration_minutes);
  const between = minutesBetween(start, end);
  requireSame(minutes, between);
  return timesFrom(start, between);
}

function minutesBetween(start: number, end: number): number {
  const minutes = (end - start) / MINUTE_MS;
  if (minutes <= 0) invalid('ends_at', 'min', '"ends_at" must be later than "starts_at".');
  if (!Number.isInteger(minutes)) invalid('ends_at', 'format', 'A meeting takes a whole number of minutes.');
  if (minutes > MAX_DURATION)
    invalid('ends_at', 'max', `A meeting takes at most ${MAX_DURATION} minutes.`, { max: MAX_DURATION });
  return minutes;
}

function requireSame(asked: number | undefined, minutes: number): void {
  if (asked !== undefined && asked !== minutes)
    invalid('duration_minutes', 'conflict', `"ends_at" says that the meeting takes ${minutes} minutes, not ${asked}.`);
}

function timesFrom(start: number, minutes: number): Times {
  const end = start + minutes * MINUTE_MS;
  if (start < FIRST_START) invalid('starts_at', 'min', '"starts_at" is too long ago.', { min: at(FIRST_START) });
  if (end > LAST_END) invalid('starts_at', 'max', '"starts_at" is too far away.', { max: at(LAST_END) });
  return { starts_at: at(start), ends_at: at(end), duration_minutes: minutes };
}

function at(ms: number): string {
  return new Date(ms).toISOString();
}
