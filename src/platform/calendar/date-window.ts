import { DateTime } from 'luxon';
import { invalid } from '../errors/api-error';
import { FIRST_MOMENT, isDay, LAST_MOMENT, parseMoment } from '../time/iso-time';

const DAY_MS = 86_400_000;

/** An end of a window of time. */
export type WindowEdge = 'from' | 'to';

/**
 * The one rule of dates in windows: a date is a whole day and part of the window, so as `from` it is its beginning and as
 * `to` its end. Moments mean themselves, and as `to` are excluded. Not a day of the calendar: an invalid DateTime.
 */
export function dayEdge(edge: WindowEdge, day: string, zone = 'UTC'): DateTime {
  const begin = DateTime.fromISO(day, { zone }).startOf('day');
  return edge === 'from' ? begin : begin.plus({ days: 1 }).startOf('day');
}

/** `?from` or `?to` in ms since 1970, dates being days of the zone; null when it is absent, 422 when it cannot be read. */
export function windowEdge(edge: WindowEdge, value: unknown, zone = 'UTC'): number | null {
  if (value === undefined || value === '') return null;
  const moment = typeof value === 'string' ? read(edge, value, zone) : null;
  return moment
    ? Math.max(FIRST_MOMENT, Math.min(moment.getTime(), LAST_MOMENT))
    : invalid(edge, 'format', `${edge} must be a date or an ISO 8601 timestamp with a zone`);
}

/** `[from, to)`, ISO 8601. */
export interface ShownWindow {
  readonly from: string;
  readonly to: string;
}

/**
 * The window that was asked for: without `to` it ends now, without `from` it is `days` long; 422 when it is empty or
 * longer than `most` days.
 *
 * @param now ms since 1970, as are the ends
 */
export function boundedWindow(
  asked: { from?: number; to?: number },
  { days, most }: { days: number; most: number },
  now: number,
): ShownWindow {
  const to = asked.to ?? now;
  const from = asked.from ?? Math.max(FIRST_MOMENT, to - days * DAY_MS);
  if (from >= to) invalid('from', 'order', 'from must be before to');
  if (to - from > most * DAY_MS) invalid('from', 'max', `from must be at most ${most} days before to`);
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

function read(edge: WindowEdge, text: string, zone: string): Date | null {
  return isDay(text) ? dayEdge(edge, text, zone).toJSDate() : parseMoment(text);
}
