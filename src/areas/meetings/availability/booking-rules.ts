import { workingTime } from '../../../platform/calendar/working-time';
import type { Schedule } from '../../../platform/calendar/schedule';
import { DEFAULT_DURATION } from '../meeting-values';
import type { Engagements, Host, TypeRules } from './host-book';
import { type Interval, merged, placeOf } from './intervals';
import { localDays } from './local-days';
import type { HostTime, SlotRules } from './slots';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const OFFICE = [['09:00', '17:00']] as const;
const WORKING_DAYS = { mon: OFFICE, tue: OFFICE, wed: OFFICE, thu: OFFICE, fri: OFFICE };

/** When a slot may start at all; moments in ms, both included. */
export interface BookingWindow {
  earliest: number;
  latest: number;
}

/** What slots of a type must be like; without one, `minutes` long, without buffers, one after the other. */
export function slotRules(type: TypeRules | null, minutes = DEFAULT_DURATION): SlotRules {
  const duration = (type?.duration_minutes ?? minutes) * MINUTE_MS;
  return {
    duration,
    step: type?.slot_interval_minutes ? type.slot_interval_minutes * MINUTE_MS : duration,
    before: (type?.buffer_before_minutes ?? 0) * MINUTE_MS,
    after: (type?.buffer_after_minutes ?? 0) * MINUTE_MS,
    maxPerDay: type?.max_per_day ?? null,
    together: type?.scheduling === 'collective',
  };
}

/** Between the notice that the type wants and its furthest day; without a type, from now on. */
export function bookingWindow(type: TypeRules | null, now: number): BookingWindow {
  if (!type) return { earliest: now, latest: Infinity };
  return {
    earliest: now + type.minimum_notice_minutes * MINUTE_MS,
    latest: now + type.booking_window_days * DAY_MS,
  };
}

/** The hours in which a host can be met: those of the type, else the host's own, else 9 to 17 on working days. */
export function hoursOf(host: Host, type: TypeRules | null): Schedule {
  return type?.schedule ?? host.schedule ?? { mode: 'business_hours', timezone: host.timezone, weekly: WORKING_DAYS };
}

/** Local days are those of the hours. */
function zoneOf(host: Host, schedule: Schedule): string {
  return schedule.timezone ?? host.timezone;
}

/** The moments that have to be known about a host for slots that start in `[from, to)`. */
export function span(from: number, to: number, rules: SlotRules): Interval {
  return [from - rules.before - 2 * DAY_MS, to + rules.duration + rules.after + 2 * DAY_MS];
}

/**
 * What `findSlots` has to know about a host for slots that start in `[from, to)`.
 *
 * @param daysOf the local days of that time, where they are remembered
 */
export function hostTime(
  host: Host,
  type: TypeRules | null,
  rules: SlotRules,
  { busy, ofType }: Engagements,
  from: number,
  to: number,
  daysOf: (zone: string) => number[] = (zone) => localDays(zone, from, to),
): HostTime {
  const schedule = hoursOf(host, type);
  const days = daysOf(zoneOf(host, schedule));
  const taken = new Array<number>(days.length).fill(0);
  for (const moment of ofType) {
    const place = placeOf(days, moment);
    if (place >= 0 && place < days.length - 1) taken[place] = (taken[place] ?? 0) + 1;
  }
  return {
    id: host.id,
    open: workingTime(schedule).intervals(days[0] ?? from, to + rules.duration),
    busy: merged([...busy, ...absence(host)]),
    days,
    taken,
  };
}

function absence({ out_of_office: away }: Host): Interval[] {
  if (!away) return [];
  return [[Date.parse(away.from), away.to === undefined ? Infinity : Date.parse(away.to)]];
}
