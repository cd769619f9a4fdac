import fc from 'fast-check';
import { ApiError } from '../../src/platform/errors/api-error';
import { decodePosition, encodePosition } from '../../src/platform/resource/read/position';
import { TAMPERED_IDS, TAMPERED_KEYS, tampered as text } from '../support/tampered-positions';
import { thrownBy } from '../support/thrown-by';
import { useSql } from '../support/sql';

const sql = useSql();

describe('a position', () => {
  it('is read back as it was written', () => {
    const key = fc.string({ unit: 'binary', maxLength: 255 });
    fc.assert(
      fc.property(fc.constantFrom('after', 'before'), key, fc.maxSafeInteger(), (direction, given, id) => {
        const position = { direction, sort: '-created_at', key: given, id } as const;
        fc.pre(!given.includes('\0'));
        expect(decodePosition(encodePosition(position), '-created_at', 'text')).toEqual(position);
      }),
    );
  });

  it.each([
    ['nothing', ''],
    ['what is no base64', '%%%'],
    ['what is no JSON', Buffer.from('[1').toString('base64url')],
    ['an object', text({ after: 1 })],
    ['too few parts', text([1, 'id', 'x'])],
    ['too many parts', text([1, 'id', 'x', 1, 1])],
    ['an unknown direction', text([2, 'id', 'x', 1])],
    ['another sort', text([1, '-id', 'x', 1])],
    ['a key that is a number', text([1, 'id', 7, 1])],
    ['no key', text([1, 'id', null, 1])],
    ['an id that is no whole number', text([1, 'id', 'x', 1.5])],
    ['an id beyond 2^53', text([1, 'id', 'x', 2 ** 53])],
    ['an id that is text', text([1, 'id', 'x', '1'])],
    ['NUL in the key', text([1, 'id', 'a\0b', 1])],
    ['half of a surrogate pair in the key', text([1, 'id', '\ud800', 1])],
    ['more than a link ever carries', 'A'.repeat(3_001)],
  ])('is refused as %s', (_name, given) => {
    const error = thrownBy(() => decodePosition(given, 'id', 'text'), ApiError);
    expect(error.extras.details?.[0]).toMatchObject({ field: 'position', code: 'format' });
  });

  it('carries the longest key there can be', () => {
    for (const key of ['\u{1F5A8}'.repeat(255), '\u0001'.repeat(255), '"'.repeat(255)]) {
      const position = { direction: 'before', sort: '-subject', key, id: Number.MAX_SAFE_INTEGER } as const;
      expect(decodePosition(encodePosition(position), '-subject', 'text')).toEqual(position);
    }
  });

  it.each([
    ['bigint', ['0', '-9223372036854775808', '9223372036854775807']],
    ['integer', ['-2147483648', '2147483647']],
    ['timestamptz', ['2026-10-20 08:00:00.123+00', '2026-10-20 08:00:00+00', 'infinity', '-infinity']],
    ['date', ['2026-02-28', 'infinity', '-infinity']],
  ] as const)('takes keys of %s as PostgreSQL writes them', (type, keys) => {
    for (const key of keys) expect(decodePosition(text([1, 'id', key, 1]), 'id', type).key).toBe(key);
  });

  it.each([
    ['bigint', ['', 'x', '1.5', '9223372036854775808', '1e3', ' 1']],
    ['integer', ['2147483648', '-2147483649', '']],
    [
      'timestamptz',
      ['', 'now', '2026-13-01 00:00:00+00', '2026-02-30 00:00:00+00', '2026-10-20', '2026-10-20 08:00:00'],
    ],
    ['date', ['', 'today', '2026-02-29', '2026-1-1', '2026-10-20T00:00:00Z']],
  ] as const)('refuses keys that are not of %s', (type, keys) => {
    for (const key of keys) {
      const error = thrownBy(() => decodePosition(text([1, 'id', key, 1]), 'id', type), ApiError);
      expect(error.extras.details?.[0]).toMatchObject({ field: 'position', code: 'format' });
    }
  });

  it('is never anything but a position or a 422, whatever the bytes', () => {
    const anything = fc.oneof(
      fc.string(),
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
      fc.jsonValue({ maxDepth: 2 }).map(text),
    );
    fc.assert(
      fc.property(anything, (given) => {
        try {
          expect(decodePosition(given, 'id', 'text')).toMatchObject({ sort: 'id' });
        } catch (error) {
          expect(error).toMatchObject({ type: 'validation_error' });
        }
      }),
    );
  });

  it.each(['text', 'bigint', 'integer', 'numeric', 'timestamptz', 'date'] as const)(
    'with a key of %s is refused, or what PostgreSQL reads as one',
    async (type) => {
      const read: string[] = [];
      for (const [key, id] of TAMPERED_KEYS.flatMap((one) => TAMPERED_IDS.map((other) => [one, other]))) {
        try {
          const position = decodePosition(text([1, 'id', key, id]), 'id', type);
          expect([position.key, position.id]).toEqual([key, id]);
          expect(Number.isSafeInteger(id)).toBe(true);
          read.push(position.key);
        } catch (error) {
          expect(error).toMatchObject({ type: 'validation_error' });
        }
      }
      const distinct = [...new Set(read)];
      expect(distinct.length).toBeGreaterThan(0);
      const rows = await sql.rows(`SELECT key::${type} FROM unnest($1::text[]) AS given (key)`, [distinct]);
      expect(rows.length).toBe(distinct.length);
    },
  );
});
