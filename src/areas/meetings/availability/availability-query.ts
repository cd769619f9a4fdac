import { DateTime } from 'luxon';
import { invalid } from '../../../platform/http/errors';
import { isTimeZoneName } from '../../../platform/resource/column-validators';
import { dayEdge } from '../../../platform/calendar/date-window';
import { isDay } from '../../../platform/calendar/iso-time';
import type { RawQuery } from '../../../platform/resource/list-query';
import { MAX_HOSTS } from '../meeting-values';

/** Days that can be looked at together, and those looked at unless asked. */
const MAX_DAYS = 31;
const DEFAULT_DAYS = 7;
const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;
const YEARS = [1970, 8_000] as const;

/** What was asked of `GET /meetings/availability`; moments in ms. */
export interface AvailabilityQuery {
  typeId: number | null;
  /** Minutes; null with a type, or when nothing was said. */
  duration: number | null;
  hostIds: number[] | null;
  from: number;
  to: number;
  timezone: string;
}

/**
 * Reads the query. Dates, and moments without an offset, are those of `timezone`; a date as `to` includes that day.
 *
 * @param fallback the time zone when none is asked for
 * @throws ApiError 422 naming the parameter
 */
export function parseAvailabilityQuery(query: RawQuery, fallback: string, now: number): AvailabilityQuery {
  const zone = query.timezone ?? fallback;
  if (!isTimeZoneName(zone))
    invalid('timezone', 'unknown_time_zone', '"timezone" must be an IANA time zone, e.g. Europe/Berlin.');
  const from =
    query.from === undefined ? DateTime.fromMillis(now, { zone }).startOf('day') : moment('from', query.from, zone);
  const to = query.to === undefined ? from.plus({ days: DEFAULT_DAYS }) : endOf(query.to, zone);
  if (to <= from) invalid('to', 'min', '"to" must be later than "from".');
  if (to > from.plus({ days: MAX_DAYS }))
    invalid('to', 'max', `"to" is at most ${MAX_DAYS} days after "from".`, { max: MAX_DAYS });
  const typeId = query.type_id === undefined ? null : wholeNumber('type_id', query.type_id, 1, Number.MAX_SAFE_INTEGER);
  const duration =
    query.duration_minutes === undefined ? null : wholeNumber('duration_minutes', query.duration_minutes, 5, 480);
  if (typeId !== null && duration !== null)
    invalid('duration_minutes', 'conflict', 'The type says how long it takes: give "type_id" or "duration_minutes".');
  const hostIds = query.host_id === undefined ? null : hosts(query.host_id);
  return { typeId, duration, hostIds, from: from.toMillis(), to: to.toMillis(), timezone: zone };
}

function moment(name: string, raw: string, zone: string): DateTime {
  // A plus sign that was not encoded arrives as a space.
  const text = raw.replace(/ (\d{2}:?\d{2})$/, '+$1');
  const parsed = MOMENT.test(text) ? DateTime.fromISO(text, { zone }) : null;
  if (!parsed?.isValid || parsed.year < YEARS[0] || parsed.year > YEARS[1])
    invalid(name, 'format', `"${name}" must be a date or an ISO 8601 timestamp, e.g. 2026-10-20.`);
  return parsed;
}

function endOf(raw: string, zone: string): DateTime {
  const parsed = moment('to', raw, zone);
  return isDay(raw) ? dayEdge('to', raw, zone) : parsed;
}

function hosts(raw: string): number[] {
  const items = raw.split(',').map((item) => item.trim());
  if (items.length > MAX_HOSTS)
    invalid('host_id', 'max', `"host_id" takes at most ${MAX_HOSTS} users.`, { max: MAX_HOSTS });
  return [...new Set(items.map((item) => wholeNumber('host_id', item, 1, Number.MAX_SAFE_INTEGER)))];
}

function wholeNumber(name: string, text: string, min: number, max: number): number {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (Number.isNaN(number)) invalid(name, 'type', `"${name}" must be a whole number.`);
  if (number < min) invalid(name, 'min', `"${name}" must be at least ${min}.`, { min });
  if (number > max) invalid(name, 'max', `"${name}" must be at most ${max}.`, { max });
  return number;
}
