import { type Context, current } from '../../platform/context/current';
import { refuse } from '../../platform/context/demand';

const forcing = new WeakSet<Context>();

/**
 * Notes that this request insists (`?force=true`): the time is taken although it is not free.
 *
 * @throws ApiError 403 unless the token has the scope `*` or is an admin's
 */
export function readForce(force = false): void {
  if (!force) return;
  const principal = current().principal;
  const { user, permissions } = principal ?? {};
  if (!(user ? permissions?.allows('meetings.force') : permissions?.isFull))
    refuse('"force" is for who has the permission "meetings.force", and for tokens with the scope *.', {
      field: 'force',
      code: 'permission',
      permission: 'meetings.force',
    });
  forcing.add(current());
}

/** Whether this request insists. */
export function isForced(): boolean {
  return forcing.has(current());
}
