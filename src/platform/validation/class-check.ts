import type { Type } from '@nestjs/common';
import { getMetadataStorage, type ValidationArguments } from 'class-validator';
import { isRecord } from '../text/json';
import { ApiError, type ErrorDetail } from '../errors/api-error';
import { detailOf, type Failure, unknownMember } from './problems';

/** Problems that one answer tells; the search for more ends there. */
export const MAX_PROBLEMS = 100;

/** What is wrong with a value at a place of the body, added to `found`. */
export type Find = (value: unknown, field: string, found: ErrorDetail[]) => void;

/** One rule of a member: what a decorator of class-validator asks for. */
interface Rule {
  name: string;
  holds: (value: unknown, args: ValidationArguments) => boolean;
  /** Each entry of a list is asked, not the list. */
  each: boolean;
  constraints: readonly unknown[];
  words: (args: ValidationArguments) => string;
  context: unknown;
}

/** A member and its rules, which are asked while all of `when` hold; `within` looks further inside when they do. */
interface Member {
  name: string;
  when: ((object: unknown, value: unknown) => boolean)[];
  rules: Rule[];
  within: Find[];
}

/** What the decorators of a class say, read once. */
interface Plan {
  members: readonly Member[];
  known: ReadonlySet<string>;
}

/** Name of the rule that carries a {@link Find} as its first constraint. */
export const WITHIN = 'isWellFormed';

const plans = new WeakMap<Type<object>, Plan>();

/**
 * Finds what is wrong with an object by the class-validator decorators of a class: a detail for each wrong member, and one for each
 * that the class does not know. The decorators say what holds; they are read once per class and asked here, because
 * class-validator's own executor searches all classes again for every object (43 µs for three members, here 1).
 * Asynchronous rules and groups are not asked.
 */
export function findInClass(value: object, type: Type<object>, field: string, found: ErrorDetail[]): void {
  const { members, known } = planOf(type);
  for (const name of Object.keys(value)) {
    if (found.length >= MAX_PROBLEMS) return;
    if (!known.has(name)) found.push(unknownMember(pathOf(field, name), [...known]));
  }
  for (const member of members) {
    if (found.length >= MAX_PROBLEMS) return;
    findInMember(value as Record<string, unknown>, member, field, type.name, found);
  }
}

/** Names of the members that a class has. */
export function membersOf(type: Type<object>): ReadonlySet<string> {
  return planOf(type).known;
}

/** The most entries that the lists of a class may have, by member. */
export function mostEntriesOf(type: Type<object>): ReadonlyMap<string, number> {
  const bounds = planOf(type).members.map(({ name, rules }): [string, unknown] => [
    name,
    rules.find((rule) => rule.name === 'arrayMaxSize')?.constraints[0],
  ]);
  return new Map(bounds.filter((bound): bound is [string, number] => typeof bound[1] === 'number'));
}

/** `operations[0].op`; at the top, the name alone. */
export function pathOf(field: string, name: string): string {
  const shown = name.slice(0, 200);
  return field === '' ? shown : `${field}.${shown.slice(0, 64)}`;
}

function findInMember(
  object: Record<string, unknown>,
  { name, when, rules, within }: Member,
  field: string,
  targetName: string,
  found: ErrorDetail[],
): void {
  const value = object[name];
  if (!when.every((condition) => condition(object, value))) return;
  // What could not be read at all brings its own words.
  if (value instanceof ApiError) return void found.push(...(value.extras.details ?? []));
  let failures: Failure[] | undefined;
  for (const rule of rules) {
    const args = { value, object, property: name, targetName, constraints: rule.constraints as unknown[] };
    if (!holds(rule, value, args)) (failures ??= []).push({ ...rule, message: rule.words(args) });
  }
  if (failures) found.push(detailOf(pathOf(field, name), name, value, failures));
  else for (const find of within) find(value, pathOf(field, name), found);
}

function holds(rule: Rule, value: unknown, args: ValidationArguments): boolean {
  if (!rule.each || !Array.isArray(value)) return rule.holds(value, args);
  return value.every((entry) => rule.holds(entry, args));
}

function planOf(type: Type<object>): Plan {
  let plan = plans.get(type);
  if (!plan) plans.set(type, (plan = planned(type)));
  return plan;
}

function planned(type: Type<object>): Plan {
  const storage = getMetadataStorage();
  const members = new Map<string, Member>();
  for (const given of storage.getTargetValidationMetadatas(type, '', false, false)) {
    const { propertyName: name, each, message, validateIf } = given;
    const constraints = given.constraints as unknown[];
    const context: unknown = given.context;
    let member = members.get(name);
    if (!member) members.set(name, (member = { name, when: [], rules: [], within: [] }));
    if (given.type === 'conditionalValidation') member.when.push(constraints[0] as Member['when'][number]);
    if (given.type === 'nestedValidation') member.within.push(findInInstances);
    if (given.type !== 'customValidation' && given.type !== 'isDefined') continue;
    for (const { name: rule = '', instance, async } of storage.getTargetValidatorConstraints(given.constraintCls)) {
      if (async) continue;
      if (rule === WITHIN) member.within.push(constraints[0] as Find);
      else
        member.rules.push({
          name: rule,
          each,
          constraints,
          context,
          holds: (value, args) =>
            (validateIf && !validateIf(args.object, value)) || instance.validate(value, args) === true,
          words: (args) => {
            const own = typeof message === 'function' ? message(args) : message;
            return spelled(own || (instance.defaultMessage?.(args) ?? ''), args);
          },
        });
    }
  }
  return { members: [...members.values()], known: new Set(members.keys()) };
}

/** `@ValidateNested()`: what class-transformer made of a member, its entries by number (`parts.0.name`). */
const findInInstances: Find = (value, field, found) => {
  if (value === undefined) return;
  const list = Array.isArray(value) ? (value as unknown[]).map((entry, index) => [entry, `${field}.${index}`]) : null;
  for (const [entry, path] of (list ?? [[value, field]]) as [unknown, string][]) {
    if (isRecord(entry)) findInClass(entry, entry.constructor as Type<object>, path, found);
    else found.push({ field: path, code: 'type', message: `${path} must be an object` });
  }
};

/** The words of class-validator with what they stand for. */
function spelled(text: string, { property, value, constraints, targetName }: ValidationArguments): string {
  return text.replace(/\$(property|value|target|constraint(\d+))/g, (_whole, name: string, place?: string) => {
    if (place !== undefined) return [constraints[Number(place) - 1]].flat().join(', ');
    return name === 'property' ? property : name === 'target' ? targetName : String(value);
  });
}
