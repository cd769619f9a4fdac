import { DateTime } from 'luxon';
import type { ShownWindow } from '../../../platform/calendar/date-window';
import { nextTick } from '../../../platform/calendar/next-tick';
import { clockNow } from '../../../platform/context/clock';

/** Schedules with a name: at six in the morning, of every day, of Mondays, of the first of the month. */
const NAMED: Readonly<Record<string, string>> = { daily: '0 6 * * *', weekly: '0 6 * * 1', monthly: '0 6 1 * *' };

/** Longest cron expression. */
export const MAX_SCHEDULE = 100;

/** Windows of a report that is sent, all of whole days. */
export const PERIODS = ['yesterday', 'last_7_days', 'last_30_days', 'last_week', 'last_month'] as const;

export type Period = (typeof PERIODS)[number];

/** Whether a text is a schedule: one with a name, or a cron expression of five fields that comes at most once an hour. */
export function isSchedule(text: string): boolean {
  if (Object.hasOwn(NAMED, text)) return true;
  // Of the extras of cron-parser (seconds, names such as @daily, hashes) none is promised.
  if (!/^\d{1,2}( [\d*,/A-Za-z?#-]+){4}$/.test(text) || /h/i.test(text.replace(/thu|mar/gi, ''))) return false;
  try {
    nextMoment(text, 'UTC', clockNow());
    return true;
  } catch {
    return false;
  }
}

/**
 * The first moment behind `after` that a schedule names, on the clocks of a zone.
 *
 * @throws Error when it never comes round
 */
export function nextMoment(schedule: string, timezone: string, after: Date): Date {
  return nextTick(NAMED[schedule] ?? schedule, timezone, after);
}

/** The same in ISO 8601; null for a schedule that never comes round again. */
export function laterMoment(
  { schedule, timezone }: { schedule: string; timezone: string },
  after: Date,
): string | null {
  try {
    return nextMoment(schedule, timezone, after).toISOString();
  } catch {
    return null;
  }
}

/** The window of a report that is sent at a moment: whole days of a zone, the last of them over. Weeks begin on Mondays. */
export function periodBefore(period: Period, moment: Date, timezone: string): ShownWindow {
  const today = DateTime.fromJSDate(moment, { zone: timezone }).startOf('day');
  const days = { yesterday: 1, last_7_days: 7, last_30_days: 30 };
  const [from, to] =
    period === 'last_week'
      ? [today.startOf('week').minus({ weeks: 1 }), today.startOf('week')]
      : period === 'last_month'
        ? [today.startOf('month').minus({ months: 1 }), today.startOf('month')]
        : [today.minus({ days: days[period] }), today];
  return { from: from.toJSDate().toISOString(), to: to.toJSDate().toISOString() };
}
