import ICAL from 'ical.js';
import type { Holiday } from '../../platform/calendar/schedule';
import { firstCharacters } from '../../platform/text/normalise';

/** A calendar, and the days that are looked for, both included. */
export interface HolidayQuestion {
  /** iCalendar (RFC 5545). */
  text: string;
  /** `YYYY-MM-DD`. */
  first: string;
  last: string;
}

/** What a calendar has of holidays. */
export interface HolidayAnswer {
  /** Why there are none: what follows the name of the file in a sentence. */
  problem: string | null;
  /** In the order of the file; days may be there several times. */
  holidays: Holiday[];
  /** Events that are none: those with times, cancelled ones, other years, rules that are not yearly. */
  skipped: number;
}

type Component = InstanceType<typeof ICAL.Component>;
type Time = InstanceType<typeof ICAL.Time>;
type Recur = InstanceType<typeof ICAL.Recur>;

const DAY_MS = 86_400_000;
const MAX_EVENTS = 5_000;
/** Occurrences that are looked at, of all events together. */
const MAX_STEPS = 20_000;
/** A holiday of more days is none, or a mistake. */
const MAX_DAYS = 31;
const MAX_NAME = 255;
const MAX_WHY = 200;

/**
 * The holidays of a calendar: its events of whole days. What returns on the same date each year stays one recurring holiday; other
 * yearly rules are written out for the days asked for. Runs in a thread: a file can be made to keep it busy.
 */
export function readHolidays({ text, first, last }: HolidayQuestion): HolidayAnswer {
  const events = eventsOf(text);
  if (typeof events === 'string') return { problem: events, holidays: [], skipped: 0 };
  const reader = new HolidayReader(dayNumber(first), dayNumber(last), replacedDays(events));
  const found = events.map((event) => reader.holidaysOf(event));
  if (reader.stepsLeft < 0) return { problem: 'repeats its events too often', holidays: [], skipped: 0 };
  return { problem: null, holidays: found.flat(), skipped: found.filter((days) => days.length === 0).length };
}

/** The events of all calendars of a file, or what is wrong with it. */
function eventsOf(text: string): Component[] | string {
  try {
    const parsed: unknown = ICAL.parse(text);
    // One calendar stands for itself, several are a list.
    const roots: unknown[] = Array.isArray(parsed) && typeof parsed[0] !== 'string' ? parsed : [parsed];
    const calendars = roots
      .flatMap((root) => (Array.isArray(root) ? [new ICAL.Component(root)] : []))
      .filter(({ name }) => name === 'vcalendar');
    if (calendars.length === 0) return 'has no calendar (BEGIN:VCALENDAR)';
    const events = calendars.flatMap((calendar) => calendar.getAllSubcomponents('vevent'));
    return events.length > MAX_EVENTS ? `has more than ${MAX_EVENTS} events` : events;
  } catch (error) {
    const why = error instanceof Error ? `: ${printable(error.message).slice(0, MAX_WHY)}` : '';
    return `is no calendar in the form of RFC 5545${why}`;
  }
}

/** Days of recurring events that events of their own replace, by UID. */
function replacedDays(events: readonly Component[]): ReadonlyMap<string, ReadonlySet<number>> {
  const byUid = new Map<string, Set<number>>();
  for (const event of events) {
    const day = wholeDay(valueOf(event, 'recurrence-id'));
    if (day === null) continue;
    const uid = textOf(event, 'uid');
    byUid.set(uid, (byUid.get(uid) ?? new Set()).add(day));
  }
  return byUid;
}

class HolidayReader {
  stepsLeft = MAX_STEPS;

  constructor(
    private readonly first: number,
    private readonly last: number,
    private readonly replaced: ReadonlyMap<string, ReadonlySet<number>>,
  ) {}

