import { ApiError } from '../errors/api-error';

interface DriverError {
  code?: string;
  constraint?: string;
  message?: string;
  /** Of errors of the operating system. */
  syscall?: string;
  driverError?: DriverError;
}

const CONNECTION = /^(08|57P|53300|ECONN|EPIPE|ENOTFOUND|ETIMEDOUT)/;

/**
 * A record that nobody asked for by its id (the contact of an address, the company of a contact) was there when the service looked, and is
 * gone now that it is to be named. Whoever looks again finds another one, or none.
 */
export class ChosenGone extends ApiError {}

/** Deadlocks, serialisation failures and what was chosen and is gone: running the whole unit of work again is safe and likely to succeed. */
export function isRetryable(error: unknown): boolean {
  if (error instanceof ChosenGone) return true;
  const { code } = unwrap(error);
  return code === '40001' || code === '40P01';
}

/** Whether the same may succeed in a moment: a lock or a statement that took too long, a deadlock, a connection lost or not to be had, `ChosenGone`. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ChosenGone) return true;
  const told = toApiError(error);
  return told instanceof ApiError && told.type === 'service_unavailable';
}

/** SQLSTATE of a driver error, also when TypeORM wrapped it. */
export function sqlState(error: unknown): string | undefined {
  return unwrap(error).code;
}

/** Name of the violated constraint, if any. */
export function violatedConstraint(error: unknown): string | undefined {
  return unwrap(error).constraint;
}

/** Driver errors that mean "not now" become 503; everything else passes unchanged. */
export function toApiError(error: unknown): Error {
  if (error instanceof ApiError) return error;
  const { code, message, syscall } = unwrap(error);
  if (
    syscall === 'connect' ||
    CONNECTION.test(code ?? '') ||
    /timeout exceeded when trying to connect|Connection terminated|not queryable/.test(message ?? '')
  ) {
    return unavailable('The database is not reachable right now; try again.');
  }
  if (code === '57014') return unavailable('The request took too long; narrow it down or try again.');
  if (code === '55P03') return unavailable('The record is locked by another request; try again.');
  if (isRetryable(error)) return unavailable('Too many requests changed the same records at once; try again.');
  return error as Error;
}

function unavailable(message: string): ApiError {
  return new ApiError('service_unavailable', message, { headers: { 'Retry-After': '1' } });
}

function unwrap(error: unknown): DriverError {
  const outer = error as DriverError;
  return outer.driverError ?? outer;
}

/** The error, when it leaves the connection unusable: lost, or ended by the server (classes 08 and 57P). */
export function connectionLost(error: unknown): Error | undefined {
  if (!(error instanceof Error) || error instanceof ApiError) return undefined;
  const { code } = error as { code?: string };
  const isSqlState = code !== undefined && /^[0-9A-Z]{5}$/.test(code);
  const isLost = isSqlState
    ? code.startsWith('08') || code.startsWith('57P')
    : /connection|terminat|socket|ECONN|EPIPE/i.test(`${code ?? ''} ${error.message}`);
  return isLost ? error : undefined;
}
