/**
 * JSON inside of bodies: one declaration is what is checked and what the OpenAPI document says.
 *
 * A shape is an object of a class, a list, or one of several classes as a member of theirs tells; whatever else is an object with
 * `find` and `api`. The classes are ordinary ones, with class-validator's decorators and `@ApiProperty()`; bounds of their
 * members get into the document from there (`openapi/bounds.ts`).
 *
 *     export class Step {
 *       @Choice(METRICS)
 *       metric: Metric;
 *
 *       @ApiProperty({ type: 'integer', required: true })
 *       @IsInt()
 *       @Min(1)
 *       minutes: number;
 *
 *       @Shaped(listOf(oneOf('StepAction', 'type', () => [Assign, Notify]), { min: 1, max: 20 }))
 *       actions: (Assign | Notify)[];
 *
 *       @Shaped(objectOf(Window), { optional: true })
 *       window?: Window;
 *     }
 *
 * Members of an entity say `JsonColumn({ shape: listOf(objectOf(Step), { max: 10 }) })`. A service that checks a value itself calls
 * `problemsIn(shape, value, 'actions')`.
 *
 * - Values stay what JSON made of them: no copies, no instances, no transforms. A class is their type, not their prototype.
 * - A list is measured before anything in it is looked at, and the search ends at {@link MAX_PROBLEMS} problems. How deep
 *   and large a body is has been bounded before (`http/json-body.ts`), so shapes may be recursive.
 * - A member that the class does not have is an `unknown_field`, as it is in the body itself; paths are `steps[0].metric`.
 */
import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions, getSchemaPath } from '@nestjs/swagger';
import { getMetadataStorage, IsIn, ValidateBy, ValidateIf } from 'class-validator';
import { isRecord } from '../text/json';
import { type Find, findInClass, MAX_PROBLEMS, WITHIN } from './class-check';
import type { ErrorDetail } from '../errors/api-error';
import { presenceOf } from './presence';
import { absentMember } from './problems';

/** What a value must be. */
export interface Shape {
  /** Adds what is wrong to `found`; what its bounds refuse, it does not look into. */
  find: Find;
  /** The schema of the OpenAPI document. */
  api: Record<string, unknown>;
}

export interface ListBounds {
  min?: number;
  max: number;
  /** Plural of what is listed, for messages. */
  of?: string;
  /** One code for whatever is wrong with the list itself, in place of `type`, `min` and `max`. */
  code?: string;
}

export interface ShapedSettings {
  description?: string;
  example?: unknown;
  /** It may be absent. */
  optional?: boolean;
  /** It may be null. */
  nullable?: boolean;
}

const models: (() => readonly Type<object>[])[] = [];
const unions = new Map<string, () => object>();

/** Every class of a shape, for the components of the OpenAPI document. */
export function shapeModels(): Type<object>[] {
  return [...new Set(models.flatMap((of) => of()))];
}

/** What each union is in the OpenAPI document, by its name. */
export function shapeSchemas(): Record<string, object> {
  return Object.fromEntries([...unions].map(([name, schema]) => [name, schema()]));
}

/** What is wrong with a value; `field` is where it stands in the body. */
export function problemsIn(shape: Shape, value: unknown, field: string): ErrorDetail[] {
  const found: ErrorDetail[] = [];
  shape.find(value, field, found);
  return found;
}

/** An object of a class; a component of the document. */
export function objectOf(type: Type<object>): Shape {
  models.push(() => [type]);
  return { find: recordOf(() => type), api: refersTo(type) };
}

/** A list. @param bounds how many entries it may have */
export function listOf(item: Shape, { min = 0, max, of = 'entries', code }: ListBounds): Shape {
  return {
    api: { type: 'array', ...(min > 0 ? { minItems: min } : {}), maxItems: max, items: item.api },
    find: (value, field, found) => {
      const wrong = measured(value, min, max, of);
      if (wrong) found.push({ field, ...wrong, code: code ?? wrong.code, message: `${field} must ${wrong.message}` });
      if (wrong || !Array.isArray(value)) return;
      for (let index = 0; index < value.length && found.length < MAX_PROBLEMS; index++)
        item.find(value[index], `${field}[${index}]`, found);
    },
  };
}

/** What is wrong with a list before its entries are looked at. */
function measured(
  value: unknown,
  min: number,
  max: number,
  of: string,
): { code: string; message: string; min?: number; max?: number } | null {
  if (!Array.isArray(value)) return { code: 'type', message: `be a list of ${of}` };
  if (value.length < min) return { code: 'min', message: `have at least ${min} ${of}`, min };
  return value.length > max ? { code: 'max', message: `have at most ${max} ${of}`, max } : null;
}

/**
 * An object of one of several classes; a component `name` of the document.
 *
 * @param by member that tells which: each class has the values it stands for in its `@Choice()`
 * @param types asked when they are first needed
 * @param combine keyword of the document; `discriminator` is `oneOf` with a discriminator
 */
