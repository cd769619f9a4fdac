import type { Condition, Conditions, Facts, Node, TraceEntry, Verdict } from './condition';
import { shortened } from '../text/normalise';
import { matchesPattern } from '../text/pattern';
import { parseRelativeDate, resolveRelativeDate } from './relative-date';

const MAX_TRACED = 256;

/** Whether the (checked) conditions hold. Every condition is evaluated, so that the trace explains the outcome. */
export function evaluate(conditions: Conditions, facts: Facts): Verdict {
  const trace: TraceEntry[] = [];
  const all = (conditions.all ?? []).map((node) => holds(node, facts, trace));
  const any = (conditions.any ?? []).map((node) => holds(node, facts, trace));
  return { met: all.every(Boolean) && (any.length === 0 || any.some(Boolean)), trace };
}

function holds(node: Node, facts: Facts, trace: TraceEntry[]): boolean {
  if ('all' in node) return node.all.map((member) => holds(member, facts, trace)).every(Boolean);
  if ('any' in node) return node.any.map((member) => holds(member, facts, trace)).some(Boolean);
  if ('not' in node) return !holds(node.not, facts, trace);
  const { field, operator } = node;
  const expected = node.value ?? null;
  const { actual, result } = operator.startsWith('changed') ? compareChange(node, facts) : compare(node, facts);
  trace.push({ field, operator, expected, actual: traced(actual ?? null), result });
  return result;
}

interface Comparison {
  actual: unknown;
  result: boolean;
}

function compareChange({ field, operator, value }: Condition, facts: Facts): Comparison {
  const change = facts.change(field.replace(/^changes\./, ''));
  if (!change) return { actual: null, result: false };
  const { from, to } =
    operator === 'changed_from_to' ? (value as { from: unknown; to: unknown }) : { from: value, to: value };
  const leaves = operator === 'changed' || operator === 'changed_to' || equal(change.from, from);
  const arrives = operator === 'changed' || operator === 'changed_from' || equal(change.to, to);
  return {
    actual: { from: traced(change.from ?? null), to: traced(change.to ?? null) },
    result: leaves && arrives,
  };
}

function compare({ field, operator, value }: Condition, facts: Facts): Comparison {
  const actual = facts.value(field);
  const test = TESTS[operator];
  return { actual, result: test !== undefined && test(actual, value, facts.now) };
}

type Test = (actual: unknown, expected: unknown, now: Date) => boolean;

/** The negative operators are the exact opposites, so they also hold for a field that is not set. */
const TESTS: Readonly<Record<string, Test>> = {
  eq: equal,
  neq: (actual, expected) => !equal(actual, expected),
  in: isOneOf,
  not_in: (actual, expected) => !isOneOf(actual, expected),
  is_set: isSet,
  is_not_set: (actual) => !isSet(actual),
  contains: textTest((text, part) => text.includes(part)),
  not_contains: (actual, expected) => !textTest((text, part) => text.includes(part))(actual, expected),
  starts_with: textTest((text, part) => text.startsWith(part)),
  ends_with: textTest((text, part) => text.endsWith(part)),
  matches: (actual, expected) => texts(actual).some((text) => matchesPattern(expected as string, text)),
  gt: orderTest((order) => order > 0),
  gte: orderTest((order) => order >= 0),
  lt: orderTest((order) => order < 0),
  lte: orderTest((order) => order <= 0),
  between: (actual, expected, now) => {
    const [low, high] = expected as [unknown, unknown];
    return (order(actual, low, now) ?? -1) >= 0 && (order(actual, high, now) ?? 1) <= 0;
  },
  has_any: (actual, expected) => common(actual, expected) > 0,
  has_all: (actual, expected) => common(actual, expected) === (expected as unknown[]).length,
  has_none: (actual, expected) => common(actual, expected) === 0,
};

function isSet(actual: unknown): boolean {
  return actual !== null && actual !== undefined && actual !== '' && !(Array.isArray(actual) && actual.length === 0);
}

/** Texts compare without regard to case, lists (and tags, written with commas) as sets. */
function equal(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(expected)) {
    const items = asList(actual);
    return items.length === expected.length && common(items, expected) === expected.length;
  }
  if (!isSet(actual) || expected === null || expected === undefined) return !isSet(actual) && !isSet(expected);
  return folded(actual) === folded(expected);
}

function isOneOf(actual: unknown, expected: unknown): boolean {
  return (expected as unknown[]).some((item) => equal(actual, item));
}

function common(actual: unknown, expected: unknown): number {
  const present = new Set(asList(actual).map(folded));
  return (expected as unknown[]).filter((item) => present.has(folded(item))).length;
}

function asList(actual: unknown): unknown[] {
  if (Array.isArray(actual)) return actual;
  if (typeof actual === 'string') return actual === '' ? [] : actual.split(',');
  return isSet(actual) ? [actual] : [];
}

function folded(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

function texts(actual: unknown): string[] {
  if (Array.isArray(actual)) return actual.flatMap(texts);
  if (typeof actual === 'string') return [actual];
  return typeof actual === 'number' || typeof actual === 'boolean' ? [String(actual)] : [];
}

function textTest(test: (text: string, part: string) => boolean): (actual: unknown, expected: unknown) => boolean {
  return (actual, expected) => {
    const part = (expected as string).toLowerCase();
    return texts(actual).some((text) => test(text.toLowerCase(), part));
  };
}

function orderTest(test: (difference: number) => boolean): Test {
  return (actual, expected, now) => {
    const difference = order(actual, expected, now);
    return difference !== null && test(difference);
  };
}

/** Difference of two numbers or two moments (ISO 8601, or relative to now); null when they cannot be compared. */
function order(actual: unknown, expected: unknown, now: Date): number | null {
  if (typeof actual === 'number' && typeof expected === 'number') return actual - expected;
  if (typeof actual !== 'string' || typeof expected !== 'string') return null;
  const relative = parseRelativeDate(expected);
  const bound = relative ? resolveRelativeDate(relative, now).getTime() : Date.parse(expected);
  const difference = Date.parse(actual) - bound;
  return Number.isNaN(difference) ? null : difference;
}

function traced(value: unknown): unknown {
  if (typeof value === 'string') return shortened(value, MAX_TRACED);
  if (Array.isArray(value) && value.length > 50) return [...(value as unknown[]).slice(0, 50), '…'];
  return value;
}
