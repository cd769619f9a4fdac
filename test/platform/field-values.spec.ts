import fc from 'fast-check';
import { FIELD_TYPES, type FieldDefinition } from '../../src/platform/fields/field-definition';
import { checkFieldValue } from '../../src/platform/fields/field-value';
import { settleFields } from '../../src/platform/fields/settle-fields';

const options = [
  { value: 'south', label: 'South wing' },
  { value: 'north', label: 'North wing' },
  { value: 'old', label: 'Old wing', is_active: false },
];

function field(definition: Partial<FieldDefinition>): FieldDefinition {
  const none = { description: null, options: [], target: null, is_required: false, default_value: null, pattern: null };
  const hidden = { visible_to_customers: false };
  return { key: 'it', label: 'It', type: 'text', ...none, ...hidden, ...definition };
}

const fieldOf = (type: FieldDefinition['type']): FieldDefinition =>
  field({
    type,
    ...(type.endsWith('select') ? { options } : {}),
    ...(type === 'reference' ? { target: 'users' } : {}),
  });

/** Values as bodies, templates and spreadsheets have them. */
const anyValue = fc.oneof(
  fc.string(),
  fc.double(),
  fc.integer(),
  fc.integer().map(String),
  fc.boolean(),
  fc.constantFrom(
    'true',
    'false',
    '2026-02-30',
    '2026-02-28',
    '2026-02-28T23:30:00-02:00',
    'south',
    'SOUTH WING',
    'old',
  ),
  fc.array(fc.oneof(fc.constantFrom('south', 'north', 'North Wing', 'old', ''), fc.integer()), { maxLength: 4 }),
  fc.constantFrom('south,north', 'south, south wing', ',', null, undefined),
);

const read = (definition: FieldDefinition, value: unknown): unknown => {
  const checked = checkFieldValue(definition, value);
  return checked.ok ? checked.value : checked.code;
};

it('what a field takes it takes again, unchanged', () => {
  fc.assert(
    fc.property(fc.constantFrom(...FIELD_TYPES), anyValue, (type, value) => {
      const checked = checkFieldValue(fieldOf(type), value);
      if (checked.ok) expect(checkFieldValue(fieldOf(type), checked.value)).toEqual(checked);
    }),
  );
});

it('what is taken has the type of the field', () => {
  const types: Record<string, (value: unknown) => boolean> = {
    text: (value) => typeof value === 'string',
    number: (value) => Number.isFinite(value),
    boolean: (value) => typeof value === 'boolean',
    date: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value),
    select: (value) => value === 'south' || value === 'north',
    multi_select: (value) => Array.isArray(value) && new Set(value).size === value.length,
    reference: (value) => Number.isSafeInteger(value) && (value as number) > 0,
  };
  fc.assert(
    fc.property(fc.constantFrom(...FIELD_TYPES), anyValue, (type, value) => {
      const checked = checkFieldValue(fieldOf(type), value);
      return !checked.ok || types[type]?.(checked.value) === true;
    }),
  );
});

it('a number is the same number as its text', () => {
  fc.assert(
    fc.property(fc.integer({ min: -999_999_999_999, max: 999_999_999_999 }), fc.nat(1_000_000), (whole, fraction) => {
      const text = `${whole}.${String(fraction).padStart(7, '0').slice(-6)}`;
      expect(read(fieldOf('number'), text)).toBe(read(fieldOf('number'), Number(text)));
    }),
  );
});

