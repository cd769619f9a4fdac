import fc from 'fast-check';
import { DateTime } from 'luxon';
import type { BusinessHours, DayInterval, Schedule, Weekday } from '../../src/platform/calendar/schedule';
import { workingTime } from '../../src/platform/calendar/working-time';

const HOUR = 3_600;
const TEN_YEARS_MS = 10 * 365.25 * 24 * HOUR * 1_000;
const NINE_TO_SIX: DayInterval[] = [['09:00', '18:00']];
const LUNCH: DayInterval[] = [
  ['09:00', '13:00'],
  ['14:00', '18:00'],
];

function weekdays(intervals: DayInterval[], timezone = 'Europe/Berlin', holidays: BusinessHours['holidays'] = []) {
  const weekly = { mon: intervals, tue: intervals, wed: intervals, thu: intervals, fri: intervals };
  return { mode: 'business_hours', timezone, weekly, holidays } as const satisfies Schedule;
}

function everyDay(intervals: DayInterval[], timezone: string) {
  const days: Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  return { mode: 'business_hours', timezone, weekly: Object.fromEntries(days.map((day) => [day, intervals])) } as const;
}

const local = (text: string, zone = 'Europe/Berlin'): number => DateTime.fromISO(text, { zone }).toMillis();

function add(schedule: Schedule, start: string, seconds: number): string {
  const zone = schedule.timezone ?? 'utc';
  const end = workingTime(schedule).add(local(start, zone), seconds);
  return DateTime.fromMillis(end ?? NaN, { zone }).toFormat("yyyy-MM-dd'T'HH:mm");
}

function between(schedule: Schedule, from: string, to: string): number {
  const zone = schedule.timezone ?? 'utc';
  return workingTime(schedule).between(local(from, zone), local(to, zone));
}

