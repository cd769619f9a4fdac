import type { FieldSpec, FieldType } from './condition';

/** What operators want as `value`. */
export const SHAPES = [
  /** no value at all */
  'none',
  /** one value of the field's type */
  'one',
  /** 1 to 100 values */
  'many',
  /** `[low, high]`, both included */
  'range',
  /** part of a text */
  'text',
  /** RE2 expression */
  'pattern',
  /** one value of the field's type, or null */
  'one_or_null',
  /** `{from, to}`, either may be null */
  'transition',
] as const;

export type ValueShape = (typeof SHAPES)[number];

export interface OperatorSpec {
  types: readonly FieldType[];
  value: ValueShape;
  /** For tracked fields only. */
  change?: boolean;
}

const EQUAL: readonly FieldType[] = [
  'text',
  'enum',
  'number',
  'timestamp',
  'date',
  'boolean',
  'tags',
  'reference',
  'list',
  'custom',
];
const SINGLE = EQUAL.filter((type) => type !== 'tags' && type !== 'list');
const TEXT: readonly FieldType[] = ['text', 'custom'];
const ORDERED: readonly FieldType[] = ['number', 'timestamp', 'date', 'custom'];
const SETS: readonly FieldType[] = ['tags', 'list', 'custom'];

/** Every operator, the types of field it goes with, and its value: product reference 4.2. */
export const OPERATORS: Readonly<Record<string, OperatorSpec>> = {
  eq: { types: EQUAL, value: 'one' },
  neq: { types: EQUAL, value: 'one' },
  in: { types: SINGLE, value: 'many' },
  not_in: { types: SINGLE, value: 'many' },
  is_set: { types: EQUAL, value: 'none' },
  is_not_set: { types: EQUAL, value: 'none' },
  contains: { types: TEXT, value: 'text' },
  not_contains: { types: TEXT, value: 'text' },
  starts_with: { types: TEXT, value: 'text' },
  ends_with: { types: TEXT, value: 'text' },
  matches: { types: TEXT, value: 'pattern' },
  gt: { types: ORDERED, value: 'one' },
  gte: { types: ORDERED, value: 'one' },
  lt: { types: ORDERED, value: 'one' },
  lte: { types: ORDERED, value: 'one' },
  between: { types: ORDERED, value: 'range' },
  has_any: { types: SETS, value: 'many' },
  has_all: { types: SETS, value: 'many' },
  has_none: { types: SETS, value: 'many' },
  changed: { types: EQUAL, value: 'none', change: true },
  changed_to: { types: EQUAL, value: 'one_or_null', change: true },
  changed_from: { types: EQUAL, value: 'one_or_null', change: true },
  changed_from_to: { types: EQUAL, value: 'transition', change: true },
};

/** Names of the operators that want such a value. */
export function operatorsTaking(shape: ValueShape): string[] {
  return Object.entries(OPERATORS)
    .filter(([, { value }]) => value === shape)
    .map(([name]) => name);
}

/** Names of the operators that go with a field. */
export function operatorsOf(field: FieldSpec): string[] {
  return Object.entries(OPERATORS)
    .filter(([, { types, change }]) => types.includes(field.type) && suits(field, change ?? false))
    .map(([name]) => name);
}

function suits(field: FieldSpec, isChange: boolean): boolean {
  return isChange ? (field.tracked ?? false) || (field.changeOnly ?? false) : !field.changeOnly;
}
