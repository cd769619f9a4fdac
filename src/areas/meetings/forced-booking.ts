import { type Context, current } from '../../platform/context/current';
import { fail } from '../../platform/errors/api-error';

const forcing = new WeakSet<Context>();

/**
 * Notes that this request insists (`?force=true`): the time is taken although it is not free.
 *
 * @throws ApiError 403 unless the token has the scope `*` or is an admin's
 */
export function readForce(force = false): void {
  if (!force) return;
  const principal = current().principal;
  const isAdmin = principal?.user?.role === 'owner' || principal?.user?.role === 'admin';
  if (!isAdmin && !principal?.permissions.isFull)
    fail('insufficient_scope', 'Only admins and tokens with the scope * may use "force".');
  forcing.add(current());
}

/** Whether this request insists. */
export function isForced(): boolean {
  return forcing.has(current());
}
