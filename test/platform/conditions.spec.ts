import fc from 'fast-check';
import { ApiError, type ErrorDetail } from '../../src/platform/errors/api-error';
import { checkConditions } from '../../src/platform/conditions/check-conditions';
import type { Conditions, FieldSpec } from '../../src/platform/conditions/condition';
import { evaluate } from '../../src/platform/conditions/evaluate';
import { FieldSet } from '../../src/platform/conditions/field-set';
import { OPERATORS, operatorsOf } from '../../src/platform/conditions/operators';
import { recordFacts } from '../../src/platform/conditions/record-facts';

const specs: Record<string, FieldSpec> = {
  subject: { type: 'text', tracked: true },
  status: { type: 'enum', values: ['open', 'resolved'], tracked: true },
  reply_count: { type: 'number', tracked: true },
  created_at: { type: 'timestamp' },
  renewal_date: { type: 'date' },
  is_vip: { type: 'boolean' },
  tags: { type: 'tags', tracked: true },
  assigned_to: { type: 'reference', references: 'users', tracked: true },
  cc_emails: { type: 'list' },
  'changes.status': { type: 'enum', values: ['open', 'resolved'], tracked: true, changeOnly: true },
};
const fields = new FieldSet(
  new Map(Object.entries(specs)),
  new Map<string, FieldSpec>([['custom_fields.', { type: 'custom', tracked: true }]]),
);
const now = new Date('2026-10-20T12:00:00.000Z');
const record = {
  subject: 'Printer is JAMMED',
  status: 'open',
  reply_count: 3,
  created_at: '2026-10-20T08:00:00.000Z',
  renewal_date: '2026-12-01',
  is_vip: true,
  tags: 'floor-3,printer',
  assigned_to: null,
  cc_emails: ['a@x.example', 'b@x.example'],
  custom_fields: { region: 'South', seats: 20, areas: ['a', 'b'] },
};
const changes = {
  status: { from: 'resolved', to: 'open' },
  tags: { from: 'printer', to: 'floor-3,printer' },
  assigned_to: { from: 7, to: null },
  custom_fields: { from: { region: 'North', seats: 20 }, to: { region: 'South', seats: 20 } },
};

function check(input: unknown): Conditions {
  return checkConditions('conditions', input, fields);
}

function details(input: unknown): readonly ErrorDetail[] {
  try {
    check(input);
    return [];
  } catch (error) {
    if (error instanceof ApiError) return error.extras.details ?? [];
    throw error;
  }
}

function met(field: string, operator: string, value?: unknown): boolean {
  const facts = recordFacts(record, changes, now);
  return evaluate(check({ all: [{ field, operator, ...(value === undefined ? {} : { value }) }] }), facts).met;
}

