import { isSchedule, nextMoment, periodBefore } from '../../src/areas/reports/schedules/report-moments';

const at = (schedule: string, zone: string, after: string): string =>
  nextMoment(schedule, zone, new Date(after)).toISOString();

it('a schedule has a name, or is a cron expression that comes at most once an hour', () => {
  for (const text of ['daily', 'weekly', 'monthly', '0 6 * * *', '59 23 1,15 * MON-FRI', '5 */2 * jan *'])
    expect([text, isSchedule(text)]).toEqual([text, true]);
  for (const text of [
    '',
    'yearly',
    '@daily',
    '* * * * *',
    '*/5 * * * *',
    '60 6 * * *',
    '0 6 * *',
    '0 0 6 * * *',
    '0 6 30 2 *',
    'H 6 * * *',
  ])
    expect([text, isSchedule(text)]).toEqual([text, false]);
});

it('the next moment is by the clocks of the zone', () => {
  expect(at('daily', 'Europe/Rome', '2026-03-28T06:00:00Z')).toBe('2026-03-29T04:00:00.000Z');
  expect(at('weekly', 'UTC', '2026-11-22T12:00:00Z')).toBe('2026-11-23T06:00:00.000Z');
  expect(at('monthly', 'Pacific/Auckland', '2026-11-22T12:00:00Z')).toBe('2026-11-30T17:00:00.000Z');
});

it.each([
  ['yesterday', '2026-03-29T23:00:00.000Z', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ['last_7_days', '2026-03-31T04:00:00.000Z', '2026-03-23T23:00:00.000Z', '2026-03-30T22:00:00.000Z'],
  ['last_30_days', '2026-03-31T04:00:00.000Z', '2026-02-28T23:00:00.000Z', '2026-03-30T22:00:00.000Z'],
  ['last_week', '2026-04-01T04:00:00.000Z', '2026-03-22T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ['last_month', '2026-04-01T04:00:00.000Z', '2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z'],
] as const)('%s before %s is whole days of the zone', (period, moment, from, to) => {
  expect(periodBefore(period, new Date(moment), 'Europe/Rome')).toEqual({ from, to });
});
