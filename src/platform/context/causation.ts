/** What events written here go back to: the first event of the chain, its length, the automations in it. */
export interface Causation {
  rootEventId: string | null;
  depth: number;
  automationIds: readonly number[];
}

/** Nothing came before. */
export const NO_CAUSE: Causation = { rootEventId: null, depth: 0, automationIds: [] };

/** Headers of what this service sends because of an event; a call that brings them back continues the chain. */
export const CAUSATION_DEPTH = 'x-service-causation-depth';
export const CAUSATION_ROOT = 'x-service-causation-root';

const MAX_DEPTH = 1_000;

/**
 * The chain that a request continues: a receiver that calls back with the headers of a delivery cannot start an endless
 * loop of automations. Values that make no sense are ignored; a false depth only stops the caller's own automations.
 */
export function handedOn(depth: string | string[], root: string | string[] | undefined): Causation {
  if (typeof depth !== 'string' || !/^\d{1,4}$/.test(depth)) return NO_CAUSE;
  const rootEventId = typeof root === 'string' && /^evt_[0-9a-f]{32}$/.test(root) ? root : null;
  return { rootEventId, depth: Math.min(Number(depth), MAX_DEPTH), automationIds: [] };
}
