/**
 * Why a service does not say what it is asked for. `busy`: it may in a while. `credentials`: it knows nobody by these. `refused`: it will
 * not say that, to this account or at all. `broken`: what it says is not what its documentation promises.
 */
export type TroubleKind = 'busy' | 'credentials' | 'refused' | 'broken';

/** A service does not say what it is asked for; the message is one sentence for the API's client. */
export class ServiceTrouble extends Error {
  override readonly name = 'ServiceTrouble';

  /**
   * @param status of the answer, null when none began
   * @param askedSeconds for how long it asked to be left alone
   */
  constructor(
    readonly kind: TroubleKind,
    message: string,
    readonly status: number | null = null,
    readonly askedSeconds: number | null = null,
  ) {
    super(message);
  }
}

/** Failures in a row, without a page in between, after which a migration is not tried any more by itself. */
export const MAX_TRIES = 12;
const FIRST_PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 300_000;
/** What a service may ask for at most; who asks for more is asked again after that. */
const MAX_ASKED_MS = 3_600_000;

/** Pause before a service is asked again, in ms: what it asked for, and twice as long each time. @param tries failures before this one */
export function pauseMs(tries: number, askedSeconds: number | null): number {
  const own = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(tries, 20));
  return askedSeconds === null ? own : Math.min(MAX_ASKED_MS, Math.max(1_000, Math.ceil(askedSeconds * 1_000)));
}
