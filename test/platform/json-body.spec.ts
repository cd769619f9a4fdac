import fc from 'fast-check';
import { ApiError } from '../../src/platform/errors/api-error';
import { MAX_DEPTH, MAX_KEYS, MAX_VALUES, parseJsonBody } from '../../src/platform/http/json-body';

function codeOf(bytes: Buffer | string): string | undefined {
  const result = parseJsonBody(Buffer.from(bytes as string));
  return result instanceof ApiError ? result.extras.details?.[0]?.code : undefined;
}

function fieldOf(text: string): string | undefined {
  const result = parseJsonBody(Buffer.from(text));
  return result instanceof ApiError ? result.extras.details?.[0]?.field : undefined;
}

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

describe('a JSON body', () => {
  it('comes back as JSON.parse reads it', () => {
    const safe = fc
      .jsonValue({ maxDepth: 5, noUnicodeString: false })
      .filter((value) => !/\\u0000|__proto__|constructor|\\ud[89a-f]/i.test(JSON.stringify(value)) && !unsafe(value));
    fc.assert(
      fc.property(safe, (value) => {
        const text = JSON.stringify(value);
        expect(parseJsonBody(Buffer.from(text))).toEqual({ value: JSON.parse(text) as unknown });
      }),
    );
  });

  it.each([
    ['not JSON', '{"a":', 'format'],
    ['NaN', '{"a":NaN}', 'format'],
    ['a trailing comma', '{"a":1,}', 'format'],
    ['a NUL in a value', '{"a":"x\\u0000"}', 'format'],
    ['a NUL in a key', '{"a\\u0000":1}', 'format'],
    ['a lone high surrogate', '{"a":"\\ud800"}', 'format'],
    ['a lone low surrogate in a key', '{"\\udc00":1}', 'format'],
    ['31 combining marks in a row', `{"a":"x${'\u0301'.repeat(31)}"}`, 'too_many_marks'],
    ['as many, escaped, in a key', `{"a":[{"${'\\u0323'.repeat(31)}":1}]}`, 'too_many_marks'],
    ['an integer beyond 2^53', '{"a":9007199254740993}', 'max'],
    ['1e308', '{"a":1e308}', 'max'],
    ['1e999', '{"a":1e999}', 'max'],
    ['__proto__', '{"__proto__":{"x":1}}', 'unknown_field'],
    ['a nested constructor', '{"a":{"constructor":{"prototype":{}}}}', 'unknown_field'],
  ])('is refused with %s', (_name, text, code) => {
    expect(codeOf(text)).toBe(code);
  });

  it('is refused when it is not UTF-8 or starts with a byte order mark', () => {
    expect(codeOf(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toBe('format');
    expect(codeOf(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{}')]))).toBe('format');
    expect(codeOf(Buffer.from('{}', 'utf16le'))).toBe('format');
  });

  it('may be nested 32 deep and no deeper', () => {
    expect(codeOf(nested(MAX_DEPTH))).toBeUndefined();
    expect(codeOf(nested(MAX_DEPTH + 1))).toBe('max');
    expect(codeOf(nested(200_000))).toBe('max');
  });

  it('may have 1,000 members in an object and no more', () => {
    const members = (count: number): string =>
      `{${Array.from({ length: count }, (_, index) => `"k${index}":0`).join(',')}}`;
    expect(codeOf(members(MAX_KEYS))).toBeUndefined();
    expect(codeOf(members(MAX_KEYS + 1))).toBe('max');
  });

  it('may have 50,000 values and no more', () => {
    const values = (count: number): string => `{"a":[${Array.from({ length: count }, () => 0).join(',')}]}`;
    expect(codeOf(values(MAX_VALUES - 2))).toBeUndefined();
    expect(codeOf(values(MAX_VALUES - 1))).toBe('max');
  });

  it('is refused with the place of the fault', () => {
    expect(fieldOf('{"a":[{"b":1},{"b":"\\u0000"}]}')).toBe('a.1.b');
    expect(fieldOf(`{"custom_fields":{"a":["b","c${'\u0301\u0323'.repeat(16)}"]}}`)).toBe('custom_fields.a.1');
    expect(fieldOf('[')).toBe('body');
  });

  it('may have 30 combining marks in a row', () => {
    expect(codeOf(`{"a":"x${'\u0301'.repeat(30)}"}`)).toBeUndefined();
  });

  it('keeps surrogate pairs, control characters other than NUL and the largest exact integer', () => {
    const text = '{"a":"😀\\u0001\\n","b":9007199254740991,"c":-9007199254740991,"d":0.1}';
    expect(codeOf(text)).toBeUndefined();
  });

  it('leaves no trace on Object.prototype', () => {
    codeOf('{"__proto__":{"polluted":1},"a":{"constructor":{"prototype":{"polluted":1}}}}');
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

function unsafe(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  if (typeof value === 'string') return !value.isWellFormed() || value.includes('\0');
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => unsafe(key) || unsafe(inner));
}
