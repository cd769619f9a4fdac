import { parseMoment } from '../time/iso-time';
import { current } from '../context/current';
import { invalid } from '../errors/api-error';

/** JSON schema of a query parameter. */
export type ParameterSchema = Record<string, unknown>;

/** Reads the text of a parameter (or of one item of a list), or throws the 422 that names it. */
export type Parse<T> = (raw: string, name: string) => T;

/** Most values of a comma-separated parameter. */
export const MAX_VALUES = 100;

const ID = /^[1-9]\d{0,15}$/;

/** A whole number within bounds. */
export function wholeNumber(min: number, max: number): Parse<number> {
  return (raw, name) => {
    if (!/^\d{1,16}$/.test(raw)) invalid(name, 'type', `"${name}" must be a whole number from ${min} to ${max}.`);
    const value = Number(raw);
    if (value < min) invalid(name, 'min', `"${name}" must be at least ${min}.`, { min });
    if (value > max) invalid(name, 'max', `"${name}" must be at most ${max}.`, { max });
    return value;
  };
}

/** Any whole number that JSON carries exactly. */
export function integer(raw: string, name: string): number {
  const number = Number(raw);
  if (!/^-?\d{1,16}$/.test(raw) || !Number.isSafeInteger(number)) {
    invalid(name, 'type', `"${name}" must be a whole number.`);
  }
  return number;
}

/** A decimal number, as text: the database reads it exactly. */
export function decimal(raw: string, name: string): string {
  if (!/^-?\d{1,15}(\.\d{1,6})?$/.test(raw)) invalid(name, 'type', `"${name}" must be a number such as 12 or 12.5.`);
  return raw;
}

/** `true` or `false`. */
export function flag(raw: string, name: string): boolean {
  if (raw !== 'true' && raw !== 'false')
    invalid(name, 'enum', `"${name}" must be true or false.`, { allowed: ['true', 'false'] });
  return raw === 'true';
}

/** One of a closed list. */
export function oneOf<T extends string>(allowed: readonly T[]): Parse<T> {
  return (raw, name) =>
    allowed.find((value) => value === raw) ??
    invalid(name, 'enum', `"${name}" must be one of ${allowed.join(', ')}.`, { allowed });
}

/** The id of a record, safe as a number; null when the text is none. */
export function idOf(raw: string): number | null {
  const id = ID.test(raw) ? Number(raw) : NaN;
  return Number.isSafeInteger(id) ? id : null;
}

/** The id of a record; what can be none is refused, not looked for. */
export function recordId(raw: string, name: string): number {
  const id = integer(raw, name);
  return id < 1 ? invalid(name, 'min', `"${name}" must be an id: 1 or more.`, { min: 1 }) : id;
}

/** The user of the token, for `me`; 422 when it belongs to none. */
export function me(name: string): number {
  const user = current().principal?.userId ?? null;
  return user ?? invalid(name, 'not_found', `"${name}=me" needs a token that belongs to a user.`);
}

/** An ISO 8601 timestamp with a zone, or a day, which is its first moment in UTC. */
export function moment(raw: string, name: string): Date {
  return parseMoment(raw) ?? invalid(name, 'format', `"${name}" must be an ISO 8601 date or timestamp with a zone.`);
}

/** Comma-separated values; spaces around them count for nothing. */
export function items(raw: string): string[] {
  return raw.split(',').map((item) => item.trim());
}

/** Schema of a comma-separated list of such values. */
export function several(schema: ParameterSchema): ParameterSchema {
  return { type: 'array', minItems: 1, maxItems: MAX_VALUES, items: schema };
}

/** Schema of an id, or of one of some words. */
export function idOr(words: readonly string[]): ParameterSchema {
  const id = { type: 'integer', format: 'int64', minimum: 1 };
  return words.length === 0 ? id : { anyOf: [id, { type: 'string', enum: [...words] }] };
}

/** Schema of a date or a moment. */
export const momentSchema = {
  anyOf: [
    { type: 'string' as const, format: 'date-time' },
    { type: 'string' as const, format: 'date' },
  ],
};
