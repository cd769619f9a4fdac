import { DateTime } from 'luxon';
import type { Schedule } from '../../../platform/calendar/schedule';
import { workingTime } from '../../../platform/calendar/working-time';

/** Closed days in a row after which a schedule counts as having no business days. */
const MAX_CLOSED_DAYS = 400;

/**
 * The same local time of day so many business days on (or back): days on which the schedule has working time; Monday to
 * Friday where it is open around the clock.
 */
export function addBusinessDays(from: Date, days: number, schedule: Schedule): Date {
  const time = workingTime(schedule);
  const works = (day: DateTime): boolean =>
    schedule.mode === '24x7'
      ? day.weekday <= 5
      : time.between(day.startOf('day').toMillis(), day.startOf('day').plus({ days: 1 }).toMillis()) > 0;
  let moment = DateTime.fromJSDate(from, { zone: schedule.timezone ?? 'UTC' });
  let closed = 0;
  for (let left = Math.abs(days); left > 0 && closed < MAX_CLOSED_DAYS;) {
    moment = moment.plus({ days: Math.sign(days) });
    closed = works(moment) ? 0 : closed + 1;
    if (closed === 0) left--;
  }
  return moment.toJSDate();
}
