/** Sort keys that no link of ours has carried, or only one of another type. */
export const TAMPERED_KEYS: readonly unknown[] = [
  '',
  'x',
  "'",
  'NaN',
  'Infinity',
  '-Infinity',
  'infinity',
  '-infinity',
  '0',
  '-0',
  '9223372036854775808',
  '-9223372036854775809',
  '9'.repeat(400),
  `1.${'9'.repeat(40)}`,
  '1e400',
  '0001-01-01',
  '0000-01-01',
  '9999-12-31',
  '10000-01-01',
  '2026-02-30',
  '2026-10-20 24:00:00+00',
  '2026-10-20 08:00:60+00',
  '0000-01-01 00:00:00+00',
  '9999-12-31 23:59:59.999999+00',
  '9999-12-31T23:59:59-14:00',
  '0001-01-01T00:00:00+14:00',
  '2026-10-20 08:00:00+23:59',
  'now',
  'a\0b',
  '\ud800',
  '\u{10ffff}'.repeat(500),
  'x'.repeat(2_900),
  7,
  null,
  true,
  [],
  {},
];

/** Ids that no record has, or that are none. */
export const TAMPERED_IDS: readonly unknown[] = [
  1,
  0,
  -1,
  Number.MAX_SAFE_INTEGER,
  -Number.MAX_SAFE_INTEGER,
  2 ** 53,
  2 ** 64,
  1.5,
  '1',
  null,
];

/** The text of a position made of any parts. */
export function tampered(parts: unknown): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}
