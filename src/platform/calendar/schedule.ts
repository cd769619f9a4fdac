import { ValidateBy } from 'class-validator';
import type { ErrorDetail } from '../errors/api-error';
import { isTimeZoneName } from '../columns/column-validators';
import { isDay } from '../time/iso-time';

/** Days of a week in the order of `Date.getUTCDay()`. */
export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

export type Weekday = (typeof WEEKDAYS)[number];

/** `["09:00", "17:30"]`: local wall-clock times, the end excluded and possibly `24:00`. */
export type DayInterval = readonly [start: string, end: string];

/** A local date without work; a recurring one returns each year (29 February in leap years). */
export interface Holiday {
  readonly date: string;
  readonly name?: string | null;
  readonly recurring?: boolean;
}

/** Every moment counts. */
export interface AroundTheClock {
  readonly mode: '24x7';
  readonly timezone?: string | null;
}

/** Only these hours of these days count; a day that is not named has none. */
export interface BusinessHours {
  readonly mode: 'business_hours';
  readonly timezone: string;
  readonly weekly: Readonly<Partial<Record<Weekday, readonly DayInterval[]>>>;
  readonly holidays?: readonly Holiday[];
}

/** When working time passes: of SLA policies, automations, people and meeting types. */
export type Schedule = AroundTheClock | BusinessHours;

export const MAX_INTERVALS = 24;
export const MAX_HOLIDAYS = 500;
export const MAX_HOLIDAY_NAME = 255;
const MINUTES_A_DAY = 1_440;
const KEYS = {
  '24x7': ['mode', 'timezone'],
  business_hours: ['mode', 'timezone', 'weekly', 'holidays'],
  holiday: ['date', 'name', 'recurring'],
} as const;

type Plain = Record<string, unknown>;

/**
 * Everything wrong with a schedule, one detail per field; empty = it is a {@link Schedule}.
 *
 * @param field where the schedule stands in the body, e.g. `schedule`
 */
export function scheduleProblems(value: unknown, field: string): ErrorDetail[] {
  if (!isPlain(value)) return [problem(field, 'type', 'must be an object')];
  if (value.mode !== '24x7' && value.mode !== 'business_hours') {
    const code = value.mode === undefined ? 'required' : 'enum';
    return [
      { ...problem(`${field}.mode`, code, 'must be 24x7 or business_hours'), allowed: ['24x7', 'business_hours'] },
    ];
  }
  const problems = [
    ...unknownKeys(value, KEYS[value.mode], field),
    ...zoneProblems(value.timezone, value.mode, `${field}.timezone`),
  ];
  if (value.mode === '24x7') return problems;
  return [
    ...problems,
    ...weeklyProblems(value.weekly, `${field}.weekly`),
    ...holidaysProblems(value.holidays, `${field}.holidays`),
  ];
}

/** The property is a {@link Schedule}; the message names the first thing that is wrong. */
export function IsSchedule(): PropertyDecorator {
  return ValidateBy({
    name: 'isSchedule',
    validator: {
      validate: (value: unknown) => scheduleProblems(value, '').length === 0,
      defaultMessage: (args) => scheduleProblems(args?.value, args?.property ?? 'value')[0]?.message ?? '',
    },
  });
}

/** Minutes since midnight of `HH:MM`; 1440 for `24:00`; null when it is no time of day. */
export function minutesOf(text: unknown): number | null {
  const match = typeof text === 'string' ? /^(\d{2}):(\d{2})$/.exec(text) : null;
  if (!match) return null;
  const minutes = Number(match[1]) * 60 + Number(match[2]);
  return Number(match[2]) < 60 && minutes <= MINUTES_A_DAY ? minutes : null;
}

function zoneProblems(value: unknown, mode: Schedule['mode'], field: string): ErrorDetail[] {
  const optional = mode === '24x7';
  if (optional && (value === undefined || value === null)) return [];
  if (value === undefined) return [problem(field, 'required', 'is required with business hours')];
  const known = typeof value === 'string' && isTimeZoneName(value);
  return known ? [] : [problem(field, 'unknown_time_zone', 'must be an IANA time zone, e.g. Europe/Berlin')];
}

function weeklyProblems(value: unknown, field: string): ErrorDetail[] {
  if (value === undefined) return [problem(field, 'required', 'is required with business hours')];
  if (!isPlain(value)) return [problem(field, 'type', 'must be an object of the days mon to sun')];
  const unknown = unknownKeys(value, WEEKDAYS, field);
  const named = WEEKDAYS.filter((day) => value[day] !== undefined);
  const problems = [...unknown, ...named.flatMap((day) => dayProblems(value[day], `${field}.${day}`))];
  if (problems.length > 0) return problems;
  const open = named.some((day) => (value[day] as unknown[]).length > 0);
  return open ? [] : [problem(field, 'no_working_time', 'must have working time on at least one day')];
}

function dayProblems(value: unknown, field: string): ErrorDetail[] {
  if (!Array.isArray(value)) return [problem(field, 'type', 'must be an array of [start, end] pairs')];
  if (value.length > MAX_INTERVALS) return [problem(field, 'max', `must have at most ${MAX_INTERVALS} intervals`)];
  const intervals = value as unknown[];
  const problems = intervals.flatMap((interval, index) => intervalProblems(interval, `${field}.${index}`));
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

function holidaysProblems(value: unknown, field: string): ErrorDetail[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [problem(field, 'type', 'must be an array of holidays')];
  if (value.length > MAX_HOLIDAYS) return [problem(field, 'max', `must have at most ${MAX_HOLIDAYS} holidays`)];
  return (value as unknown[]).flatMap((holiday, index) => holidayProblems(holiday, `${field}.${index}`));
}

function holidayProblems(value: unknown, field: string): ErrorDetail[] {
  if (!isPlain(value)) return [problem(field, 'type', 'must be an object with a date')];
  const { date, name, recurring } = value;
  const problems = unknownKeys(value, KEYS.holiday, field);
  if (!isDate(date)) problems.push(problem(`${field}.date`, 'format', 'must be a date that exists, e.g. 2026-12-25'));
  if (name !== undefined && name !== null && (typeof name !== 'string' || name.length > MAX_HOLIDAY_NAME)) {
    problems.push(problem(`${field}.name`, 'type', `must be text of at most ${MAX_HOLIDAY_NAME} characters`));
  }
  if (recurring !== undefined && typeof recurring !== 'boolean') {
    problems.push(problem(`${field}.recurring`, 'type', 'must be true or false'));
  }
  return problems;
}

function isDate(value: unknown): boolean {
  return typeof value === 'string' && isDay(value);
}

function unknownKeys(value: Plain, known: readonly string[], field: string): ErrorDetail[] {
  return Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => problem(`${field}.${key.slice(0, 64)}`, 'unknown_field', 'is not a field of a schedule'));
}

function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function problem(field: string, code: string, text: string): ErrorDetail {
  return { field, code, message: `${field} ${text}` };
}