it.each<[string, string, unknown, boolean]>([
  ['subject', 'eq', 'printer is jammed', true],
  ['subject', 'neq', 'printer', true],
  ['subject', 'in', ['x', 'PRINTER IS JAMMED'], true],
  ['subject', 'not_in', ['printer is jammed'], false],
  ['subject', 'contains', 'jam', true],
  ['subject', 'not_contains', 'jam', false],
  ['subject', 'starts_with', 'printer', true],
  ['subject', 'ends_with', 'printer', false],
  ['subject', 'matches', 'JAM+ED$', true],
  ['subject', 'matches', 'jammed', false],
  ['subject', 'matches', '(?i)jammed', true],
  ['subject', 'is_set', undefined, true],
  ['status', 'eq', 'open', true],
  ['status', 'in', ['resolved'], false],
  ['reply_count', 'gt', 3, false],
  ['reply_count', 'gte', 3, true],
  ['reply_count', 'lt', 3.5, true],
  ['reply_count', 'lte', 2, false],
  ['reply_count', 'between', [3, 4], true],
  ['reply_count', 'between', [4, 9], false],
  ['created_at', 'lt', '2026-10-20T10:00:00+01:30', true],
  ['created_at', 'gt', '-4h', false],
  ['created_at', 'gte', '-4h', true],
  ['created_at', 'lt', '-3h', true],
  ['created_at', 'eq', '2026-10-20T10:00:00+02:00', true],
  ['renewal_date', 'between', ['2026-11-01', '2026-12-01'], true],
  ['renewal_date', 'lt', '+30d', false],
  ['is_vip', 'eq', true, true],
  ['is_vip', 'neq', true, false],
  ['tags', 'has_any', ['Printer', 'x'], true],
  ['tags', 'has_all', ['printer', 'x'], false],
  ['tags', 'has_all', ['printer', 'floor-3'], true],
  ['tags', 'has_none', ['x'], true],
  ['tags', 'eq', 'printer, floor-3', true],
  ['tags', 'neq', ['printer'], true],
  ['assigned_to', 'is_set', undefined, false],
  ['assigned_to', 'is_not_set', undefined, true],
  ['assigned_to', 'eq', 7, false],
  ['assigned_to', 'neq', 7, true],
  ['assigned_to', 'not_in', [7], true],
  ['cc_emails', 'has_any', ['A@x.example'], true],
  ['cc_emails', 'eq', ['b@x.example', 'a@x.example'], true],
  ['custom_fields.region', 'eq', 'south', true],
  ['custom_fields.seats', 'gt', 19, true],
  ['custom_fields.seats', 'contains', '2', true],
  ['custom_fields.areas', 'has_any', ['b'], true],
  ['custom_fields.none', 'is_set', undefined, false],
  ['custom_fields.none', 'lt', 5, false],
  ['custom_fields.none', 'not_contains', 'x', true],
  ['status', 'changed', undefined, true],
  ['changes.status', 'changed_to', 'open', true],
  ['status', 'changed_from', 'open', false],
  ['status', 'changed_from_to', { from: 'resolved', to: 'open' }, true],
  ['status', 'changed_from_to', { from: 'open', to: 'resolved' }, false],
  ['tags', 'changed_to', 'printer,floor-3', true],
  ['assigned_to', 'changed_to', null, true],
  ['assigned_to', 'changed_from', 7, true],
  ['subject', 'changed', undefined, false],
  ['custom_fields.region', 'changed_from_to', { from: 'North', to: 'South' }, true],
  ['custom_fields.seats', 'changed', undefined, false],
])('%s %s %j is %s', (field, operator, value, expected) => {
  expect(met(field, operator, value)).toBe(expected);
});

const yes = { field: 'status', operator: 'eq', value: 'open' };
const no = { field: 'status', operator: 'eq', value: 'resolved' };

it.each<[unknown, boolean]>([
  [{}, true],
  [{ all: [], any: [] }, true],
  [{ all: [yes, no] }, false],
  [{ any: [no, yes] }, true],
  [{ all: [yes], any: [no] }, false],
  [{ all: [{ not: no }] }, true],
  [{ all: [{ any: [no, { all: [yes, { not: no }] }] }] }, true],
  [{ all: [{ not: { any: [no, yes] } }] }, false],
])('groups: %j is %s', (conditions, expected) => {
  expect(evaluate(check(conditions), recordFacts(record, null, now)).met).toBe(expected);
});

it('traces every condition with what was expected and found, also where the outcome was clear before', () => {
  const verdict = evaluate(
    check({ all: [no, yes, { field: 'status', operator: 'changed_to', value: 'open' }], any: [yes, no] }),
    recordFacts({ ...record, status: 'open' }, changes, now),
  );
  expect(verdict).toEqual({
    met: false,
    trace: [
      { field: 'status', operator: 'eq', expected: 'resolved', actual: 'open', result: false },
      { field: 'status', operator: 'eq', expected: 'open', actual: 'open', result: true },
      {
        field: 'status',
        operator: 'changed_to',
        expected: 'open',
        actual: { from: 'resolved', to: 'open' },
        result: true,
      },
      { field: 'status', operator: 'eq', expected: 'open', actual: 'open', result: true },
      { field: 'status', operator: 'eq', expected: 'resolved', actual: 'open', result: false },
    ],
  });
});