describe('working time', () => {
  it('passes always around the clock', () => {
    const schedule: Schedule = { mode: '24x7' };
    expect(workingTime(schedule).add(1_000, 90)).toBe(91_000);
    expect(workingTime(schedule).between(1_000, 2_500)).toBe(1.5);
    expect(workingTime(schedule).between(2_500, 1_000)).toBe(0);
    expect(workingTime(schedule).intervals(5, 9)).toEqual([[5, 9]]);
  });

  it('starts at the next opening when begun exactly at closing time', () => {
    expect(add(weekdays(NINE_TO_SIX), '2026-10-19T18:00', HOUR)).toBe('2026-10-20T10:00');
    expect(add(weekdays(NINE_TO_SIX), '2026-10-19T18:00', 0)).toBe('2026-10-20T09:00');
    expect(add(weekdays(NINE_TO_SIX), '2026-10-19T17:00', HOUR)).toBe('2026-10-19T18:00');
    expect(add(weekdays(NINE_TO_SIX), '2026-10-19T17:00', 0)).toBe('2026-10-19T17:00');
  });

  it('does not pass on holidays, once or every year, nor on 29 February of other years', () => {
    const once = weekdays(NINE_TO_SIX, 'Europe/Berlin', [{ date: '2026-12-24' }]);
    expect(add(once, '2026-12-24T10:00', HOUR)).toBe('2026-12-25T10:00');
    expect(add(once, '2027-12-24T10:00', HOUR)).toBe('2027-12-24T11:00');
    const yearly = weekdays(NINE_TO_SIX, 'Europe/Berlin', [
      { date: '2020-12-24', recurring: true },
      { date: '2024-02-29', recurring: true },
    ]);
    expect(add(yearly, '2026-12-24T10:00', HOUR)).toBe('2026-12-25T10:00');
    expect(between(yearly, '2028-02-29T00:00', '2028-03-01T00:00')).toBe(0);
    expect(between(yearly, '2027-03-01T00:00', '2027-03-02T00:00')).toBe(9 * HOUR);
  });

  it('skips the lunch break and the weekend, and takes weeks for a long target', () => {
    expect(add(weekdays(LUNCH), '2026-10-19T12:30', HOUR)).toBe('2026-10-19T14:30');
    expect(add(weekdays(LUNCH), '2026-10-16T17:00', 2 * HOUR)).toBe('2026-10-19T10:00');
    expect(add(weekdays(LUNCH), '2026-10-19T09:00', 12 * 8 * HOUR)).toBe('2026-11-03T18:00');
    expect(between(weekdays(LUNCH), '2026-10-16T17:00', '2026-10-19T10:00')).toBe(2 * HOUR);
  });

  it('goes on at midnight through "24:00"', () => {
    const nights = everyDay([['00:00', '24:00']], 'Europe/Berlin');
    expect(between(nights, '2026-10-19T12:00', '2026-10-21T12:00')).toBe(48 * HOUR);
    expect(workingTime(nights).intervals(local('2026-10-19T12:00'), local('2026-10-21T12:00'))).toHaveLength(1);
    expect(add(everyDay([['20:00', '24:00']], 'Europe/Berlin'), '2026-10-19T23:00', HOUR)).toBe('2026-10-20T00:00');
  });

  it('counts the hours that really pass while clocks change', () => {
    // Berlin: forward on 29 March 2026 at 02:00, back on 25 October 2026 at 03:00.
    const night = everyDay([['01:00', '04:00']], 'Europe/Berlin');
    expect(between(night, '2026-03-29T00:00', '2026-03-29T12:00')).toBe(2 * HOUR);
    expect(between(night, '2026-10-25T00:00', '2026-10-25T12:00')).toBe(4 * HOUR);
    expect(between(everyDay(NINE_TO_SIX, 'Europe/Berlin'), '2026-03-29T00:00', '2026-03-30T00:00')).toBe(9 * HOUR);
    // Times inside the gap begin and end with the first moment after it.
    const inGap = everyDay([['02:15', '02:45']], 'Europe/Berlin');
    expect(between(inGap, '2026-03-29T00:00', '2026-03-30T00:00')).toBe(0);
    const fromGap = everyDay([['02:30', '05:00']], 'Europe/Berlin');
    expect(between(fromGap, '2026-03-29T00:00', '2026-03-30T00:00')).toBe(2 * HOUR);
    // Times that occur twice: from the first to the last.
    expect(between(everyDay([['02:00', '02:30']], 'Europe/Berlin'), '2026-10-25T00:00', '2026-10-26T00:00')).toBe(
      1.5 * HOUR,
    );
  });

  it('counts a doubled hour once when two intervals meet in it', () => {
    const meeting = everyDay(
      [
        ['01:00', '02:30'],
        ['02:30', '04:00'],
      ],
      'Europe/Berlin',
    );
    expect(between(meeting, '2026-10-25T00:00', '2026-10-25T12:00')).toBe(4 * HOUR);
    // Havana sets its clocks back from 01:00 to midnight.
    const havana = everyDay([['00:00', '24:00']], 'America/Havana');
    expect(between(havana, '2026-10-31T00:00', '2026-11-03T00:00')).toBe(73 * HOUR);
  });

  it('knows half-hour changes, zones without any, and a day that was left out', () => {
    // Lord Howe: 10:30 <-> 11:00.
    const lordHowe = everyDay([['01:00', '03:00']], 'Australia/Lord_Howe');
    expect(between(lordHowe, '2026-10-04T00:00', '2026-10-05T00:00')).toBe(1.5 * HOUR);
    expect(between(lordHowe, '2026-04-05T00:00', '2026-04-06T00:00')).toBe(2.5 * HOUR);
    const saoPaulo = everyDay([['00:00', '24:00']], 'America/Sao_Paulo');
    expect(between(saoPaulo, '2026-11-01T00:00', '2026-11-08T00:00')).toBe(7 * 24 * HOUR);
    // In 2018 it still set them forward at midnight.
    expect(between(saoPaulo, '2018-11-04T00:00', '2018-11-05T00:00')).toBe(23 * HOUR);
    const apia = everyDay(NINE_TO_SIX, 'Pacific/Apia');
    expect(between(apia, '2011-12-29T00:00', '2012-01-01T00:00')).toBe(2 * 9 * HOUR);
  });

  it('gives up after ten years', () => {
    const never: Schedule = weekdays([['09:00', '09:01']], 'Europe/Berlin');
    expect(workingTime(never).add(local('2026-01-01T00:00'), 60 * 2_600)).not.toBeNull();
    expect(workingTime(never).add(local('2026-01-01T00:00'), 60 * 2_700)).toBeNull();
    expect(workingTime({ mode: '24x7' }).add(0, 11 * 365.25 * 24 * HOUR)).toBeNull();
    const holidays = Array.from({ length: 366 }, (_, day) => ({
      date: new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10),
      recurring: true,
    }));
    expect(workingTime(weekdays(NINE_TO_SIX, 'Europe/Berlin', holidays)).add(0, 0)).toBeNull();
  });
});

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Pacific/Apia',
  'America/Havana',
];