  /** The days of an event that are holidays; none when it is no event of whole days in these years. */
  holidaysOf(event: Component): Holiday[] {
    try {
      if (textOf(event, 'status').toUpperCase() === 'CANCELLED') return [];
      const start = valueOf(event, 'dtstart');
      const day = wholeDay(start);
      if (!(start instanceof ICAL.Time) || day === null) return [];
      const length = lengthOf(event, day);
      if (length > MAX_DAYS) return [];
      const name = nameOf(event);
      const days = (from: number): number[] => Array.from({ length }, (_, index) => from + index);
      const isPart = event.hasProperty('recurrence-id');
      const rules = isPart ? [] : rulesOf(event);
      if (rules.some(({ freq }) => freq !== 'YEARLY')) return [];
      if (this.isSteady(event, rules, start, day))
        return days(day).map((each) => ({ date: dateOf(each), ...name, recurring: true }));
      // Without a rule the library leaves the day itself out.
      const own = event.hasProperty('rrule') && !isPart ? [] : [day];
      const starts = isPart || !repeats(event) ? own : [...own, ...this.startsOf(event, start, length)];
      return starts
        .flatMap(days)
        .filter((each) => each >= this.first && each <= this.last)
        .map((each) => ({ date: dateOf(each), ...name }));
    } catch {
      // A rule or a date that the library cannot make sense of.
      return [];
    }
  }

  /** Whether the event is on the same date in every year that is asked for. */
  private isSteady(event: Component, rules: readonly Recur[], start: Time, day: number): boolean {
    const [rule, ...more] = rules;
    if (!rule || more.length > 0 || day > this.first || rule.interval !== 1) return false;
    if (rule.count !== null || rule.until !== null || this.replaced.has(textOf(event, 'uid'))) return false;
    if (event.hasProperty('exdate') || event.hasProperty('rdate')) return false;
    const { BYMONTH: months = [start.month], BYMONTHDAY: monthDays = [start.day], ...others } = rule.parts;
    const isOf = (list: unknown, own: number): boolean => Array.isArray(list) && list.length === 1 && list[0] === own;
    return Object.keys(others).length === 0 && isOf(months, start.month) && isOf(monthDays, start.day);
  }

  /** First days of the occurrences that reach into the years asked for. */
  private startsOf(event: Component, start: Time, length: number): number[] {
    const replaced = this.replaced.get(textOf(event, 'uid'));
    const expansion = new ICAL.RecurExpansion({ component: event, dtstart: start });
    const starts: number[] = [];
    for (; this.stepsLeft >= 0; this.stepsLeft--) {
      const day = wholeDay(expansion.next());
      if (day === null || day > this.last) break;
      if (day + length > this.first && !replaced?.has(day)) starts.push(day);
    }
    return starts;
  }
}

function rulesOf(event: Component): Recur[] {
  const values: unknown[] = event.getAllProperties('rrule').map((rule) => rule.getFirstValue());
  return values.filter((value) => value instanceof ICAL.Recur);
}

const repeats = (event: Component): boolean => event.hasProperty('rrule') || event.hasProperty('rdate');

/** Days that an event lasts: its end is the day behind the last (RFC 5545, 3.6.1). */
function lengthOf(event: Component, start: number): number {
  const end = wholeDay(valueOf(event, 'dtend'));
  // Some programs write the last day.
  if (end !== null) return Math.max(1, end - start);
  const duration = valueOf(event, 'duration');
  return duration instanceof ICAL.Duration ? Math.max(1, Math.ceil(duration.toSeconds() / 86_400)) : 1;
}

function nameOf(event: Component): { name?: string } {
  const name = firstCharacters(printable(textOf(event, 'summary')), MAX_NAME);
  return name === '' ? {} : { name };
}

/** On one line. */
function printable(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim();
}

/** Number of a day since 1970-01-01; null for what is no whole day. */
function wholeDay(value: unknown): number | null {
  if (!(value instanceof ICAL.Time) || !value.isDate) return null;
  const { year, month, day } = value;
  const isPossible = year >= 1 && year <= 9_999 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
  return isPossible ? dayNumber(`${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`) : null;
}

const two = (part: number): string => String(part).padStart(2, '0');
const dayNumber = (date: string): number => Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

function valueOf(event: Component, name: string): unknown {
  return event.getFirstPropertyValue(name);
}

function textOf(event: Component, name: string): string {
  const value = valueOf(event, name);
  return typeof value === 'string' ? value : '';
}
