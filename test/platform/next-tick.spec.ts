import fc from 'fast-check';
import { DateTime } from 'luxon';
import { nextTick } from '../../src/platform/calendar/next-tick';

const HOUR = 3_600_000;

/** Set forward and back at night by an hour, by half an hour, at 02:45, around Ramadan, at midnight; and never. */
const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Africa/Casablanca',
  'Africa/Cairo',
  'America/Havana',
  'America/Santiago',
  'Asia/Kolkata',
];

function* ticks(cron: string, zone: string, from: number): Generator<number> {
  for (let moment = new Date(from); ;) {
    moment = nextTick(cron, zone, moment);
    yield moment.getTime();
  }
}

function ticksAfter(cron: string, zone: string, from: string, count: number): string[] {
  const found: string[] = [];
  for (const moment of ticks(cron, zone, Date.parse(from))) {
    found.push(new Date(moment).toISOString().replace(':00.000Z', 'Z'));
    if (found.length === count) break;
  }
  return found;
}

/** Moments, many of them within two days of a change of the clocks. */
function someMoment(zone: string): fc.Arbitrary<number> {
  const [first, last] = [Date.UTC(2024, 0, 1), Date.UTC(2030, 0, 1)];
  const offset = (moment: number): number => DateTime.fromMillis(moment, { zone }).offset;
  const changes: number[] = [];
  for (let day = first; day < last; day += 24 * HOUR) if (offset(day) !== offset(day + 24 * HOUR)) changes.push(day);
  const anywhere = fc.integer({ min: first, max: last });
  if (changes.length === 0) return anywhere;
  const near = fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -24 * HOUR, max: 48 * HOUR }))
    .map(([change, beside]) => change + beside);
  return fc.oneof(anywhere, { arbitrary: near, weight: 3 });
}

const someWhere = fc.oneof(...ZONES.map((zone) => fc.tuple(fc.constant(zone), someMoment(zone))));
const minute = fc.integer({ min: 0, max: 59 });
const hour = fc.integer({ min: 0, max: 23 });

