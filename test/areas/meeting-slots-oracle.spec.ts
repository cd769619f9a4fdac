import fc from 'fast-check';
import { hostTime, slotRules } from '../../src/areas/meetings/availability/booking-rules';
import type { Interval } from '../../src/areas/meetings/availability/intervals';
import { findSlots, type HostTime, type SlotRules } from '../../src/areas/meetings/availability/slots';
import { clock, host, type, wall } from '../support/meetings';

const MINUTE = 60_000;
const TICK = 5 * MINUTE;
const DAY = 86_400_000;

/** The same answers, found from the clock on the wall, five minutes at a time: every length here is a multiple of them. */
describe('slots are those that looking at every moment finds', () => {
  // Around the days on which the clocks of the three zones change; hours never begin or end while a clock changes.
  const seasons = ['2026-03-07', '2026-03-28', '2026-04-03', '2026-10-02', '2026-10-24', '2026-10-31', '2026-06-10'];
  const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'];
  const names = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
  const times = [0, 210, 240, 540, 555, 720, 780, 1_020, 1_320, 1_440];

  const dayHours = fc
    .subarray(times, { minLength: 2, maxLength: 4 })
    .map((list) => (list.length % 2 ? list.slice(1) : list))
    .map((list) =>
      Array.from({ length: list.length / 2 }, (_, index) => [list[index * 2] ?? 0, list[index * 2 + 1] ?? 0] as const),
    );
  const week = fc.tuple(dayHours, dayHours, dayHours, dayHours, dayHours, dayHours, dayHours);

  const scene = fc.record({
    zone: fc.constantFrom(...zones),
    season: fc.constantFrom(...seasons),
    weeks: fc.tuple(week, week),
    duration: fc.constantFrom(15, 30, 45, 60, 90),
    step: fc.constantFrom(15, 20, 30, 60),
    before: fc.constantFrom(0, 10, 30),
    after: fc.constantFrom(0, 5, 60),
    busy: fc.array(
      fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 800 }), fc.integer({ min: 1, max: 60 })),
      { maxLength: 8 },
    ),
    offset: fc.integer({ min: 0, max: 300 }),
  });

  type Scene = typeof scene extends fc.Arbitrary<infer T> ? T : never;

  function setting(given: Scene): {
    hosts: HostTime[];
    rules: SlotRules;
    from: number;
    to: number;
    open: ((moment: number) => boolean)[];
    busy: Interval[][];
  } {
    const start = Date.parse(`${given.season}T00:00:00Z`);
    const [from, to] = [start + given.offset * TICK, start + given.offset * TICK + 2 * DAY];
    const own = type({
      duration_minutes: given.duration,
      slot_interval_minutes: given.step,
      buffer_before_minutes: given.before,
      buffer_after_minutes: given.after,
    });
    const rules = slotRules(own);
    const busy = [0, 1].map((who) =>
      given.busy
        .filter(([whose]) => whose === who)
        .map(([, begin, length]): Interval => [start + begin * TICK, start + (begin + length) * TICK]),
    );
    const hosts = given.weeks.map((hours, index) => {
      const weekly = Object.fromEntries(
        names.map((name, day) => [name, (hours[day] ?? []).map(([a, b]) => [clock(a), clock(b)] as [string, string])]),
      );
      const schedule = { mode: 'business_hours' as const, timezone: given.zone, weekly };
      return hostTime(host({ id: index + 1, schedule }), own, rules, { busy: busy[index] ?? [], ofType: [] }, from, to);
    });
    const open = given.weeks.map((hours) => (moment: number): boolean => {
      const { weekday, minute } = wall(moment, given.zone);
      const today = hours[names.indexOf(weekday as (typeof names)[number])] ?? [];
      return today.some(([a, b]) => a <= minute && minute < b);
    });
    return { hosts, rules, from, to, open, busy };
  }

  /** Starts at which the open minutes reach far enough, on the grid that begins where hours or days do. */
  function oracle(
    open: (moment: number) => boolean,
    rules: SlotRules,
    zone: string,
    from: number,
    to: number,
  ): Set<number> {
    const begin = from - 2 * DAY;
    const end = to + rules.duration;
    const flags: boolean[] = [];
    const days: string[] = [];
    for (let moment = begin; moment < end; moment += TICK) {
      flags.push(open(moment));
      days.push(wall(moment, zone).day);
    }
    const found = new Set<number>();
    let anchor = -1;
    let closes = 0;
    for (let index = 1; index < flags.length; index++) {
      if (!flags[index]) continue;
      if (!flags[index - 1] || days[index] !== days[index - 1]) anchor = index;
      if (anchor < 0 || ((index - anchor) * TICK) % rules.step !== 0) continue;
      closes = Math.max(closes, index);
      while (closes < flags.length && flags[closes]) closes++;
      const moment = begin + index * TICK;
      if (moment >= from && moment < to && (closes - index) * TICK >= rules.duration) found.add(moment);
    }
    return found;
  }

  const clear = (start: number, rules: SlotRules, busy: readonly Interval[]): boolean =>
    busy.every(([begin, end]) => end <= start - rules.before || begin >= start + rules.duration + rules.after);

  it('of any host, and of all together', () => {
    fc.assert(
      fc.property(scene, (given) => {
        const { hosts, rules, from, to, open, busy } = setting(given);
        const each = open.map((isOpen, index) =>
          [...oracle(isOpen, rules, given.zone, from, to)].filter((start) => clear(start, rules, busy[index] ?? [])),
        );
        const any = findSlots(hosts, rules, from, to);
        expect(any.map(({ start }) => start)).toEqual([...new Set(each.flat())].sort((a, b) => a - b));
        for (const { start, hosts: free } of any) {
          expect(free).toEqual([1, 2].filter((id) => each[id - 1]?.includes(start)));
        }
        const both = (moment: number): boolean => open.every((isOpen) => isOpen(moment));
        const all = [...oracle(both, rules, given.zone, from, to)].filter((start) =>
          busy.every((list) => clear(start, rules, list)),
        );
        expect(findSlots(hosts, { ...rules, together: true }, from, to)).toEqual(
          all.map((start) => ({ start, hosts: [1, 2] })),
        );
      }),
      { numRuns: 25 },
    );
  });
});
