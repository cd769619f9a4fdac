import fc from 'fast-check';
import { scheduleShape } from '../../src/platform/calendar/schedule';
import { workingTime } from '../../src/platform/calendar/working-time';
import { problemsIn } from '../../src/platform/validation/shapes';

const office = {
  mode: 'business_hours',
  timezone: 'Europe/Berlin',
  weekly: {
    mon: [
      ['14:00', '24:00'],
      ['09:00', '13:00'],
    ],
  },
  holidays: [{ date: '2024-02-29', name: 'Leap day', recurring: true }, { date: '2026-12-25' }],
};

const found = (value: unknown): string[] =>
  problemsIn(scheduleShape, value, 'schedule').map(({ field, code }) => `${field} ${code}`);

describe('a schedule', () => {
  it('is around the clock, or business hours with several intervals a day and holidays', () => {
    expect(found({ mode: '24x7' })).toEqual([]);
    expect(found({ mode: '24x7', timezone: 'Asia/Kolkata' })).toEqual([]);
    expect(found(office)).toEqual([]);
    expect(found({ ...office, weekly: { sun: [['00:00', '24:00']], mon: [] }, holidays: undefined })).toEqual([]);
    expect(
      found({
        ...office,
        weekly: {
          mon: [
            ['09:00', '12:00'],
            ['12:00', '13:00'],
          ],
        },
      }),
    ).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['is an object', [], 'schedule type'],
    ['has a mode', {}, 'schedule.mode required'],
    ['has a known mode', { mode: 'weekends' }, 'schedule.mode enum'],
    ['has no other members', { ...office, days: 1 }, 'schedule.days unknown_field'],
    ['has no hours around the clock', { mode: '24x7', weekly: {} }, 'schedule.weekly unknown_field'],
    ['names its time zone', { ...office, timezone: undefined }, 'schedule.timezone required'],
    ['names a zone, not an offset', { ...office, timezone: '+02:00' }, 'schedule.timezone unknown_time_zone'],
    ['names a zone that exists', { mode: '24x7', timezone: 'Mars/Base' }, 'schedule.timezone unknown_time_zone'],
    ['has hours', { ...office, weekly: undefined }, 'schedule.weekly required'],
    ['has some hours', { ...office, weekly: { mon: [], tue: [] } }, 'schedule.weekly no_working_time'],
    ['names days', { ...office, weekly: { monday: [['09:00', '10:00']] } }, 'schedule.weekly.monday unknown_field'],
    ['lists intervals', { ...office, weekly: { mon: '9-5' } }, 'schedule.weekly.mon type'],
    ['has pairs', { ...office, weekly: { mon: [['09:00']] } }, 'schedule.weekly.mon[0] type'],
    ['has times of day', { ...office, weekly: { mon: [['9:00', '10:00']] } }, 'schedule.weekly.mon[0] format'],
    ['has minutes below 60', { ...office, weekly: { mon: [['09:60', '10:00']] } }, 'schedule.weekly.mon[0] format'],
    ['ends by 24:00', { ...office, weekly: { mon: [['09:00', '24:01']] } }, 'schedule.weekly.mon[0] format'],
    ['starts before 24:00', { ...office, weekly: { mon: [['24:00', '24:00']] } }, 'schedule.weekly.mon[0] format'],
    ['ends after it starts', { ...office, weekly: { mon: [['22:00', '06:00']] } }, 'schedule.weekly.mon[0] inverted'],
    ['is open for a while', { ...office, weekly: { mon: [['09:00', '09:00']] } }, 'schedule.weekly.mon[0] inverted'],
    [
      'does not count time twice',
      {
        ...office,
        weekly: {
          mon: [
            ['12:00', '14:00'],
            ['09:00', '12:01'],
          ],
        },
      },
      'schedule.weekly.mon overlap',
    ],
    [
      'has few intervals a day',
      { ...office, weekly: { mon: Array.from({ length: 25 }, () => ['09:00', '10:00']) } },
      'schedule.weekly.mon max',
    ],
    ['lists holidays', { ...office, holidays: {} }, 'schedule.holidays type'],
    ['lists at most 500', { ...office, holidays: Array(501).fill({ date: '2026-01-01' }) }, 'schedule.holidays max'],
    ['has dates', { ...office, holidays: [{ date: '25.12.2026' }] }, 'schedule.holidays[0].date format'],
    ['has dates that exist', { ...office, holidays: [{ date: '2026-02-29' }] }, 'schedule.holidays[0].date format'],
    ['has holidays with a date', { ...office, holidays: ['2026-12-25'] }, 'schedule.holidays[0] type'],
    ['names holidays', { ...office, holidays: [{ date: '2026-12-25', name: 5 }] }, 'schedule.holidays[0].name type'],
    [
      'says clearly what recurs',
      { ...office, holidays: [{ date: '2026-12-25', recurring: 'yes' }] },
      'schedule.holidays[0].recurring type',
    ],
    [
      'has no other members in holidays',
      { ...office, holidays: [{ date: '2026-12-25', day: 1 }] },
      'schedule.holidays[0].day unknown_field',
    ],
  ])('%s', (_, value, problem) => {
    expect(found(value)).toEqual([problem]);
  });

  it('says everything that is wrong, each where it is', () => {
    const wrong = { mode: 'business_hours', timezone: 'x y', weekly: { mon: [['1', '2']], tue: 5 }, holidays: [5] };
    expect(
      problemsIn(scheduleShape, wrong, 'data.schedule')
        .map(({ field }) => field)
        .sort(),
    ).toEqual([
      'data.schedule.holidays[0]',
      'data.schedule.timezone',
      'data.schedule.weekly.mon[0]',
      'data.schedule.weekly.tue',
    ]);
  });

  it('of any JSON is refused or can be worked with', () => {
    const member = fc.oneof(fc.jsonValue(), fc.constantFrom(...Object.values(office)));
    const close = fc.record(
      { mode: fc.constantFrom('24x7', 'business_hours'), timezone: member, weekly: member, holidays: member },
      { requiredKeys: ['mode'] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), close), (value) => {
        const problems = problemsIn(scheduleShape, value, 'schedule');
        expect(problems.every(({ field, message }) => message.startsWith(field))).toBe(true);
        if (problems.length === 0) expect(workingTime(value as never).between(0, 1e9)).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });
});
