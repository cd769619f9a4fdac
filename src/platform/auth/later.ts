import type { Actor } from '../context/actor';
import { laterPrincipal, type Principal } from '../context/principal';
import type { AccessCache } from './access-cache';

/**
 * Who once asked for what is done now, with the role and the sight that they have by now: a token of nobody sees and may everything.
 * Null when they are not active any more.
 */
export async function callerLater(
  cache: AccessCache,
  workspaceId: number,
  actor: Actor,
  userId: number | null,
): Promise<Principal | null> {
  if (userId === null) return laterPrincipal(actor, null);
  const found = await cache.findUser(workspaceId, String(userId));
  return found?.user ? laterPrincipal(actor, found.user) : null;
}
