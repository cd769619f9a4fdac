import { ChosenGone, sqlState, violatedConstraint } from './database-errors';
import { ApiError } from '../errors/api-error';

const composed = new WeakSet<object>();

/** Says that the service made a body of what it found: whatever it names was chosen (`ChosenGone`). It knows the object, not what is in it. */
export function composedHere<B extends object>(body: B): B {
  composed.add(body);
  return body;
}

/**
 * The 422 behind a violated constraint, by the naming rule of the migrations: `uq_<table>_<column>` is a duplicate,
 * `fk_<table>_<column>` a reference to nothing (or, from another table, a record still in use). Anything else passes.
 *
 * @param asked the body of the request, where there is one: a reference that it does not name was chosen by the service
 */
export function constraintError(
  error: unknown,
  { table, singular }: { table: string; singular: string },
  asked?: object,
): unknown {
  const state = sqlState(error);
  const constraint = violatedConstraint(error) ?? '';
  const own = (prefix: string): string | null =>
    constraint.startsWith(`${prefix}_${table}_`) ? constraint.slice(`${prefix}_${table}_`.length) : null;
  if (state === '23505') {
    const field = own('uq');
    if (field !== null)
      return problem(field, 'duplicate', `Another ${singular.replaceAll('_', ' ')} already has this ${field}.`);
  }
  // 23001 is what PostgreSQL 18 says of ON DELETE RESTRICT.
  if (state === '23503' || state === '23001') {
    const field = own('fk');
    if (field !== null) return nothingThere(field, asked);
    return problem('id', 'in_use', `The ${singular.replaceAll('_', ' ')} is still in use by other records.`);
  }
  if (state === '23514') {
    const field = own('ck');
    if (field !== null) return problem(field, 'invalid', `"${field}" has a value that is not possible here.`);
  }
  return error;
}

function nothingThere(field: string, asked?: object): ApiError {
  const told = problem(field, 'not_found', `"${field}" names a record that does not exist.`);
  const isChosen =
    asked !== undefined && (composed.has(asked) || (asked as Record<string, unknown>)[field] === undefined);
  return isChosen ? new ChosenGone(told.type, told.message, told.extras) : told;
}

function problem(field: string, code: string, message: string): ApiError {
  return new ApiError('validation_error', message, { details: [{ field, code, message }] });
}
