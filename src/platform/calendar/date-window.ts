import { DateTime } from 'luxon';
import { invalid } from '../http/errors';
import { isDay, LAST_MOMENT, parseMoment } from './iso-time';

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

/** `?from` or `?to` in ms since 1970, dates being days of UTC; null when it is absent, 422 when it cannot be read. */
export function windowEdge(edge: WindowEdge, value: unknown): number | null {
  if (value === undefined || value === '') return null;
  const moment = typeof value === 'string' ? read(edge, value) : null;
  return moment
    ? Math.min(moment.getTime(), LAST_MOMENT)
    : invalid(edge, 'format', `${edge} must be a date or an ISO 8601 timestamp with a zone`);
}

function read(edge: WindowEdge, text: string): Date | null {
  return isDay(text) ? dayEdge(edge, text).toJSDate() : parseMoment(text);
}
