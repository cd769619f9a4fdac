import { CronExpressionParser } from 'cron-parser';

/**
 * The first moment after `after` that a cron expression of five fields names, on the clocks of a zone. A time that the
 * clocks skip comes right after the gap; one that occurs twice comes once.
 *
 * @throws Error when the expression is none, or never comes round
 */
export function nextTick(cron: string, timezone: string, after: Date): Date {
  return CronExpressionParser.parse(cron, { tz: timezone, currentDate: after }).next().toDate();
}
