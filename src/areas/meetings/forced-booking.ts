import { type Context, current } from '../../platform/context/current';
import { fail, invalid } from '../../platform/http/errors';
import type { RawQuery } from '../../platform/resource/list-query';

const forcing = new WeakSet<Context>();

/**
 * Notes that this request insists (`?force=true`): the time is taken although it is not free.
 *
 * @throws ApiError 422 when it is neither true nor false; 403 unless the token has the scope `*` or is an admin's
 */
export function readForce({ force }: RawQuery): void {
  if (force === undefined || force === 'false') return;
  if (force !== 'true') invalid('force', 'enum', '"force" must be true or false.', { allowed: ['true', 'false'] });
  const access = current().access;
  const isAdmin = access?.user?.role === 'owner' || access?.user?.role === 'admin';
  if (!isAdmin && !access?.token.scopes.includes('*'))
    fail('insufficient_scope', 'Only admins and tokens with the scope * may use "force".');
  forcing.add(current());
}

/** Whether this request insists. */
export function isForced(): boolean {
  return forcing.has(current());
}