it('cuts long texts in the trace, not in the comparison', () => {
  const subject = `${'x'.repeat(65_000)}needle`;
  const facts = recordFacts({ subject }, null, now);
  const { met, trace } = evaluate(check({ all: [{ field: 'subject', operator: 'contains', value: 'needle' }] }), facts);
  expect([met, (trace[0]?.actual as string).length]).toEqual([true, 256]);
});

const VALUE = 'conditions.all[0].value';
const OPERATOR = 'conditions.all[0].operator';
const nested = (depth: number): unknown => (depth === 0 ? yes : { all: [nested(depth - 1)] });

it.each<[string, unknown, string, string]>([
  ['no object', [], 'conditions', 'type'],
  ['no object', null, 'conditions', 'type'],
  ['an unknown member', { every: [] }, 'conditions.every', 'unknown_field'],
  ['no array', { all: yes }, 'conditions.all', 'type'],
  ['no condition', { all: [7] }, 'conditions.all[0]', 'type'],
  ['an empty group', { all: [{ any: [] }] }, 'conditions.all[0].any', 'type'],
  ['two groups in one', { all: [{ any: [yes], all: [yes] }] }, 'conditions.all[0]', 'conflict'],
  ['no field', { all: [{ operator: 'eq' }] }, 'conditions.all[0].field', 'required'],
  ['an unknown field', { any: [yes, { ...yes, field: 'zzz' }] }, 'conditions.any[1].field', 'unknown_field'],
  ['an inherited name', { all: [{ ...yes, field: 'constructor' }] }, 'conditions.all[0].field', 'unknown_field'],
  ['no operator', { all: [{ field: 'status' }] }, OPERATOR, 'required'],
  ['an operator of another type', { all: [{ ...yes, operator: 'gt' }] }, OPERATOR, 'enum'],
  ['an inherited operator', { all: [{ ...yes, operator: 'toString' }] }, OPERATOR, 'enum'],
  ['a change of what is not tracked', { all: [{ field: 'is_vip', operator: 'changed' }] }, OPERATOR, 'enum'],
  ['a state of a change', { all: [{ field: 'changes.status', operator: 'eq', value: 'open' }] }, OPERATOR, 'enum'],
  ['no value', { all: [{ field: 'status', operator: 'eq' }] }, VALUE, 'required'],
  ['another value', { all: [{ ...yes, value: 'OPEN' }] }, VALUE, 'enum'],
  ['a value too many', { all: [{ ...yes, operator: 'is_set' }] }, VALUE, 'type'],
  ['a member too many', { all: [{ ...yes, extra: 1 }] }, 'conditions.all[0].extra', 'unknown_field'],
  ['a bad pattern', { all: [{ field: 'subject', operator: 'matches', value: '(a' }] }, VALUE, 'format'],
  ['a back reference', { all: [{ field: 'subject', operator: 'matches', value: '(a)\\1' }] }, VALUE, 'format'],
  ['a look-ahead', { all: [{ field: 'subject', operator: 'matches', value: '(?=a)b' }] }, VALUE, 'format'],
  ['a long pattern', { all: [{ field: 'subject', operator: 'matches', value: 'a'.repeat(201) }] }, VALUE, 'format'],
  [
    'an exploding pattern',
    { all: [{ field: 'subject', operator: 'matches', value: '((a{100}){100}){100}' }] },
    VALUE,
    'format',
  ],
  ['infinity', { all: [{ field: 'reply_count', operator: 'gt', value: Infinity }] }, VALUE, 'type'],
  ['half a range', { all: [{ field: 'reply_count', operator: 'between', value: [1] }] }, VALUE, 'type'],
  ['a moment', { all: [{ field: 'created_at', operator: 'gt', value: 'now' }] }, VALUE, 'format'],
  [
    'half a transition',
    { all: [{ field: 'status', operator: 'changed_from_to', value: { from: 'open' } }] },
    VALUE,
    'type',
  ],
  ['no id', { all: [{ field: 'assigned_to', operator: 'eq', value: 'me' }] }, VALUE, 'type'],
  ['a fifth level', { all: [nested(4)] }, 'conditions.all[0].all[0].all[0].all[0]', 'max_depth'],
])('refuses %s', (_name, input, field, code) => {
  expect(details(input)[0]).toMatchObject({ field, code });
});

