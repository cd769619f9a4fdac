import { normaliseTags } from '../columns/column-spec';
import { parseMoment } from '../time/iso-time';
import { type FieldSpec, MAX_TEXT_VALUE, MAX_VALUES } from './condition';
import type { ValueShape } from './operators';
import { MAX_PATTERN, patternProblem } from '../text/pattern';
import { parseRelativeDate } from './relative-date';
import { isLonger } from '../text/normalise';

/** A value in its stored form, or why it is refused. */
export type Checked =
  { ok: true; value?: unknown } | { ok: false; code: string; problem: string; allowed?: readonly string[] };

const refuse = (code: string, problem: string, allowed?: readonly string[]): Checked =>
  allowed ? { ok: false, code, problem, allowed } : { ok: false, code, problem };
const accept = (value: unknown): Checked => ({ ok: true, value });

/** What an operator wants as `value`: what it must be, for a field, and what the OpenAPI document says of it. */
interface ValueRule {
  /** Name of the schema of conditions with such operators. */
  component: string;
  schema: object;
  /** @param ordered moments may be relative to now (`-2d`) */
  check: (field: FieldSpec, value: unknown, ordered: boolean) => Checked;
}

const SCALARS = ['string', 'number', 'boolean'];

/** One value; fields that hold several take a list as well. */
const one = (more: readonly string[] = []): object => ({
  type: [...SCALARS, 'array', ...more],
  maxLength: MAX_TEXT_VALUE,
  maxItems: MAX_VALUES,
  items: { type: SCALARS },
});

const oneOrNull = one(['null']);

function list(component: string, min: number, max: number, demand: string): ValueRule {
  return {
    component,
    schema: { type: 'array', minItems: min, maxItems: max, items: { type: SCALARS } },
    check: (field, value, ordered) => listOf(field, value, min, max, demand, ordered),
  };
}

/** The one table of the values that operators take: the check and the document are both made of it. */
export const VALUES: Readonly<Record<ValueShape, ValueRule>> = {
  none: {
    component: 'UnaryCondition',
    schema: { type: 'null' },
    check: (_field, value) => (value === undefined || value === null ? { ok: true } : refuse('type', 'takes no value')),
  },
  one: { component: 'ValueCondition', schema: one(), check: scalar },
  many: list('ListCondition', 1, MAX_VALUES, `must be an array of 1 to ${MAX_VALUES} values`),
  range: list('RangeCondition', 2, 2, 'must be [lowest, highest]'),
  text: {
    component: 'TextCondition',
    schema: { type: 'string', minLength: 1, maxLength: MAX_TEXT_VALUE },
    check: (_field, value) => plainText(value, 1),
  },
  pattern: {
    component: 'PatternCondition',
    schema: { type: 'string', minLength: 1, maxLength: MAX_PATTERN },
    check: (_field, value) => {
      const problem = typeof value === 'string' ? patternProblem(value) : 'must be an RE2 expression';
      return problem === null ? accept(value) : refuse('format', problem);
    },
  },
  one_or_null: {
    component: 'ChangeCondition',
    schema: oneOrNull,
    check: (field, value) => (value === null ? accept(null) : scalar(field, value, false)),
  },
  transition: {
    component: 'TransitionCondition',
    schema: {
      type: 'object',
      required: ['from', 'to'],
      properties: { from: oneOrNull, to: oneOrNull },
      additionalProperties: false,
    },
    check: transition,
  },
};

/**
 * Checks the `value` of a condition and brings it into the form that records have (tags and moments normalised).
 *
 * @param ordered moments may be relative to now (`-2d`)
 */
export function checkValue(shape: ValueShape, field: FieldSpec, value: unknown, ordered: boolean): Checked {
  return VALUES[shape].check(field, value, ordered);
}

