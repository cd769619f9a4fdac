import { sqlState, violatedConstraint } from '../database/database-errors';
import { ApiError } from '../errors/api-error';
import type { Resource } from './resource';

/**
 * The 422 behind a violated constraint, by the naming rule of the migrations: `uq_<table>_<column>` is a duplicate,
 * `fk_<table>_<column>` a reference to nothing (or, from another table, a record still in use). Anything else passes.
 */
export function constraintError(error: unknown, resource: Resource): unknown {
  const state = sqlState(error);
  const constraint = violatedConstraint(error) ?? '';
  const own = (prefix: string): string | null =>
    constraint.startsWith(`${prefix}_${resource.table}_`)
      ? constraint.slice(`${prefix}_${resource.table}_`.length)
      : null;
  if (state === '23505') {
    const field = own('uq');
    if (field !== null)
      return problem(
        field,
        'duplicate',
        `Another ${resource.singular.replaceAll('_', ' ')} already has this ${field}.`,
      );
  }
  // 23001 is what PostgreSQL 18 says of ON DELETE RESTRICT.
  if (state === '23503' || state === '23001') {
    const field = own('fk');
    if (field !== null) return problem(field, 'not_found', `"${field}" names a record that does not exist.`);
    return problem('id', 'in_use', `The ${resource.singular.replaceAll('_', ' ')} is still in use by other records.`);
  }
  if (state === '23514') {
    const field = own('ck');
    if (field !== null) return problem(field, 'invalid', `"${field}" has a value that is not possible here.`);
  }
  return error;
}

function problem(field: string, code: string, message: string): ApiError {
  return new ApiError('validation_error', message, { details: [{ field, code, message }] });
}
