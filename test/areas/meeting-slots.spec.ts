import fc from 'fast-check';
import { bookingWindow, hostTime, hoursOf, slotRules } from '../../src/areas/meetings/availability/booking-rules';
import type { Host, TypeRules } from '../../src/areas/meetings/availability/host-book';
import { type Interval, intersection, merged, placeOf } from '../../src/areas/meetings/availability/intervals';
import { LocalClock, localDays } from '../../src/areas/meetings/availability/local-days';
import { findSlots, type Slot } from '../../src/areas/meetings/availability/slots';
import { clock, host, type, wall } from '../support/meetings';

const MINUTE = 60_000;
const DAY = 86_400_000;

function slotsOf(hosts: readonly Host[], rules: TypeRules, busy: Interval[], from: number, to: number): Slot[] {
  const slot = slotRules(rules);
  const times = hosts.map((each) => hostTime(each, rules, slot, { busy, ofType: [] }, from, to));
  return findSlots(times, slot, from, to);
}

describe('working hours on the days on which clocks change', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29T00:00Z', 24],
    ['Europe/Berlin', '2026-10-25T00:00Z', 24],
    ['America/New_York', '2026-03-08T06:00Z', 24],
    ['America/New_York', '2026-11-01T06:00Z', 24],
    ['Australia/Lord_Howe', '2026-04-04T14:00Z', 24],
    ['Australia/Lord_Howe', '2026-10-03T14:00Z', 24],
  ])('%s around %s: meetings begin at 9, 10, 11 by the clock on the wall', (timezone, noon, hours) => {
    const weekly = Object.fromEntries(
      ['sat', 'sun', 'mon'].map((day) => [day, [['09:00', '12:00']] as [string, string][]]),
    );
    const schedule = { mode: 'business_hours' as const, timezone, weekly };
    const middle = Date.parse(noon.replace('Z', ':00Z'));
    const [from, to] = [middle - hours * 3_600_000, middle + 2 * hours * 3_600_000];
    const found = slotsOf([host({ schedule })], type(), [], from, to);
    expect(new Set(found.map(({ start }) => clock(wall(start, timezone).minute)))).toEqual(
      new Set(['09:00', '10:00', '11:00']),
    );
    expect(new Set(found.map(({ start }) => wall(start, timezone).day)).size).toBeGreaterThanOrEqual(3);
  });

  it('a day around the clock has 23, 25 and, with half an hour less, 23 whole hours', () => {
    const whole = (timezone: string, from: string, to: string): number =>
      slotsOf([host({ schedule: { mode: '24x7', timezone } })], type(), [], Date.parse(from), Date.parse(to)).length;
    expect(whole('Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z')).toBe(23);
    expect(whole('Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z')).toBe(25);
    expect(whole('Australia/Lord_Howe', '2026-10-03T13:30:00Z', '2026-10-04T13:00:00Z')).toBe(24);
  });

  it('the local rendering carries the offset of its own moment', () => {
    const zone = 'Australia/Lord_Howe';
    const from = Date.parse('2026-04-03T13:00:00Z');
    const days = localDays(zone, from, from + 3 * DAY);
    const clockOf = new LocalClock(zone, days);
    const texts = Array.from({ length: 144 }, (_, index) => {
      const moment = from + index * 30 * MINUTE;
      return [moment, clockOf.text(moment)] as const;
    });
    for (const [moment, text] of texts) {
      expect(Date.parse(text)).toBe(moment);
      expect(text.slice(11, 16)).toBe(clock(wall(moment, zone).minute));
    }
    expect(new Set(texts.map(([, text]) => text.slice(-6)))).toEqual(new Set(['+11:00', '+10:30']));
  });
});