function listOf(field: FieldSpec, value: unknown, min: number, max: number, demand: string, ordered: boolean): Checked {
  if (!Array.isArray(value) || value.length < min || value.length > max) return refuse('type', demand);
  const item: FieldSpec = field.type === 'tags' || field.type === 'list' ? { type: 'custom' } : field;
  const checked = value.map((entry) => scalar(item, entry, ordered));
  const wrong = checked.find((entry) => !entry.ok);
  if (wrong) return wrong;
  const values = checked.map((entry) => (entry.ok ? entry.value : null));
  if (field.type === 'tags') {
    if (!values.every((entry) => typeof entry === 'string' && entry.trim() !== '' && !entry.includes(',')))
      return refuse('type', 'must be an array of tags without commas');
    return accept(normaliseTags(values as string[]).split(','));
  }
  return accept(min === max ? values : [...new Set(values)]);
}

function transition(field: FieldSpec, value: unknown): Checked {
  const demand = refuse('type', 'must be {"from": …, "to": …}');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return demand;
  const { from, to, ...others } = value as Record<string, unknown>;
  if (from === undefined || to === undefined || Object.keys(others).length > 0) return demand;
  const before = checkValue('one_or_null', field, from, false);
  const after = checkValue('one_or_null', field, to, false);
  if (!before.ok) return before;
  return after.ok ? accept({ from: before.value, to: after.value }) : after;
}

function scalar(field: FieldSpec, value: unknown, ordered: boolean): Checked {
  switch (field.type) {
    case 'text':
      return plainText(typeof value === 'string' ? (field.canonical?.(value) ?? value) : value, 0);
    case 'enum':
      return typeof value === 'string' && field.values?.includes(value)
        ? accept(value)
        : refuse('enum', `must be one of ${field.values?.join(', ') ?? ''}`, field.values ?? []);
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? accept(value) : refuse('type', 'must be a number');
    case 'timestamp':
    case 'date':
      return moment(field.type, value, ordered);
    case 'boolean':
      return typeof value === 'boolean' ? accept(value) : refuse('type', 'must be true or false');
    case 'reference':
      return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
        ? accept(value)
        : refuse('type', `must be the id of a record of ${field.references ?? 'another resource'}`);
    case 'tags':
      return tags(value);
    case 'list':
      return Array.isArray(value) && value.length === 0
        ? accept([])
        : listOf(field, value, 1, MAX_VALUES, `must be an array of at most ${MAX_VALUES} values`, false);
    case 'custom':
      return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
        ? accept(value)
        : typeof value === 'string'
          ? plainText(value, 0)
          : refuse('type', 'must be a text, a number or a boolean');
  }
}

function plainText(value: unknown, min: number): Checked {
  if (typeof value !== 'string') return refuse('type', 'must be a string');
  if (value.length < min) return refuse('min', 'must not be empty');
  return isLonger(value, MAX_TEXT_VALUE)
    ? refuse('max', `must have at most ${MAX_TEXT_VALUE} characters`)
    : accept(value);
}

function moment(type: 'timestamp' | 'date', value: unknown, ordered: boolean): Checked {
  const relative = ordered && typeof value === 'string' ? parseRelativeDate(value) : null;
  if (relative && relative.unit !== 'bd') return accept(value);
  const text = typeof value === 'string' ? value : '';
  const parsed = parseMoment(text);
  const form = type === 'date' ? 'a day such as 2026-10-20' : 'an ISO 8601 timestamp with a zone';
  if (!parsed) return refuse('format', `must be ${form}${ordered ? ', or relative to now: -2d, +4h, -30m' : ''}`);
  return accept(type === 'date' ? parsed.toISOString().slice(0, 10) : parsed.toISOString());
}

function tags(value: unknown): Checked {
  if (typeof value !== 'string' && !isStrings(value))
    return refuse('type', 'must be a comma-separated string or an array of tags');
  const normal = normaliseTags(value);
  const list = normal === '' ? [] : normal.split(',');
  return list.length > MAX_VALUES ? refuse('max', `must have at most ${MAX_VALUES} tags`) : accept(list);
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
