import { type Actor, current } from '../../../platform/context/current';
import { laterPrincipal, type Principal } from '../../../platform/context/principal';

/** A caller, kept for work that is done later on their behalf. */
export interface Acting {
  actor: Actor;
  user: Principal['user'];
}

/** Whoever is calling. */
export function caller(): Acting {
  const { actor, principal } = current();
  return { actor, user: principal?.user ?? null };
}

/** The same caller again, within their role; the scopes of the token were asked when they called. */
export function principalOf({ actor, user }: Acting): Principal {
  return laterPrincipal(actor, user);
}