const clockTime = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** Up to three intervals that do not overlap (but may touch). */
const day = fc.uniqueArray(fc.integer({ min: 0, max: 96 }), { maxLength: 6 }).map((marks) => {
  const order = [...marks].sort((a, b) => a - b).map((quarter) => clockTime(quarter * 15));
  return order.flatMap((start, index) => (index % 2 === 0 && order[index + 1] ? [[start, order[index + 1]!]] : []));
}) as fc.Arbitrary<DayInterval[]>;

const schedules: fc.Arbitrary<BusinessHours> = fc
  .record({
    timezone: fc.constantFrom(...ZONES),
    weekly: fc.record({ mon: day, tue: day, wed: day, thu: day, fri: day, sat: day, sun: day }),
    holidays: fc.array(
      fc.record({
        date: fc.integer({ min: 0, max: 700 }).map((n) => new Date(Date.UTC(2018, 0, n)).toISOString().slice(0, 10)),
        recurring: fc.boolean(),
      }),
      { maxLength: 5 },
    ),
  })
  .map((parts) => ({ mode: 'business_hours' as const, ...parts }))
  .filter(({ weekly }) => Object.values(weekly).some((intervals) => intervals.length > 0));

/** Whole seconds around changes of the clock in all the zones, and anywhere in between. */
const moments = fc.oneof(
  ...[
    '2018-03-11T00:00:00Z',
    '2018-03-25T00:00:00Z',
    '2018-04-01T00:00:00Z',
    '2018-10-07T00:00:00Z',
    '2018-10-28T00:00:00Z',
    '2018-11-04T00:00:00Z',
  ].map((text) => fc.integer({ min: -260_000, max: 260_000 }).map((s) => Date.parse(text) + s * 1_000)),
  fc.integer({ min: 1_514_764_800, max: 1_577_836_800 }).map((s) => s * 1_000),
);

const targets = fc.oneof(fc.integer({ min: 1, max: 40_000 }), fc.integer({ min: 1, max: 2_000_000 }));

