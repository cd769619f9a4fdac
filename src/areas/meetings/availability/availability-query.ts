import { DateTime } from 'luxon';
import { dayEdge } from '../../../platform/calendar/date-window';
import { isDay } from '../../../platform/time/iso-time';
import { invalid } from '../../../platform/errors/api-error';
import { NumberParameter, type ParameterSettings, QueryParameter } from '../../../platform/query/members';
import { idOr, items, several, wholeNumber } from '../../../platform/query/values';
import { isTimeZoneName } from '../../../platform/columns/column-validators';
import { MAX_HOSTS } from '../meeting-values';

/** Days that can be looked at together, and those looked at unless asked. */
const MAX_DAYS = 31;
const DEFAULT_DAYS = 7;
const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;
const YEARS = [1970, 8_000] as const;

const id = wholeNumber(1, Number.MAX_SAFE_INTEGER);

/** Parameters of `GET /meetings/availability`. */
export class AvailabilityQuery {
  @QueryParameter({ description: 'Type of meeting; its duration, hosts and rules hold.' }, idOr([]), id)
  type_id?: number;

  @NumberParameter({ description: 'Without a type; 30 unless given.', min: 5, max: 480 })
  duration_minutes?: number;

  @QueryParameter(
    { description: 'Any of these users; the hosts of the type, else the user of the token, else all users.' },
    { ...several(idOr([])), maxItems: MAX_HOSTS },
    hosts,
  )
  host_id?: number[];

  @LocalMoment({ description: 'A date, or a moment; in `timezone` unless it has an offset. Today unless given.' })
  from?: string;

  @LocalMoment({ description: 'Likewise; a date includes that day. 7 days after `from` unless given.' })
  to?: string;

  @QueryParameter({ description: 'IANA name; that of the workspace unless given.' }, { type: 'string' }, zone)
  timezone?: string;
}

/** What is to be looked at; ms since 1970. */
export interface AvailabilityWindow {
  from: number;
  to: number;
  timezone: string;
}

/**
 * The window that was asked for. Dates, and moments without an offset, are those of `timezone`; a date as `to` includes
 * that day.
 *
 * @param fallback the time zone when none is asked for
 * @throws ApiError 422 naming the parameter
 */
export function availabilityWindow(query: AvailabilityQuery, fallback: string, now: number): AvailabilityWindow {
  const { timezone = fallback } = query;
  const at = (text: string): DateTime => DateTime.fromISO(text, { zone: timezone });
  const from = query.from === undefined ? DateTime.fromMillis(now, { zone: timezone }).startOf('day') : at(query.from);
  const to =
    query.to === undefined
      ? from.plus({ days: DEFAULT_DAYS })
      : isDay(query.to)
        ? dayEdge('to', query.to, timezone)
        : at(query.to);
  if (to <= from) invalid('to', 'min', '"to" must be later than "from".');
  if (to > from.plus({ days: MAX_DAYS }))
    invalid('to', 'max', `"to" is at most ${MAX_DAYS} days after "from".`, { max: MAX_DAYS });
  if (query.type_id !== undefined && query.duration_minutes !== undefined)
    invalid('duration_minutes', 'conflict', 'The type says how long it takes: give "type_id" or "duration_minutes".');
  return { from: from.toMillis(), to: to.toMillis(), timezone };
}

/** A date, or a timestamp that may leave its zone to `timezone`, as ISO 8601. */
function LocalMoment(settings: ParameterSettings): PropertyDecorator {
  return QueryParameter(settings, { type: 'string' }, (raw, name) => {
    // A plus sign that was not encoded arrives as a space.
    const text = raw.replace(/ (\d{2}:?\d{2})$/, '+$1');
    const parsed = MOMENT.test(text) ? DateTime.fromISO(text, { zone: 'UTC' }) : null;
    const isKnown = parsed?.isValid === true && parsed.year >= YEARS[0] && parsed.year <= YEARS[1];
    return isKnown
      ? text
      : invalid(name, 'format', `"${name}" must be a date or an ISO 8601 timestamp, e.g. 2026-10-20.`);
  });
}

function hosts(raw: string, name: string): number[] {
  const given = items(raw);
  if (given.length > MAX_HOSTS) invalid(name, 'max', `"${name}" takes at most ${MAX_HOSTS} users.`, { max: MAX_HOSTS });
  return [...new Set(given.map((item) => id(item, name)))];
}

function zone(raw: string, name: string): string {
  return isTimeZoneName(raw)
    ? raw
    : invalid(name, 'unknown_time_zone', `"${name}" must be an IANA time zone, e.g. Europe/Berlin.`);
}
