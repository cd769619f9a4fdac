import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { ApiError, type ErrorDetail } from '../errors/api-error';
import { findInClass, membersOf, mostEntriesOf } from '../validation/class-check';
import { unknownMember } from '../validation/problems';
import { shapedMembers } from '../validation/shapes';

/** What a body class accepts, worked out once per class. */
interface BodyShape {
  known: ReadonlySet<string>;
  required: readonly string[];
  /** Nested JSON that is taken as it is: class-transformer would copy it before anything is known about its size. */
  shaped: ReadonlySet<string>;
  /** The most entries of lists; longer ones are not handed to class-transformer either. */
  most: ReadonlyMap<string, number>;
  /** Fields that a client may send back unchanged but not set. */
  readOnly: ReadonlySet<string>;
}

const PRIMITIVES: readonly unknown[] = [Object, String, Number, Boolean, Array, Buffer, undefined];

const echoes = new WeakMap<object, Record<string, unknown>>();

/** The read-only fields that came with a body; the service compares them with the stored record (422 `immutable`). */
export function echoedFields(body: object): Readonly<Record<string, unknown>> {
  return echoes.get(body) ?? {};
}

/**
 * Turns a request body into its class, or answers 422: `error.missing` names absent required fields, also those inside of others
 * (`items[0].description`), `error.details` everything that is wrong. What the class documents as required (`@ApiProperty`) is required; a field without any
 * validator is unknown. A class of query parameters is read likewise (`query/members.ts`); which parameters there are has
 * been checked by then. What is neither passes untouched.
 */
export class ValidationPipe implements PipeTransform {
  private readonly shapes = new Map<unknown, BodyShape>();

  constructor(private readonly readOnlyFieldsOf: (bodyClass: object) => ReadonlySet<string>) {}

  transform(value: unknown, { type, metatype, data }: ArgumentMetadata): unknown {
    if (data !== undefined || PRIMITIVES.includes(metatype)) return value;
    if (type === 'body') return this.validate(value ?? {}, metatype as Type<object>);
    return type === 'query' ? this.validateQuery(value as object, metatype as Type<object>) : value;
  }

  /** Reads the parameters that the class has; others are those of every list or record. */
  private validateQuery<T extends object>(value: object, queryClass: Type<T>): T {
    const { known } = this.shapeOf(queryClass);
    const given = Object.fromEntries(Object.entries(value).filter(([name]) => known.has(name)));
    const query = plainToInstance(queryClass, given);
    const details = problemsOf(query, queryClass);
    if (details.length > 0) throw refusal(details, []);
    return query;
  }

  /** Validates `value` (already an object) as `bodyClass`; for bodies inside bodies, such as batch operations. */
  validate<T extends object>(value: object, bodyClass: Type<T>): T {
    const shape = this.shapeOf(bodyClass);
    const fields: Record<string, unknown> = {};
    const raw: Record<string, unknown> = {};
    const echoed: Record<string, unknown> = {};
    const details: ErrorDetail[] = [];
    for (const [name, content] of Object.entries(value)) {
      if (shape.shaped.has(name) || isTooLong(content, shape.most.get(name))) raw[name] = content;
      else if (shape.known.has(name)) fields[name] = content;
      else if (shape.readOnly.has(name)) echoed[name] = content;
      else details.push(unknownMember(name.slice(0, 200), [...shape.known]));
    }
    const missing = shape.required.filter((name) => fields[name] === undefined && raw[name] === undefined);
    for (const name of missing) details.push({ field: name, code: 'required', message: `${name} is required` });
    const body = Object.assign(plainToInstance(bodyClass, fields), raw);
    for (const problem of problemsOf(body, bodyClass)) {
      if (!missing.includes(problem.field)) details.push(problem);
      if (problem.code === 'required' && !missing.includes(problem.field)) missing.push(problem.field);
    }
    if (details.length > 0) throw refusal(details, missing);
    echoes.set(body, echoed);
    return body;
  }

  private shapeOf(bodyClass: Type<object>): BodyShape {
    let shape = this.shapes.get(bodyClass);
    if (!shape) {
      const known = membersOf(bodyClass);
      shape = {
        known,
        required: documentedAsRequired(bodyClass, known),
        shaped: shapedMembers(bodyClass),
        most: mostEntriesOf(bodyClass),
        readOnly: this.readOnlyFieldsOf(bodyClass),
      };
      this.shapes.set(bodyClass, shape);
    }
    return shape;
  }
}

/** The metadata of `@ApiProperty()`, so that the OpenAPI document and the checks cannot drift apart. */
function documentedAsRequired(bodyClass: Type<object>, known: ReadonlySet<string>): string[] {
  const prototype = bodyClass.prototype as object;
  const names = ((Reflect.getMetadata('swagger/apiModelPropertiesArray', prototype) ?? []) as string[]).map((name) =>
    name.slice(1),
  );
  return names.filter((name) => {
    const options = Reflect.getMetadata('swagger/apiModelProperties', prototype, name) as {
      required?: boolean;
      readOnly?: boolean;
    };
    return known.has(name) && options.required === true && options.readOnly !== true;
  });
}

function isTooLong(content: unknown, most = Infinity): boolean {
  return Array.isArray(content) && content.length > most;
}

function problemsOf(value: object, type: Type<object>): ErrorDetail[] {
  const found: ErrorDetail[] = [];
  findInClass(value, type, '', found);
  return found;
}

function refusal(details: readonly ErrorDetail[], missing: readonly string[]): ApiError {
  const [first] = details;
  const text =
    missing.length === details.length && missing.length > 1
      ? `Required fields are missing: ${missing.join(', ')}.`
      : details.length === 1 && first
        ? first.message.replace(/\.?$/, '.')
        : `The request has ${details.length} problems; see details.`;
  return new ApiError('validation_error', text, { missing, details });
}