export function oneOf(
  name: string,
  by: string,
  types: () => readonly Type<object>[],
  combine: 'discriminator' | 'oneOf' | 'anyOf' = 'discriminator',
): Shape {
  let kinds: ReadonlyMap<unknown, Type<object>> | undefined;
  const known = (): ReadonlyMap<unknown, Type<object>> =>
    (kinds ??= new Map(types().flatMap((type) => valuesOf(type, by).map((value) => [value, type] as const))));
  models.push(types);
  if (unions.has(name)) throw new Error(`The shape "${name}" is declared twice.`);
  unions.set(name, () => {
    const mapping = Object.fromEntries([...known()].map(([value, type]) => [String(value), getSchemaPath(type)]));
    const any = types().map((type) => ({ $ref: getSchemaPath(type) }));
    const told = combine === 'discriminator' ? { discriminator: { propertyName: by, mapping } } : {};
    return { [combine === 'anyOf' ? combine : 'oneOf']: any, ...told };
  });
  return {
    api: refersTo(name),
    find: recordOf((value, field, found) => {
      const type = known().get(value[by]);
      if (type) return type;
      const allowed = [...known().keys()].map(String);
      const code = value[by] === undefined ? 'required' : 'enum';
      const message = `${field}.${by} must be one of ${allowed.join(', ')}`;
      found.push({ field: `${field}.${by}`, code, message, allowed });
      return null;
    }),
  };
}

/** The member has this shape. */
export function Shaped(shape: Shape, settings: ShapedSettings = {}): PropertyDecorator {
  const { optional = false, nullable = false, ...words } = settings;
  return (prototype, key) => {
    if (optional || nullable)
      ValidateIf((_, value) => !(optional && value === undefined) && !(nullable && value === null))(prototype, key);
    IsShaped(shape)(prototype, key);
    const api = { ...shape.api, ...words, ...(nullable ? { nullable } : {}), ...presenceOf(shape.api, !optional) };
    ApiProperty(api as ApiPropertyOptions)(prototype, key);
  };
}

/** The member is one of a closed list of texts; of a kind ({@link oneOf}), those that it stands for. */
export function Choice(
  values: readonly string[],
  words: { description?: string; example?: string } = {},
): PropertyDecorator {
  return (prototype, key) => {
    IsIn(values)(prototype, key);
    ApiProperty({ type: 'string', enum: [...values], required: true, ...words })(prototype, key);
  };
}

/** The member may be absent; null is a value like others. */
export const IfGiven = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** The member may be absent or null. */
export const IfPresent = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined && value !== null);

/** The rule alone, for members that are documented otherwise. */
export function IsShaped(shape: Shape): PropertyDecorator {
  return ValidateBy({
    name: WITHIN,
    constraints: [
      (value: unknown, field: string, found: ErrorDetail[]) => {
        if (value === undefined) found.push(absentMember(field));
        else shape.find(value, field, found);
      },
    ],
    validator: { validate: (value) => problemsIn(shape, value, '').length === 0 },
  });
}

/** The rule told as one problem of the member itself, code `format`, in the words of the first that is found. */
export function IsShapedAsOne(shape: Shape): PropertyDecorator {
  return ValidateBy({
    name: AS_ONE,
    validator: {
      validate: (value) => problemsIn(shape, value, '').length === 0,
      defaultMessage: (args) => problemsIn(shape, args?.value, args?.property ?? '')[0]?.message ?? '',
    },
  });
}

const AS_ONE = 'isShapedAsOne';

/** Names of the members of a class that have a shape: their values are taken as they are. */
export function shapedMembers(type: Type<object>): ReadonlySet<string> {
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  return new Set(
    rules.filter(({ name = '' }) => name === WITHIN || name === AS_ONE).map(({ propertyName }) => propertyName),
  );
}

function refersTo(type: string | Type<object>): Record<string, unknown> {
  return { allOf: [{ $ref: getSchemaPath(type) }] };
}

/** Finds in a value that is an object what is wrong by a class. */
function recordOf(
  choose: (value: Record<string, unknown>, field: string, found: ErrorDetail[]) => Type<object> | null,
): Find {
  return (value, field, found) => {
    if (!isRecord(value)) found.push({ field, code: 'type', message: `${field} must be an object` });
    else {
      const type = choose(value, field, found);
      if (type) findInClass(value, type, field, found);
    }
  };
}

/** The values that a class takes in the member that tells it from others. */
function valuesOf(type: Type<object>, by: string): readonly unknown[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const list = rules.find((rule) => rule.propertyName === by && rule.name === 'isIn')?.constraints[0] as unknown;
  if (!Array.isArray(list)) throw new Error(`${type.name}.${by} has no @Choice() that tells which it is.`);
  return list as unknown[];
}
