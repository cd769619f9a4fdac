import { isRecord } from '../../../../platform/text/json';
import { refuse } from './fault';
import type { Comparison, Filter, Literal } from './filter';
import { compareTexts } from './folding';
import { type Target, target } from './path';
import { type Attribute, attributeOf, type ResourceType } from './schema';

type Content = Readonly<Record<string, unknown>>;

/** Whether a resource is what a filter asks for; refuses (400) filters that make no sense. Pure. */
export function matches(type: ResourceType, filter: Filter, resource: Content): boolean {
  switch (filter.op) {
    case 'and':
      return filter.of.map((each) => matches(type, each, resource)).every(Boolean);
    case 'or':
      return filter.of.map((each) => matches(type, each, resource)).some(Boolean);
    case 'not':
      return !matches(type, filter.of, resource);
    case 'some': {
      const { attribute, values } = read(type, filter.path, resource);
      // What makes no sense is refused where there is nothing to look at, too.
      fulfils(attribute, filter.of, {});
      return values.filter(isRecord).some((value) => fulfils(attribute, filter.of, value));
    }
    default: {
      const found = read(type, filter.path, resource);
      return decided(compared(found), filter, found.sub ? members(found.values, found.sub) : found.values);
    }
  }
}

/** Whether one value of a list is what a filter between brackets asks for. */
export function fulfils(attribute: Attribute, filter: Filter, value: Content): boolean {
  switch (filter.op) {
    case 'and':
      return filter.of.map((each) => fulfils(attribute, each, value)).every(Boolean);
    case 'or':
      return filter.of.map((each) => fulfils(attribute, each, value)).some(Boolean);
    case 'not':
      return !fulfils(attribute, filter.of, value);
    case 'some':
      return refuse('invalidFilter', `${filter.path} has no values of its own to choose from.`);
    default: {
      const member =
        attributeOf(attribute.sub ?? [], filter.path) ??
        refuse('invalidFilter', `${attribute.name} has no member ${JSON.stringify(filter.path.slice(0, 200))}.`);
      return decided(member, filter, [value[member.name] ?? []].flat());
    }
  }
}

function read(type: ResourceType, path: string, resource: Content): Target & { values: unknown[] } {
  const found = target(type, path, 'invalidFilter');
  const holder = found.extension === null ? resource : resource[found.extension];
  return { ...found, values: [(isRecord(holder) ? holder[found.attribute.name] : undefined) ?? []].flat() };
}

/** The attribute whose values are compared: of lists the `value`, unless another member is named. */
function compared({ attribute, sub }: Target): Attribute {
  return sub ?? attribute;
}

function members(values: readonly unknown[], sub: Attribute): unknown[] {
  return values.filter(isRecord).flatMap((value) => value[sub.name] ?? []);
}

type Question = { op: 'pr'; path: string } | { op: Comparison; path: string; value: Literal };

function decided(attribute: Attribute, question: Question, values: readonly unknown[]): boolean {
  if (question.op === 'pr') return values.length > 0;
  if (attribute.type === 'complex') {
    const value = attributeOf(attribute.sub ?? [], 'value');
    if (!value) refuse('invalidFilter', `${question.path} has several members; name the one to compare.`);
    return decided(value, question, members(values, value));
  }
  const { op, value } = question;
  if (op === 'ne') return !decided(attribute, { ...question, op: 'eq' }, values);
  if (value === null) return op === 'eq' ? values.length === 0 : unfit(attribute, op);
  const wanted = comparable(attribute, value, op);
  return values.filter(isPlain).some((each) => holds(op, comparable(attribute, each, op), wanted));
}

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** A value in the form that it is compared in. */
function comparable(attribute: Attribute, value: Literal, op: Comparison): string | number | boolean {
  if (attribute.type === 'boolean') {
    const is = typeof value === 'string' ? { true: true, false: false }[value.toLowerCase()] : value;
    return op === 'eq' && typeof is === 'boolean' ? is : unfit(attribute, op);
  }
  if (attribute.type === 'dateTime' && op !== 'co' && op !== 'sw' && op !== 'ew') {
    const at = Date.parse(String(value));
    return Number.isNaN(at) ? unfit(attribute, op) : at;
  }
  if (typeof value === 'boolean') return unfit(attribute, op);
  const said = String(value);
  return attribute.exact ? said : said.toLowerCase();
}

function holds(op: Comparison, left: string | number | boolean, right: string | number | boolean): boolean {
  switch (op) {
    case 'gt':
      return order(left, right) > 0;
    case 'ge':
      return order(left, right) >= 0;
    case 'lt':
      return order(left, right) < 0;
    case 'le':
      return order(left, right) <= 0;
    case 'co':
      return String(left).includes(String(right));
    case 'sw':
      return String(left).startsWith(String(right));
    case 'ew':
      return String(left).endsWith(String(right));
    default:
      return left === right;
  }
}

function order(left: string | number | boolean, right: string | number | boolean): number {
  return typeof left === 'string' ? compareTexts(left, String(right)) : Number(left) - Number(right);
}

function unfit({ name, type }: Attribute, op: Comparison): never {
  refuse('invalidFilter', `${name} is a ${type}: "${op}" does not compare it with that.`);
}