describe('the next tick of a cron expression', () => {
  it.each([
    ['15 2 * * *', 'Australia/Lord_Howe', '2027-10-01T20:00:00Z', ['10-02T15:30Z', '10-03T15:15Z']],
    ['30 2 * * *', 'Europe/Berlin', '2027-03-27T12:00:00Z', ['03-28T01:00Z', '03-29T00:30Z']],
    ['0,20,40 2 * * *', 'Europe/Berlin', '2027-03-27T12:00:00Z', ['03-28T01:00Z', '03-29T00:00Z', '03-29T00:20Z']],
    ['0 9 * * 1-5', 'America/New_York', '2026-10-30T14:00:00Z', ['11-02T14:00Z', '11-03T14:00Z']],
    ['0 0 * * *', 'America/Havana', '2027-03-13T12:00:00Z', ['03-14T05:00Z', '03-15T04:00Z']],
  ])('%s in %s: what the clocks skip comes right after the gap', (cron, zone, from, expected) => {
    expect(ticksAfter(cron, zone, from, expected.length).map((tick) => tick.slice(5))).toEqual(expected);
  });

  it.each([
    ['30 2 * * *', 'Europe/Berlin', '2027-10-30T12:00:00Z', ['10-31T00:30Z', '11-01T01:30Z']],
    ['*/30 2 * * *', 'Europe/Berlin', '2027-10-30T12:00:00Z', ['10-31T00:00Z', '10-31T00:30Z', '11-01T01:00Z']],
    ['45 1 * * *', 'Australia/Lord_Howe', '2027-04-03T10:00:00Z', ['04-03T14:45Z', '04-04T15:15Z']],
    ['30 1 * * *', 'America/New_York', '2027-11-06T12:00:00Z', ['11-07T05:30Z', '11-08T06:30Z']],
  ])('%s in %s: what they show twice comes the first time', (cron, zone, from, expected) => {
    expect(ticksAfter(cron, zone, from, expected.length).map((tick) => tick.slice(5))).toEqual(expected);
  });

  it.each([
    ['*/30 * * * *', 'Australia/Lord_Howe', '2027-10-02T14:45:00Z', ['10-02T15:00Z', '10-02T15:30Z', '10-02T16:00Z']],
    ['*/30 * * * *', 'Australia/Lord_Howe', '2027-04-03T14:15:00Z', ['04-03T14:30Z', '04-03T15:00Z', '04-03T15:30Z']],
    ['15 * * * *', 'Europe/Berlin', '2027-03-28T00:00:00Z', ['03-28T00:15Z', '03-28T01:15Z', '03-28T02:15Z']],
    ['15 * * * *', 'Europe/Berlin', '2027-10-31T00:00:00Z', ['10-31T00:15Z', '10-31T01:15Z', '10-31T02:15Z']],
    ['0 0-23 * * *', 'America/New_York', '2027-11-07T05:00:00Z', ['11-07T06:00Z', '11-07T07:00Z', '11-07T08:00Z']],
  ])('%s in %s comes whenever the clocks show it', (cron, zone, from, expected) => {
    expect(ticksAfter(cron, zone, from, expected.length).map((tick) => tick.slice(5))).toEqual(expected);
  });

  it('refuses what is no expression, never comes round or has no zone', () => {
    const now = new Date('2027-01-01T00:00:00Z');
    for (const cron of ['zzz', '60 * * * *', '0 0 30 2 *']) expect(() => nextTick(cron, 'UTC', now)).toThrow();
    expect(() => nextTick('* * * * *', 'Mars/Base', now)).toThrow('Mars/Base');
  });

  it('comes later than the moment it is asked at, and leaves out nothing that the clocks show', () => {
    const field = fc.oneof(fc.constant('*'), fc.constantFrom('*/7', '*/15', '*/30', '0', '5,35', '59'));
    const hours = fc.oneof(fc.constant('*'), fc.constantFrom('*/2', '0', '1', '2', '1-3', '23', '0,2'));
    fc.assert(
      fc.property(someWhere, field, hours, ([zone, from], minutes, ofHours) => {
        const cron = `${minutes} ${ofHours} * * *`;
        const next = nextTick(cron, zone, new Date(from)).getTime();
        expect(next).toBeGreaterThan(from);
        // What is looked at from a moment in between is the same: no tick lies before it.
        const between = from + Math.floor((next - from) / 2);
        expect(nextTick(cron, zone, new Date(between)).getTime()).toBe(next);
        expect(nextTick(cron, zone, new Date(next - 1)).getTime()).toBe(next);
      }),
      { numRuns: 500 },
    );
  });

  it('comes exactly once each local day where it is daily', () => {
    fc.assert(
      fc.property(someWhere, minute, hour, ([zone, from], ofMinute, ofHour) => {
        const days: string[] = [];
        for (const moment of ticks(`${ofMinute} ${ofHour} * * *`, zone, from)) {
          days.push(DateTime.fromMillis(moment, { zone }).toISODate() ?? '');
          if (days.length === 5) break;
        }
        const first = DateTime.fromISO(days[0] ?? '', { zone: 'UTC' });
        expect(days).toEqual(days.map((_, index) => first.plus({ days: index }).toISODate()));
      }),
      { numRuns: 400 },
    );
  });

  it('goes on as time does where it comes all day', () => {
    const steps = fc.constantFrom(5, 10, 15, 30);
    fc.assert(
      fc.property(someWhere, steps, ([zone, from], step) => {
        let before: number | null = null;
        let count = 0;
        for (const moment of ticks(`*/${step} * * * *`, zone, from)) {
          if (before !== null) expect(moment - before).toBe(step * 60_000);
          before = moment;
          if (++count === 20) break;
        }
      }),
      { numRuns: 300 },
    );
  });
});
