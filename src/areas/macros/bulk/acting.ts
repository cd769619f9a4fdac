import { type Actor, current } from '../../../platform/context/current';

/** A caller, kept for work that is done later on their behalf. */
export interface Acting {
  actor: Actor;
  /** What they may and see is looked up when the work is done. */
  user: { id: number } | null;
}

/** Whoever is calling. */
export function caller(): Acting {
  const { actor, principal } = current();
  return { actor, user: principal?.user ? { id: principal.user.id } : null };
}
