import { type BusinessHours, minutesOf, WEEKDAYS } from './schedule';
import { WallClock } from './wall-clock';

const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** Which of the two moments of a wall-clock time that occurs twice. */
type Side = 'earlier' | 'later';

/** The working time of single local dates: product reference 3.2. Days are counted from 1970-01-01. */
export class CivilDays {
  private readonly clock: WallClock;
  /** Minutes since midnight, by weekday, in order. */
  private readonly weekly: readonly (readonly (readonly [number, number])[])[];
  private readonly holidays: ReadonlySet<string>;
  private readonly recurring: ReadonlySet<string>;
  /** Offsets at UTC midnights, for the days at hand: asking for one is what takes time here. */
  private readonly midnights = new Map<number, number>();

  constructor({ timezone, weekly, holidays = [] }: BusinessHours) {
    this.clock = new WallClock(timezone);
    this.weekly = WEEKDAYS.map((day) =>
      (weekly[day] ?? [])
        .map(([start, end]) => [minutesOf(start) ?? 0, minutesOf(end) ?? 0] as const)
        .sort((a, b) => a[0] - b[0]),
    );
    this.holidays = new Set(holidays.filter((holiday) => !holiday.recurring).map(({ date }) => date));
    this.recurring = new Set(holidays.filter((holiday) => holiday.recurring).map(({ date }) => date.slice(5)));
  }

  /** The intervals of days `[first, first + count)` as instants `[start, end)` in ms, in order and never overlapping. */
  intervals(first: number, count: number): { starts: number[]; ends: number[] } {
    const starts: number[] = [];
    const ends: number[] = [];
    this.midnights.clear();
    // Where a clock is set back at midnight, a day's "24:00" is later than the next day's "00:00".
    let taken = Math.max(-Infinity, ...this.day(first - 1).map(([, end]) => end));
    for (let day = first; day < first + count; day++) {
      for (const [start, end] of this.day(day)) {
        const from = Math.max(start, taken);
        if (end <= from) continue;
        starts.push(from);
        ends.push(end);
        taken = end;
      }
    }
    return { starts, ends };
  }

  private day(day: number): [start: number, end: number][] {
    const midnight = day * DAY_MS;
    const hours = this.weekly[new Date(midnight).getUTCDay()] ?? [];
    if (hours.length === 0 || this.isHoliday(midnight)) return [];
    const offset = this.steadyOffset(day);
    if (offset !== null) {
      return hours.map(([start, end]) => [midnight + start * MINUTE_MS - offset, midnight + end * MINUTE_MS - offset]);
    }
    return hours.map(([start, end]) => [
      this.instant(midnight + start * MINUTE_MS, 'earlier'),
      this.instant(midnight + end * MINUTE_MS, 'later'),
    ]);
  }

  private isHoliday(midnight: number): boolean {
    if (this.holidays.size === 0 && this.recurring.size === 0) return false;
    const date = new Date(midnight).toISOString().slice(0, 10);
    return this.holidays.has(date) || this.recurring.has(date.slice(5));
  }

  /**
   * The instant of a wall-clock time, given as if it were UTC. Where the clock is set forward over it, the first instant
   * after; where it occurs twice, the side asked for.
   */
  private instant(wall: number, side: Side): number {
    const moments = this.clock.moments(wall);
    return (side === 'earlier' ? moments[0] : moments.at(-1)) ?? this.clock.afterGap(wall);
  }

  /**
   * The offset of a day without a change of the clock nearby; null when there is one. No zone is more than a day from UTC, so the
   * local day lies in three UTC days; and none has ever changed its clock there and back within a week.
   */
  private steadyOffset(day: number): number | null {
    const [first, last] = [day - 1, day + 2];
    const week = Math.floor(first / 7) * 7;
    const weekly = this.midnight(week);
    if (weekly === this.midnight(week + 7) && (last <= week + 7 || weekly === this.midnight(week + 14))) return weekly;
    const offset = this.midnight(first);
    return offset === this.midnight(last) ? offset : null;
  }

  private midnight(day: number): number {
    const known = this.midnights.get(day);
    if (known !== undefined) return known;
    const offset = this.clock.offset(day * DAY_MS);
    this.midnights.set(day, offset);
    return offset;
  }
}
