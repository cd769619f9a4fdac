import fc from 'fast-check';
import { parseRelativeDate, resolveRelativeDate } from '../../src/platform/conditions/relative-date';

const DAY_MS = 86_400_000;
/** A Friday. */
const now = new Date('2026-10-16T12:30:00.000Z');

function moment(text: string, from = now): string | null {
  const relative = parseRelativeDate(text);
  return relative ? resolveRelativeDate(relative, from).toISOString() : null;
}

it.each([
  ['+30m', '2026-10-16T13:00:00.000Z'],
  ['-4h', '2026-10-16T08:30:00.000Z'],
  ['+3d', '2026-10-19T12:30:00.000Z'],
  ['-0d', '2026-10-16T12:30:00.000Z'],
  ['+1bd', '2026-10-19T12:30:00.000Z'],
  ['+2bd', '2026-10-20T12:30:00.000Z'],
  ['-5bd', '2026-10-09T12:30:00.000Z'],
])('%s is %s', (text, expected) => {
  expect(moment(text)).toBe(expected);
});

it.each(['', '3d', '+d', '+3', '+3w', '+1.5h', '+3d ', '+100000m', '+1000bd', '++3d', '+3D'])('%j is none', (text) => {
  expect(parseRelativeDate(text)).toBeNull();
});

it('asks the schedule for business days', () => {
  const asked: unknown[] = [];
  resolveRelativeDate({ amount: -2, unit: 'bd' }, now, (from, days) => {
    asked.push(from, days);
    return from;
  });
  expect(asked).toEqual([now, -2]);
});

it('never ends on a weekend, and counts every weekday once', () => {
  const inputs = fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: -300, max: 300 }));
  fc.assert(
    fc.property(inputs, ([day, amount]) => {
      const from = new Date(day * DAY_MS);
      const to = resolveRelativeDate({ amount, unit: 'bd' }, from);
      if (amount === 0) {
        expect(to).toEqual(from);
        return;
      }
      expect([0, 6]).not.toContain(to.getUTCDay());
      const step = Math.sign(amount) * DAY_MS;
      let weekdays = 0;
      for (let at = from.getTime() + step; at !== to.getTime() + step; at += step)
        if (![0, 6].includes(new Date(at).getUTCDay())) weekdays++;
      expect(weekdays).toBe(Math.abs(amount));
    }),
  );
});
