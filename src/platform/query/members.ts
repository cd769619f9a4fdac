import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { type WindowEdge, windowEdge } from '../calendar/date-window';
import { current } from '../context/current';
import { ApiError, invalid } from '../errors/api-error';
import { flag, idOf, idOr, momentSchema, type Parse, type ParameterSchema, wholeNumber } from './values';
import { isLonger } from '../text/normalise';

/** What every decorator of a query parameter takes. */
export interface ParameterSettings {
  description: string;
  required?: boolean;
}

/**
 * A parameter of a class for `@Query()`: its text becomes what `parse` answers, and what `parse` throws becomes a detail of
 * the 422. What it documents is what the route declares: another parameter is refused.
 *
 * @param schema of the OpenAPI document; the list of an array is comma-separated
 */
export function QueryParameter(
  { description, required = false }: ParameterSettings,
  schema: ParameterSchema,
  parse: Parse<unknown>,
): PropertyDecorator {
  const api = {
    type: String,
    required,
    description,
    schema,
    ...(schema.type === 'array' ? { explode: false } : {}),
  };
  return (prototype, key) => {
    Transform(({ value }: { value: unknown }) => readOrRefusal(() => parse(String(value), String(key))))(
      prototype,
      key,
    );
    ValidateBy({ name: 'isParameter', validator: { validate: (value) => !(value instanceof ApiError) } })(
      prototype,
      key,
    );
    ApiProperty(api)(prototype, key);
  };
}

/** Any text of so many characters. */
export function TextParameter(settings: ParameterSettings & { max?: number }): PropertyDecorator {
  const { max = Infinity } = settings;
  const schema = Number.isFinite(max) ? { type: 'string', maxLength: max } : { type: 'string' };
  return QueryParameter(settings, schema, (raw, name) =>
    isLonger(raw, max) ? invalid(name, 'max', `"${name}" has at most ${max} characters.`, { max }) : raw,
  );
}

/** A whole number within bounds. */
export function NumberParameter(
  settings: ParameterSettings & { min: number; max: number; default?: number },
): PropertyDecorator {
  const { min, max, default: fallback } = settings;
  const schema = { type: 'integer', minimum: min, maximum: max };
  return QueryParameter(
    settings,
    fallback === undefined ? schema : { ...schema, default: fallback },
    wholeNumber(min, max),
  );
}

/** `true` or `false`. */
export function FlagParameter(settings: ParameterSettings): PropertyDecorator {
  return QueryParameter(settings, { type: 'boolean' }, flag);
}

/**
 * The id of a record, as a number.
 *
 * @param settings.names the record, for messages: `a user`
 * @param settings.none `none` may be said, too: it is read as null
 * @param settings.words what else may be said: it is read as it is
 */
export function IdParameter(
  settings: ParameterSettings & { names?: string; none?: boolean; words?: readonly string[] },
): PropertyDecorator {
  const { names, none = false, words = [] } = settings;
  const said = none ? ['none', ...words] : words;
  const demand = [names === undefined ? 'an id' : `the id of ${names}`, ...said].join(', or ');
  return QueryParameter(settings, idOr(said), (raw, name) => {
    if (none && raw === 'none') return null;
    return words.find((word) => word === raw) ?? idOf(raw) ?? invalid(name, 'type', `"${name}" must be ${demand}.`);
  });
}

/** An end of a window of time (`date-window.ts`), in ms since 1970. */
export function WindowParameter(edge: WindowEdge, settings: ParameterSettings): PropertyDecorator {
  return QueryParameter(settings, momentSchema, (raw) => windowEdge(edge, raw) ?? undefined);
}

/** The same, its dates being days of the workspace's time zone. */
export function LocalWindowParameter(edge: WindowEdge, settings: ParameterSettings): PropertyDecorator {
  return QueryParameter(settings, momentSchema, (raw) => {
    const zone = current().principal?.workspace?.timezone;
    return windowEdge(edge, raw, zone) ?? undefined;
  });
}

/** What is read, or the refusal, for the validator to find. */
function readOrRefusal(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