describe('rules of a type', () => {
  const monday = Date.parse('2026-06-01T00:00:00Z');
  const utc = host({ timezone: 'UTC' });
  const hoursFound = (found: readonly Slot[]): string[] =>
    found.map(({ start }) => new Date(start).toISOString().slice(11, 16));

  it('without any hours, people work Monday to Friday from 9 to 17 in their own zone', () => {
    expect(hoursOf(host(), null)).toMatchObject({ mode: 'business_hours', timezone: 'Europe/Berlin' });
    const found = slotsOf([utc], type(), [], monday, monday + 7 * DAY);
    expect(found).toHaveLength(40);
    expect(hoursFound(found.slice(0, 8))).toEqual([
      '09:00',
      '10:00',
      '11:00',
      '12:00',
      '13:00',
      '14:00',
      '15:00',
      '16:00',
    ]);
  });

  it('the hours of the type come before those of the host', () => {
    const own = {
      mode: 'business_hours' as const,
      timezone: 'UTC',
      weekly: { tue: [['08:00', '09:00']] as [string, string][] },
    };
    const found = slotsOf(
      [{ ...utc, schedule: { ...own, weekly: { mon: [['10:00', '20:00']] } } }],
      type({ schedule: own }),
      [],
      monday,
      monday + 7 * DAY,
    );
    expect(found.map(({ start }) => new Date(start).toISOString())).toEqual(['2026-06-02T08:00:00.000Z']);
  });

  it('the interval sets the grid, whatever is booked and whatever the bounds', () => {
    const rules = type({ duration_minutes: 45, slot_interval_minutes: 30 });
    const free = hoursFound(slotsOf([utc], rules, [], monday, monday + DAY));
    expect(free.slice(0, 3)).toEqual(['09:00', '09:30', '10:00']);
    expect(free.at(-1)).toBe('16:00');
    const at = (text: string): number => Date.parse(`2026-06-01T${text}:00Z`);
    const busy: Interval[] = [[at('10:05'), at('10:40')]];
    expect(hoursFound(slotsOf([utc], rules, busy, at('09:20'), at('12:00')))).toEqual(['11:00', '11:30']);
  });

  it('buffers keep clear of meetings but need no working hours', () => {
    const at = (text: string): number => Date.parse(`2026-06-01T${text}:00Z`);
    const rules = type({ duration_minutes: 60, buffer_before_minutes: 15, buffer_after_minutes: 30 });
    const busy: Interval[] = [[at('12:00'), at('13:00')]];
    expect(hoursFound(slotsOf([utc], rules, busy, monday, monday + DAY))).toEqual([
      '09:00',
      '10:00',
      '14:00',
      '15:00',
      '16:00',
    ]);
  });

  it('an absence blocks from its beginning to its end, or for good', () => {
    const away = (to?: string) => ({
      ...utc,
      out_of_office: { from: '2026-06-01T12:30:00.000Z', ...(to ? { to } : {}) },
    });
    expect(hoursFound(slotsOf([away('2026-06-01T15:00:00.000Z')], type(), [], monday, monday + DAY))).toEqual([
      '09:00', '10:00', '11:00', '15:00', '16:00',
    ]); // prettier-ignore
    expect(slotsOf([away()], type(), [], monday + DAY, monday + 31 * DAY)).toEqual([]);
  });

  it('counts the meetings of a local day towards its most', () => {
    const rules = type({ max_per_day: 1, schedule: { mode: '24x7', timezone: 'Asia/Tokyo' } });
    const slot = slotRules(rules);
    const taken = Date.parse('2026-06-01T15:30:00Z');
    const time = hostTime(utc, rules, slot, { busy: [], ofType: [taken] }, monday, monday + 2 * DAY);
    const days = new Set(
      findSlots([time], slot, monday, monday + 2 * DAY).map(({ start }) => wall(start, 'Asia/Tokyo').day),
    );
    expect([...days]).toEqual(['2026-06-01', '2026-06-03']);
  });

  it('notice and furthest day bound what can be booked', () => {
    const now = monday;
    expect(bookingWindow(type({ minimum_notice_minutes: 90, booking_window_days: 2 }), now)).toEqual({
      earliest: now + 90 * MINUTE,
      latest: now + 2 * DAY,
    });
    expect(bookingWindow(null, now)).toEqual({ earliest: now, latest: Infinity });
  });
});

describe('intervals', () => {
  const intervals = fc
    .array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 20 })), { maxLength: 12 })
    .map((pairs) => pairs.map(([start, length]): Interval => [start, start + length]));
  const minutes = (list: readonly Interval[]): Set<number> =>
    new Set(list.flatMap(([start, end]) => Array.from({ length: end - start }, (_, index) => start + index)));

  it('merge to the same time, in order, none touching the next', () => {
    fc.assert(
      fc.property(intervals, (list) => {
        const result = merged(list);
        expect(minutes(result)).toEqual(minutes(list));
        result.forEach(([start, end], index) => {
          expect(start).toBeLessThan(end);
          expect(start).toBeGreaterThan(result[index - 1]?.[1] ?? -1);
        });
      }),
    );
  });

  it('intersect to what both have', () => {
    fc.assert(
      fc.property(intervals, intervals, (left, right) => {
        const both = minutes(intersection(merged(left), merged(right)));
        const others = minutes(right);
        expect(both).toEqual(new Set([...minutes(left)].filter((minute) => others.has(minute))));
      }),
    );
  });

  it('place a moment among others', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 })), fc.integer({ min: -5, max: 55 }), (list, moment) => {
        const ascending = list.toSorted((a, b) => a - b);
        expect(placeOf(ascending, moment)).toBe(ascending.filter((each) => each <= moment).length - 1);
      }),
    );
  });
});
