/** How soon the transport notices that jobs do not arrive, and what it does then. Milliseconds. */
export interface TransportPace {
  /** Between canaries while they arrive. */
  everyMs: number;
  /** Between canaries while they do not. */
  whileDeadMs: number;
  /** Longest wait for a command of a canary's. */
  addMs: number;
  /** In which a canary is taken. */
  arrivesWithinMs: number;
  /** Between renewals of all connections: each gets a chance before the next. */
  renewGapMs: number;
  /** Seconds after which a fetch that found nothing asks again; a connection that is silent for twice as long is dead. */
  fetchSeconds: number;
}

/** Provide another one under this token, from a global module, to have everything happen sooner (tests). */
export const TRANSPORT_PACE = Symbol('TRANSPORT_PACE');

export const USUAL_PACE: TransportPace = {
  everyMs: 5000,
  whileDeadMs: 500,
  addMs: 500,
  arrivesWithinMs: 3000,
  renewGapMs: 3000,
  fetchSeconds: 5,
};
