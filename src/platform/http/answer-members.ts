import { applyDecorators, type Type } from '@nestjs/common';
import {
  ApiExtension,
  ApiExtraModels,
  ApiProperty,
  type ApiPropertyOptions,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { presenceOf } from '../validation/presence';
import { etag } from './openapi-components';
import { ERRORS_EXTENSION, type NamedError } from './openapi-operations';
import { TABLE_TYPES } from './table/table-format';

/** What every member of an answer may say about itself. */
export interface MemberSettings {
  description?: string;
  example?: unknown;
  /** It may be null. */
  nullable?: boolean;
  /** `false`: it may be absent. */
  required?: boolean;
}

/**
 * The members of answers that are no records of a resource (those have columns): a class is what the service answers and what
 * the OpenAPI document says of it. Members are always there unless they say otherwise.
 */
function member(schema: Record<string, unknown>, { required = true, ...settings }: MemberSettings): PropertyDecorator {
  return ApiProperty({ ...schema, ...settings, ...presenceOf(schema, required) } as ApiPropertyOptions);
}

export const TextMember = (settings: MemberSettings & { format?: string } = {}): PropertyDecorator =>
  member({ type: 'string' }, settings);

export const IntegerMember = (
  settings: MemberSettings & { format?: string; minimum?: number } = {},
): PropertyDecorator => member({ type: 'integer' }, settings);

/** The id of a record. */
export const IdMember = (settings: MemberSettings = {}): PropertyDecorator =>
  member({ type: 'integer', format: 'int64' }, settings);

export const NumberMember = (
  settings: MemberSettings & { minimum?: number; maximum?: number } = {},
): PropertyDecorator => member({ type: 'number' }, settings);

export const FlagMember = (settings: MemberSettings = {}): PropertyDecorator => member({ type: 'boolean' }, settings);

/** ISO 8601, UTC. */
export const MomentMember = (settings: MemberSettings = {}): PropertyDecorator =>
  member({ type: 'string', format: 'date-time' }, settings);

export const EnumMember = (values: readonly string[], settings: MemberSettings = {}): PropertyDecorator =>
  member({ type: 'string', enum: [...values] }, settings);

/** Whatever the schema says, for what has no class: lists of values, objects with any members. */
export const AnyMember = (schema: Record<string, unknown>, settings: MemberSettings = {}): PropertyDecorator =>
  member(schema, settings);

/** An object of another class; the function must be called `type` for `@ApiProperty` to call it, hence the arrow. */
export const ObjectMember = (of: () => Type, settings: MemberSettings = {}): PropertyDecorator =>
  member({ type: () => of() }, settings);

/** A list of objects of another class. */
export const ListMember = (of: () => Type, settings: MemberSettings = {}): PropertyDecorator =>
  member({ type: () => of(), isArray: true }, settings);

/** An object with a count, from 0, for each of these names. */
export function CountsMember(names: readonly (string | number)[], description: string): PropertyDecorator {
  const count = { type: 'integer', minimum: 0 };
  const keys = names.map(String);
  const properties = Object.fromEntries(keys.map((name) => [name, count]));
  return member({ type: 'object', required: keys, properties }, { description });
}

/** Schema of the envelope of one answer that is no record. */
export function dataOf(answer: Type, example?: object): Record<string, unknown> {
  const data = { $ref: getSchemaPath(answer) };
  return {
    type: 'object',
    required: ['data'],
    properties: { data },
    ...(example ? { example: { data: example } } : {}),
  };
}

/**
 * The success of a route that answers an object of this class in the envelope.
 *
 * @param settings.versioned it has a version, which its ETag tells whatever the method
 */
export function AnswerOf(
  answer: Type,
  settings: { description: string; status?: number; example?: object; versioned?: boolean },
): MethodDecorator {
  const { description, status = 200, example, versioned = false } = settings;
  const headers = versioned ? { headers: etag } : {};
  return applyDecorators(
    ApiExtraModels(answer),
    ApiResponse({ status, description, schema: dataOf(answer, example), ...headers }),
  );
}

/** Errors of a route that its method and path do not tell: 404 without an id in the path, 409 of what is no POST. */
export const AlsoAnswers = (...statuses: NamedError[]): MethodDecorator => ApiExtension(ERRORS_EXTENSION, statuses);

/** The same of an object whose rows may be had as a table (`TabularResult`). */
export function TabularAnswerOf(answer: Type, { description }: { description: string }): MethodDecorator {
  const table = { schema: { $ref: getSchemaPath('Table') } };
  const tables = Object.fromEntries(Object.values(TABLE_TYPES).map((type) => [type, table]));
  const content = { 'application/json': { schema: dataOf(answer) }, ...tables };
  return applyDecorators(ApiExtraModels(answer), ApiResponse({ status: 200, description, content }));
}