it('takes four levels, and 100 conditions in all', () => {
  expect(details({ all: [nested(3)] })).toEqual([]);
  const fifty = Array.from({ length: 50 }, () => yes);
  expect(details({ all: fifty, any: fifty })).toEqual([]);
  expect(details({ all: fifty, any: [...fifty, yes] })).toMatchObject([{ field: 'conditions.any[50]', code: 'max' }]);
});

it('bounds what expressions cost: ten of them, not too complex, on the beginning of long texts', () => {
  const matches = (value: string) => ({ field: 'subject', operator: 'matches', value });
  expect(details({ all: Array.from({ length: 11 }, () => matches('a')) })).toMatchObject([{ code: 'max' }]);
  expect(details({ all: [matches('(?:a|b)*a(?:a|b){900}')] })).toMatchObject([{ field: VALUE, code: 'format' }]);
  const found = (length: number): boolean => {
    const facts = recordFacts({ subject: `${'x'.repeat(length)} refund` }, null, now);
    return evaluate(check({ all: [matches('(?i)\\b(refund|chargeback|money back)\\b')] }), facts).met;
  };
  expect([found(10_000), found(60_000)]).toEqual([true, false]);
});

it('says what is allowed', () => {
  expect(details({ all: [{ field: 'zzz', operator: 'eq' }] })[0]?.allowed).toEqual(fields.names());
  expect(details({ all: [{ ...yes, operator: 'gt' }] })[0]?.allowed).toEqual(
    operatorsOf(specs.status ?? { type: 'text' }),
  );
  expect(details({ all: [{ ...yes, value: 'x' }] })[0]?.allowed).toEqual(['open', 'resolved']);
});

it('says everything that is wrong, within reason', () => {
  expect(details({ all: [{ field: 'a' }, { field: 'b' }] }).map(({ field }) => field)).toEqual([
    'conditions.all[0].field',
    'conditions.all[1].field',
  ]);
  expect(details({ all: Array.from({ length: 100 }, () => ({ field: 'zzz' })) })).toHaveLength(20);
});

const leaf = fc.record({
  field: fc.constantFrom(...Object.keys(specs), 'custom_fields.region', 'zzz'),
  operator: fc.constantFrom(...Object.keys(OPERATORS)),
  value: fc.option(
    fc.oneof(
      fc.constantFrom('open', 'resolved', 'printer', '-2d', '2026-10-20T08:00:00Z', '2026-10-20', '^a|b$'),
      fc.string({ maxLength: 20 }),
      fc.double(),
      fc.integer(),
      fc.boolean(),
      fc.array(fc.oneof(fc.string({ maxLength: 5 }), fc.integer()), { maxLength: 3 }),
      fc.record({ from: fc.constantFrom('open', null), to: fc.constantFrom('resolved', null) }),
    ),
    { nil: undefined },
  ),
});

it('takes a comma in a list of tags for what it is in a text of them', () => {
  const stored = check({ all: [{ field: 'tags', operator: 'eq', value: [',', 'a,b'] }] });
  expect(stored).toEqual(check({ all: [{ field: 'tags', operator: 'eq', value: 'a,b' }] }));
});

it('evaluates whatever it accepted, and the opposite of a condition is its opposite', () => {
  let accepted = 0;
  fc.assert(
    fc.property(leaf, (condition) => {
      if (details({ all: [condition] }).length > 0) return;
      accepted++;
      const facts = recordFacts(record, changes, now);
      const [plain, negated] = [check({ all: [condition] }), check({ all: [{ not: condition }] })];
      expect(check(plain)).toEqual(plain);
      const verdict = evaluate(plain, facts);
      expect(verdict.trace).toHaveLength(1);
      expect(evaluate(negated, facts).met).toBe(!verdict.met);
    }),
    { numRuns: 3_000 },
  );
  expect(accepted).toBeGreaterThan(100);
});
