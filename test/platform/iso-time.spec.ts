import fc from 'fast-check';
import { isDay, parseMoment, parseTimestamp } from '../../src/platform/time/iso-time';

const two = (number: number): string => String(number).padStart(2, '0');
const offsets = fc
  .tuple(fc.constantFrom('+', '-'), fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([sign, hours, minutes]) => ({
    text: `${sign}${two(hours)}:${two(minutes)}`,
    ms: (sign === '-' ? -1 : 1) * (hours * 60 + minutes) * 60_000,
  }));
/** Wall-clock times within two days of the ends of the calendar, and any others. */
const walls = fc.oneof(
  fc.integer({ min: -62_135_596_800_000, max: -62_135_596_800_000 + 172_800_000 }),
  fc.integer({ min: 253_402_300_799_999 - 172_800_000, max: 253_402_300_799_999 }),
  fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }),
);

describe('a timestamp', () => {
  it('is a moment of the years 1 to 9999 of UTC, or none, whatever its offset', () => {
    fc.assert(
      fc.property(walls, offsets, (wall, offset) => {
        const text = new Date(wall).toISOString().replace('Z', offset.text);
        const parsed = parseTimestamp(text);
        const year = new Date(wall - offset.ms).getUTCFullYear();
        expect(parsed?.getTime() ?? null).toBe(year >= 1 && year <= 9_999 ? wall - offset.ms : null);
        if (parsed) expect(parsed.toISOString()).toMatch(/^\d{4}-/);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    '9999-12-31T23:59:59-14:00',
    '9999-12-31T23:59:59.999-00:01',
    '9999-12-31T24:00:00Z',
    '0001-01-01T00:00:00+14:00',
    '0001-01-01T00:00:00+00:01',
    '0000-12-31T23:59:59Z',
    '0000-12-31T23:59:59-12:00',
    '2026-02-29T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00',
    '2026-01-01',
    'now',
    '',
  ])('is none: %s', (text) => {
    expect(parseTimestamp(text)).toBeNull();
  });

  it.each([
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['9999-12-31T23:59:59.9999999Z', '9999-12-31T23:59:59.999Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['0001-01-01T00:00:00-14:00', '0001-01-01T14:00:00.000Z'],
    ['2024-02-29T12:00+0530', '2024-02-29T06:30:00.000Z'],
  ])('is one: %s', (text, moment) => {
    expect(parseTimestamp(text)?.toISOString()).toBe(moment);
  });

  it('may be a bare day, or have lost its plus sign, in a parameter', () => {
    expect(parseMoment('2026-10-20')?.toISOString()).toBe('2026-10-20T00:00:00.000Z');
    expect(parseMoment('2026-10-20T00:00:00 02:00')?.toISOString()).toBe('2026-10-19T22:00:00.000Z');
    expect(parseMoment('0000-01-01')).toBeNull();
  });
});

describe('a day', () => {
  it('exists from the year 1 to 9999', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 9_999 }),
        fc.integer({ min: 0, max: 13 }),
        fc.integer({ min: 0, max: 32 }),
        (year, month, day) => {
          const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
          const date = new Date(`${text}T00:00:00Z`);
          const exists = year > 0 && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
          expect([text, isDay(text)]).toEqual([text, exists]);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
