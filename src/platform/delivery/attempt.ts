import { clockNow } from '../context/clock';
import type { OutboundResult } from '../outbound/outbound-result';
import { retryAfterSeconds } from './retries';

/** How an attempt went, as far as it decides what follows. */
export interface Attempt {
  arrived: boolean;
  /** No other attempt can arrive: the receiver is gone for good, or nobody would take such a message. */
  isPermanent: boolean;
  /** For how long the receiver asked to be left alone; null when it did not. */
  askedSeconds: number | null;
}

const GONE = 410;
/** Answers whose `Retry-After` counts. */
const BUSY: readonly (number | null)[] = [429, 503];
/** Answers of 4xx that another time may be others. */
const PASSING: readonly number[] = [408, 429];

/** Only a complete answer of 2xx is success. */
export function hasArrived({ status, error }: Pick<OutboundResult, 'status' | 'error'>): boolean {
  return error === null && status !== null && status >= 200 && status < 300;
}

/** An event that was sent by HTTP: subscribers mend their endpoints, so only 410 Gone is for good. */
export function httpAttempt(result: OutboundResult, now = clockNow()): Attempt {
  return {
    arrived: hasArrived(result),
    isPermanent: result.status === GONE,
    askedSeconds: BUSY.includes(result.status) ? retryAfterSeconds(result.headers['retry-after'], now) : null,
  };
}

/** A call that somebody composed: what the server refuses (4xx) it would refuse again. */
export function callAttempt(result: OutboundResult): Attempt {
  const { status } = result;
  const isTemporary = status === null || status >= 500 || PASSING.includes(status);
  return { arrived: hasArrived(result), isPermanent: !isTemporary, askedSeconds: null };
}
