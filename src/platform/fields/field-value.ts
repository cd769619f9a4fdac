import { isLonger } from '../text/normalise';
import { matchesPattern } from '../text/pattern';
import { isDay, parseTimestamp } from '../time/iso-time';
import type { FieldDefinition, FieldType } from './field-definition';

/** Longest text of a field, and of one with a pattern: a pattern must be able to see all of it. */
export const MAX_TEXT = 4_000;
export const MAX_PATTERN_TEXT = 1_000;
/** Digits of a number behind its point, and how large it may be: what JSON and PostgreSQL write in the same way. */
const DECIMALS = 6;
export const MAX_NUMBER = 999_999_999_999;
/** Options that a `multi_select` can have at once. */
export const MAX_CHOICES = 100;

/** A value in its stored form, or why it is none of this field. */
export type CheckedValue =
  { ok: true; value: unknown } | { ok: false; code: string; problem: string; allowed?: readonly string[] };

type Check = (field: FieldDefinition, value: unknown) => CheckedValue;

const accept = (value: unknown): CheckedValue => ({ ok: true, value });
const refuse = (code: string, problem: string, allowed?: readonly string[]): CheckedValue =>
  allowed ? { ok: false, code, problem, allowed } : { ok: false, code, problem };

/**
 * Reads a value of a field. Besides values of its type it takes the texts that stand for them, because forms, templates and
 * spreadsheets know nothing else: `"3"`, `"true"`, a moment for its day (in UTC), the label of an option, options with commas
 * between them. What it answers it takes again, unchanged.
 */
export function checkFieldValue(field: FieldDefinition, value: unknown): CheckedValue {
  return CHECKS[field.type](field, value);
}

const CHECKS: Readonly<Record<FieldType, Check>> = {
  text: ({ pattern }, value) => {
    if (typeof value !== 'string') return refuse('type', 'must be a text');
    const most = pattern === null ? MAX_TEXT : MAX_PATTERN_TEXT;
    if (isLonger(value, most)) return refuse('max', `must have at most ${most} characters`);
    if (pattern !== null && !matchesPattern(pattern, value)) return refuse('format', `must match ${pattern}`);
    return accept(value);
  },
  number: (_field, value) => {
    const number = typeof value === 'string' ? numberOf(value) : value;
    if (typeof number !== 'number' || !Number.isFinite(number)) return refuse('type', 'must be a number');
    if (Math.abs(number) > MAX_NUMBER) return refuse('max', `must be from -${MAX_NUMBER} to ${MAX_NUMBER}`);
    if (Number(number.toFixed(DECIMALS)) !== number) return refuse('format', `must have at most ${DECIMALS} decimals`);
    return accept(number === 0 ? 0 : number);
  },
  boolean: (_field, value) =>
    typeof value === 'boolean'
      ? accept(value)
      : value === 'true' || value === 'false'
        ? accept(value === 'true')
        : refuse('type', 'must be true or false'),
  date: (_field, value) => {
    const text = typeof value === 'string' ? value.trim() : '';
    const day = isDay(text) ? text : parseTimestamp(text)?.toISOString().slice(0, 10);
    return day === undefined ? refuse('format', 'must be a day that exists, e.g. 2026-10-20') : accept(day);
  },
  select: choice,
  multi_select: (field, value) => {
    const items: unknown[] | null = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : null;
    if (!items) return refuse('type', 'must be a list of options');
    if (items.length > MAX_CHOICES) return refuse('max', `must have at most ${MAX_CHOICES} options`);
    const checked = items.map((item) => choice(field, typeof item === 'string' ? item.trim() : item));
    const wrong = checked.find((each) => !each.ok);
    if (wrong) return wrong;
    return accept([...new Set(checked.map((each) => (each.ok ? each.value : null)))]);
  },
  reference: ({ target }, value) => {
    const id = typeof value === 'string' && /^[1-9]\d{0,15}$/.test(value) ? Number(value) : value;
    return typeof id === 'number' && Number.isSafeInteger(id) && id > 0
      ? accept(id)
      : refuse('type', `must be the id of a record of ${(target ?? 'another resource').replaceAll('_', ' ')}`);
  },
};

/** One of the options, by its value, or by its label, whatever the case. */
function choice({ options }: FieldDefinition, value: unknown): CheckedValue {
  const open = options.filter(({ is_active = true }) => is_active);
  const allowed = open.map((option) => option.value);
  if (typeof value !== 'string') return refuse('type', `must be one of ${allowed.join(', ')}`, allowed);
  const label = value.trim().toLowerCase();
  const found =
    open.find((option) => option.value === value) ?? open.find((option) => option.label.toLowerCase() === label);
  return found ? accept(found.value) : refuse('enum', `must be one of ${allowed.join(', ')}`, allowed);
}

/** The number that a text is; null when it is none that can be kept exactly. */
export function numberOf(text: string): number | null {
  return /^-?\d{1,12}(\.\d{1,6})?$/.test(text.trim()) ? Number(text) : null;
}
