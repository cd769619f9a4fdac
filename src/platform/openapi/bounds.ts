import { getMetadataStorage } from 'class-validator';
import { bodyClasses as ofEntities } from '../columns/bodies';
import type { Schema } from './document';

/** A rule of class-validator as the metadata keeps it. */
interface Rule {
  propertyName: string;
  name?: string;
  constraints: unknown[];
  each: boolean;
}

type Bound = (constraints: readonly unknown[]) => Schema;

const first =
  (keyword: string): Bound =>
  ([value]) => ({ [keyword]: value });

/** What each rule means as a bound of the value itself. */
const BOUNDS: Readonly<Record<string, Bound>> = {
  isInt: () => ({ type: 'integer' }),
  min: first('minimum'),
  max: first('maximum'),
  minLength: first('minLength'),
  maxLength: first('maxLength'),
  isNotEmpty: () => ({ minLength: 1 }),
  isEmail: () => ({ format: 'email' }),
  matches: ([pattern]) => (pattern instanceof RegExp ? { pattern: patternOf(pattern) } : {}),
  isIn: ([values]) => (Array.isArray(values) ? { enum: [...(values as unknown[])] } : {}),
  isISO31661Alpha2: () => ({ pattern: '^\\s*[A-Za-z]{2}\\s*$' }),
  isTimeZoneName: () => ({ minLength: 1, maxLength: 64 }),
  isLanguageTag: () => ({ minLength: 2, maxLength: 35 }),
};

/** Rules of a list as a whole, whatever `each` says. */
const LIST_BOUNDS: Readonly<Record<string, Bound>> = {
  arrayMinSize: first('minItems'),
  arrayNotEmpty: () => ({ minItems: 1 }),
  arrayMaxSize: first('maxItems'),
  arrayUnique: () => ({ uniqueItems: true }),
};

/** The pattern of a rule; one that ignores case names both. */
function patternOf({ source, ignoreCase }: RegExp): string {
  if (!ignoreCase) return source;
  return source.replace(/\[([^\]]*)\]/g, (_whole, set: string) => `[${set.replace(/a-z/, 'A-Za-z')}]`);
}

/** Body classes by name, those of routes besides; a name that two classes share is left out. */
export function bodyClasses(ofRoutes: readonly object[]): Map<string, object> {
  const storage = getMetadataStorage() as unknown as { validationMetadatas: Map<unknown, unknown> };
  const found = new Map<string, object>();
  const twice = new Set<string>();
  for (const target of new Set([...storage.validationMetadatas.keys(), ...ofEntities(), ...ofRoutes])) {
    if (typeof target !== 'function') continue;
    if (found.has(target.name)) twice.add(target.name);
    found.set(target.name, target);
  }
  for (const name of twice) found.delete(name);
  return found;
}

/** A copy of the schema of a body class with every bound that its rules enforce; what it says already stays. */
export function withBounds(schema: Schema, bodyClass: object): Schema {
  const rules = getMetadataStorage().getTargetValidationMetadatas(
    bodyClass as new () => object,
    '',
    true,
    false,
  ) as unknown as Rule[];
  const properties = { ...schema.properties };
  for (const { propertyName, name = '', constraints = [], each } of rules) {
    const given = properties[propertyName];
    if (!given) continue;
    const list = LIST_BOUNDS[name]?.(constraints);
    const own = BOUNDS[name]?.(constraints);
    if (list && isOf(given, 'array')) properties[propertyName] = { ...list, ...given };
    else if (own && !each && bindable(given, name)) properties[propertyName] = bound(own, given);
    else if (own && each && given.items && bindable(given.items, name))
      properties[propertyName] = { ...given, items: bound(own, given.items) };
  }
  return { ...schema, properties };
}

function bound(own: Schema, given: Schema): Schema {
  // The list of an enum may leave out null, which a nullable member takes as well.
  const { type, ...rest } = own;
  return { ...(given.type === undefined && type !== undefined ? { type } : {}), ...rest, ...given };
}

function bindable(schema: Schema, rule: string): boolean {
  if (schema.$ref || schema.oneOf || schema.anyOf || schema.allOf) return false;
  if (rule === 'isNotEmpty' || rule.endsWith('Length') || rule === 'matches') return isOf(schema, 'string');
  return rule !== 'isIn' || (!isOf(schema, 'null') && schema.enum === undefined);
}

function isOf(schema: Schema, type: string): boolean {
  return [schema.type].flat().includes(type);
}