it.each<[FieldDefinition['type'], unknown, unknown]>([
  ['text', 7, 'type'],
  ['text', 'x'.repeat(4_001), 'max'],
  ['text', '😀'.repeat(4_000), '😀'.repeat(4_000)],
  ['number', '3', 3],
  ['number', -0, 0],
  ['number', '1e3', 'type'],
  ['number', 1e12, 'max'],
  ['number', 0.000_000_1, 'format'],
  ['number', Number.NaN, 'type'],
  ['boolean', 'true', true],
  ['boolean', 1, 'type'],
  ['date', '2026-02-28T23:30:00-02:00', '2026-03-01'],
  ['date', '2026-02-30', 'format'],
  ['select', 'south wing', 'south'],
  ['select', 'old', 'enum'],
  ['select', 7, 'type'],
  ['multi_select', 'north,south,North Wing', ['north', 'south']],
  ['multi_select', ['south', 'old'], 'enum'],
  ['multi_select', 7, 'type'],
  ['reference', '42', 42],
  ['reference', 0, 'type'],
])('as %s, %j is %j', (type, value, expected) => {
  expect(read(fieldOf(type), value)).toEqual(expected);
});

it('a pattern is looked for in all of a text', () => {
  const coded = field({ pattern: '^[A-Z]{2}-[0-9]+$' });
  expect([read(coded, 'AB-12'), read(coded, 'ab-12'), read(coded, 'AB-12\nx')]).toEqual(['AB-12', 'format', 'format']);
  expect(read(coded, `AB-${'1'.repeat(1_000)}`)).toBe('max');
  const faces = '😀'.repeat(1_000);
  expect(read(field({ pattern: '^😀+$' }), faces)).toBe(faces);
});

describe('custom fields as a whole', () => {
  const floor = field({ key: 'floor', type: 'number', is_required: true });
  const site = field({ key: 'site', type: 'select', options, default_value: 'south' });
  const settle = (before: Record<string, unknown> | null, given: Record<string, unknown>, demands = true): unknown => {
    const { fields, problems } = settleFields([floor, site], before, given, demands);
    return problems.length > 0 ? Object.fromEntries(problems.map(({ field: name, code }) => [name, code])) : fields;
  };

  it('leave alone what nobody has defined', () => {
    const key = fc.string({ minLength: 1, maxLength: 64 }).filter((text) => text !== '__proto__');
    fc.assert(
      fc.property(fc.dictionary(key, anyValue, { maxKeys: 20 }), (given) => {
        expect(settleFields([], {}, given, true).fields).toEqual(given);
      }),
    );
  });

  it('take defaults when they are new, and no others', () => {
    expect(settle(null, { floor: '3', other: null })).toEqual({ floor: 3, other: null, site: 'south' });
    expect(settle(null, { floor: 3, site: null })).toEqual({ floor: 3 });
    expect(settle({ floor: 3 }, { floor: 4 })).toEqual({ floor: 4 });
  });

  it('must have something to be seen where a text is required', () => {
    const reason = field({ key: 'reason', type: 'text', is_required: true });
    for (const blank of [' ', '\n', '\u200b']) {
      const { problems } = settleFields([reason], null, { reason: blank }, true);
      expect(problems).toMatchObject([{ field: 'custom_fields.reason', code: 'required' }]);
      expect(settleFields([reason], { reason: blank }, { reason: blank }, true).problems).toEqual([]);
    }
  });

  it('must have what is required, once they had it', () => {
    expect(settle(null, {})).toEqual({ 'custom_fields.floor': 'required' });
    expect(settle(null, {}, false)).toEqual({ site: 'south' });
    expect(settle({}, { other: 1 })).toEqual({ other: 1 });
    expect(settle({ floor: 3 }, {})).toEqual({ 'custom_fields.floor': 'required' });
    expect(settle({ floor: 3 }, { floor: '' })).toEqual({ 'custom_fields.floor': 'required' });
  });

  it('keep what they had before it was defined', () => {
    expect(settle({ floor: 'third', site: 'old' }, { floor: 'third', site: 'old', more: 1 })).toEqual({
      floor: 'third',
      site: 'old',
      more: 1,
    });
    expect(settle({ floor: 'third' }, { floor: 'fourth' })).toEqual({ 'custom_fields.floor': 'type' });
  });

  it('have no more keys than fit', () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, index]));
    expect(settle(null, { ...many }, false)).toEqual({ custom_fields: 'max' });
  });
});
