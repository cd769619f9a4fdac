import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsBoolean, IsDefined, IsString, MaxLength, ValidateBy } from 'class-validator';
import { IsDay, IsTimeZoneName } from '../columns/column-validators';
import type { ErrorDetail } from '../errors/api-error';
import { isRecord } from '../text/json';
import {
  Choice,
  IfGiven,
  IfPresent,
  IsShapedAsOne,
  listOf,
  objectOf,
  oneOf,
  type Shape,
  Shaped,
} from '../validation/shapes';

/** Days of a week in the order of `Date.getUTCDay()`. */
export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

export type Weekday = (typeof WEEKDAYS)[number];

/** `["09:00", "17:30"]`: local wall-clock times, the end excluded and possibly `24:00`. */
export type DayInterval = readonly [start: string, end: string];

const MAX_INTERVALS = 24;
const TIME = /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/;
const MINUTES_A_DAY = 1_440;

const zone = { context: { code: 'unknown_time_zone' } };

/** The intervals of a day. */
const dayHours: Shape = {
  api: {
    type: 'array',
    maxItems: MAX_INTERVALS,
    items: { type: 'array', minItems: 2, maxItems: 2, items: { type: 'string', pattern: TIME.source } },
  },
  find: (value, field, found) => void found.push(...dayProblems(value, field)),
};

/** Intervals by day, in an object that names a day. */
export const weeklyHours = (): Shape => {
  const shape = objectOf(WeeklyHours);
  return { ...shape, api: { ...shape.api, minProperties: 1 } };
};

const Hours = (): PropertyDecorator => Shaped(dayHours, { optional: true });

/** Intervals by day. */
export class WeeklyHours {
  @Hours()
  readonly sun?: readonly DayInterval[];

  @Hours()
  readonly mon?: readonly DayInterval[];

  @Hours()
  readonly tue?: readonly DayInterval[];

  @Hours()
  readonly wed?: readonly DayInterval[];

  @Hours()
  readonly thu?: readonly DayInterval[];

  @Hours()
  readonly fri?: readonly DayInterval[];

  @Hours()
  readonly sat?: readonly DayInterval[];
}

/** A local date without work; a recurring one returns each year (29 February in leap years). */
export class Holiday {
  @ApiProperty({ type: 'string', format: 'date', required: true })
  @IsDay()
  readonly date: string;

  @ApiProperty({ type: 'string', required: false, nullable: true })
  @IfPresent()
  @IsString()
  @MaxLength(255)
  readonly name?: string | null;

  @ApiProperty({ type: 'boolean', required: false, description: 'It returns each year.' })
  @IfGiven()
  @IsBoolean()
  readonly recurring?: boolean;
}

/** Most holidays of one schedule. */
export const MAX_HOLIDAYS = 500;

export const holidayList = (): Shape => listOf(objectOf(Holiday), { max: MAX_HOLIDAYS, of: 'holidays' });

/** Every moment counts. */
@ApiSchema({ description: 'Every moment counts.' })
export class AroundTheClock {
  @Choice(['24x7'])
  readonly mode: '24x7';

  @ApiProperty({ type: 'string', required: false, nullable: true })
  @IfPresent()
  @IsTimeZoneName(zone)
  readonly timezone?: string | null;
}

/** Only these hours of these days count; a day that is not named has none. */
@ApiSchema({ description: 'Only these hours of these days count; a day that is not named has none.' })
export class BusinessHours {
  @Choice(['business_hours'])
  readonly mode: 'business_hours';

  @ApiProperty({ type: 'string', required: true, description: 'IANA name.' })
  @IsDefined()
  @IsTimeZoneName(zone)
  readonly timezone: string;

  @Shaped(weeklyHours(), {
    description: 'Intervals by day, each from its start to its end, which is excluded.',
  })
  @HasWorkingTime()
  readonly weekly: WeeklyHours;

  @Shaped(holidayList(), { optional: true })
  readonly holidays?: readonly Holiday[];
}

/** When working time passes: of SLA policies, automations, people and meeting types. */
export type Schedule = AroundTheClock | BusinessHours;

/** What a schedule must be. */
export const scheduleShape = oneOf('Schedule', 'mode', () => [AroundTheClock, BusinessHours], 'anyOf');

/** What a column with a schedule is. */
export const SCHEDULE = {
  description:
    'When time counts: always, or in these hours of these days (several intervals a day), except on holidays.',
  example: {
    mode: 'business_hours',
    timezone: 'Europe/Berlin',
    weekly: {
      mon: [
        ['09:00', '13:00'],
        ['14:00', '18:00'],
      ],
    },
    holidays: [{ date: '2026-12-25', recurring: true }],
  },
  rules: [IsShapedAsOne(scheduleShape)],
  api: scheduleShape.api,
};

/** Minutes since midnight of `HH:MM`; 1440 for `24:00`; null when it is no time of day. */
export function minutesOf(text: unknown): number | null {
  if (typeof text !== 'string' || !TIME.test(text)) return null;
  return Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
}

/** There is a day with hours; what is no list of hours is another fault. */
export function HasWorkingTime(): PropertyDecorator {
  const holds = (weekly: unknown): boolean =>
    !isRecord(weekly) || Object.values(weekly).some((day) => !Array.isArray(day) || day.length > 0);
  return ValidateBy(
    {
      name: 'hasWorkingTime',
      validator: { validate: holds, defaultMessage: () => '$property must have working time on at least one day' },
    },
    { context: { code: 'no_working_time' } },
  );
}

function dayProblems(value: unknown, field: string): ErrorDetail[] {
  if (!Array.isArray(value)) return [problem(field, 'type', 'must be an array of [start, end] pairs')];
  if (value.length > MAX_INTERVALS) return [problem(field, 'max', `must have at most ${MAX_INTERVALS} intervals`)];
  const intervals = value as unknown[];
  const problems = intervals.flatMap((interval, index) => intervalProblems(interval, `${field}[${index}]`));
  if (problems.length > 0) return problems;
  const order = (intervals as DayInterval[])
    .map(([start, end]) => [minutesOf(start) ?? 0, minutesOf(end) ?? 0] as const)
    .sort((a, b) => a[0] - b[0]);
  const overlap = order.some(([start], index) => index > 0 && start < (order[index - 1]?.[1] ?? 0));
  return overlap ? [problem(field, 'overlap', 'must have intervals that do not overlap')] : [];
}

function intervalProblems(value: unknown, field: string): ErrorDetail[] {
  if (!Array.isArray(value) || value.length !== 2) {
    return [problem(field, 'type', 'must be a pair of times such as ["09:00", "17:30"]')];
  }
  const [start, end] = [minutesOf(value[0]), minutesOf(value[1])];
  if (start === null || end === null || start === MINUTES_A_DAY) {
    return [problem(field, 'format', 'must have times from 00:00 to 23:59, the end up to 24:00')];
  }
  return start < end ? [] : [problem(field, 'inverted', 'must end after it starts; split what passes midnight')];
}

function problem(field: string, code: string, text: string): ErrorDetail {
  return { field, code, message: `${field} ${text}` };
}