describe('working time, of any schedule at any moment', () => {
  it('after adding s seconds exactly s seconds have passed', () => {
    fc.assert(
      fc.property(schedules, moments, targets, (schedule, start, seconds) => {
        const time = workingTime(schedule);
        const end = time.add(start, seconds);
        expect(end === null ? seconds : time.between(start, end)).toBe(seconds);
        // The last second is working time: the end is not later than it must be.
        if (end !== null) expect(time.isOpen(end - 1)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it('a pause postpones by the working time in it: add(start, t + between(p1, p2)) = add(p2, t - between(start, p1))', () => {
    fc.assert(
      fc.property(schedules, fc.array(moments, { minLength: 3, maxLength: 3 }), targets, (schedule, any, extra) => {
        const [start, p1, p2] = [...any].sort((a, b) => a - b) as [number, number, number];
        const time = workingTime(schedule);
        const target = time.between(start, p1) + extra;
        const whole = time.add(start, target + time.between(p1, p2));
        const rest = time.add(p2, target - time.between(start, p1));
        // Who begins later gives up later.
        if (whole === null) expect(rest ?? Infinity).toBeGreaterThan(start + TEN_YEARS_MS);
        else expect(rest).toBe(whole);
      }),
      { numRuns: 400 },
    );
  });

  it('is monotone and additive, and agrees with its intervals', () => {
    fc.assert(
      fc.property(schedules, fc.array(moments, { minLength: 3, maxLength: 3 }), (schedule, any) => {
        const [a, b, c] = [...any].sort((x, y) => x - y) as [number, number, number];
        const time = workingTime(schedule);
        expect(time.between(a, b) + time.between(b, c)).toBeCloseTo(time.between(a, c), 6);
        expect(time.between(a, b)).toBeLessThanOrEqual((b - a) / 1_000);
        const listed = time.intervals(a, c);
        expect(listed.reduce((sum, [start, end]) => sum + end - start, 0) / 1_000).toBeCloseTo(time.between(a, c), 6);
        expect(listed.every(([start, end], i) => start < end && (i === 0 || start > listed[i - 1]![1]))).toBe(true);
        const [early, late] = [time.add(a, 5_000), time.add(b, 5_000)];
        if (early !== null && late !== null) expect(early).toBeLessThanOrEqual(late);
      }),
      { numRuns: 400 },
    );
  });

  it('agrees with a clock on the wall, read minute by minute', () => {
    fc.assert(
      fc.property(schedules, moments, fc.integer({ min: 1, max: 4_000 }), (schedule, some, minutes) => {
        const from = Math.floor(some / 60_000) * 60_000;
        const open = wallClock(schedule, from, minutes);
        const expected = open.filter(Boolean).length * 60;
        expect(workingTime(schedule).between(from, from + minutes * 60_000)).toBe(expected);
        const probe = Math.floor(minutes / 2);
        expect(workingTime(schedule).isOpen(from + probe * 60_000)).toBe(open[probe]);
      }),
      { numRuns: 60 },
    );
  });
});

/**
 * What a person with a clock would say, for `minutes` minutes from `from`. In a doubled hour an interval reaches from its first
 * start to its last end, so a moment counts when it lies between them although the clock may read a time outside.
 */
function wallClock(schedule: BusinessHours, from: number, minutes: number): boolean[] {
  const shown = (moment: number): DateTime => DateTime.fromMillis(moment, { zone: schedule.timezone });
  // Every quarter of an hour from two days before to two days after, with what the wall clock shows.
  const quarters = Array.from({ length: Math.ceil(minutes / 15) + 384 }, (_, index) => {
    const moment = (Math.floor(from / 900_000) + index - 192) * 900_000;
    const here = shown(moment);
    return { moment, wall: moment + here.offset * 60_000, date: here.toISODate() ?? '' };
  });
  const instants = (wall: number): number[] => {
    const exact = quarters.filter((quarter) => quarter.wall === wall);
    const found = exact.length > 0 ? exact : [quarters.find((quarter) => quarter.wall > wall)];
    return found.map((quarter) => quarter?.moment ?? NaN);
  };
  const spans = [...new Set(quarters.map(({ wall }) => Math.floor(wall / 86_400_000) * 86_400_000))].flatMap(
    (midnight) => {
      const iso = new Date(midnight).toISOString().slice(0, 10);
      if (schedule.holidays?.some((h) => h.date === iso || (h.recurring && h.date.slice(5) === iso.slice(5))))
        return [];
      const weekday = (['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const)[new Date(midnight).getUTCDay()]!;
      const at = (time: string): number[] => {
        const [hour, minute] = time.split(':').map(Number) as [number, number];
        return instants(midnight + (hour * 60 + minute) * 60_000);
      };
      return (schedule.weekly[weekday] ?? []).map(
        ([start, end]) => [Math.min(...at(start)), Math.max(...at(end))] as const,
      );
    },
  );
  return Array.from({ length: minutes }, (_, index) => {
    const moment = from + index * 60_000;
    return spans.some(([start, end]) => moment >= start && moment < end);
  });
}
