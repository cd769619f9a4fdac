import { type CronExpression, CronExpressionParser } from 'cron-parser';
import { DAY_MS } from './civil-days';
import { WallClock } from './wall-clock';

const HOURS = 24;

/**
 * The first moment after `after` that a cron expression of five fields names, on the clocks of a zone. An expression of some
 * hours keeps its times: one that the clocks skip comes right after the gap, one that they show twice comes the first time.
 * An expression of every hour comes whenever the clocks show it, so where they change it goes on as time does.
 *
 * @throws Error when the expression is none, or never comes round
 */
export function nextTick(cron: string, timezone: string, after: Date): Date {
  const clock = new WallClock(timezone);
  const from = after.getTime();
  const offset = clock.offset(from);
  if (!Number.isFinite(offset)) throw new Error(`There is no time zone "${timezone}".`);
  const walls = wallTimes(cron, from + offset);
  const isHourly = walls.fields.hour.values.length === HOURS;
  for (;;) {
    const wall = walls.next().getTime();
    const moments = clock.moments(wall);
    const moment = isHourly ? moments.find((each) => each > from) : (moments[0] ?? clock.afterGap(wall));
    if (moment === undefined || moment <= from) continue;
    return new Date(isHourly ? Math.min(moment, shownAgain(cron, clock, from)) : moment);
  }
}

/** The first tick that is shown a second time, where the clocks are set back within a day of `from`; else Infinity. */
function shownAgain(cron: string, clock: WallClock, from: number): number {
  const offset = clock.offset(from + DAY_MS);
  const before = clock.offset(from);
  if (offset >= before) return Infinity;
  const change = clock.change(from, from + DAY_MS, offset);
  const wall = wallTimes(cron, change + offset - 1)
    .next()
    .getTime();
  return wall < change + before ? wall - offset : Infinity;
}

/** The wall-clock times behind `wall` that an expression names: the library is told of no zone. */
function wallTimes(cron: string, wall: number): CronExpression {
  return CronExpressionParser.parse(cron, { tz: 'UTC', currentDate: new Date(wall) });
}
