/** When a message that did not arrive is tried again. */
export interface RetryPolicy {
  /** Pause after each failed attempt, in seconds; after one more attempt than there are pauses the message has failed. */
  pauses: readonly number[];
  /** So much later at random, never earlier: receivers that were away are not met by everything at once. */
  jitter: number;
  /** A receiver may ask for more time (`Retry-After`), but not stretch a pause further than this. */
  longest: number;
}

/** Events to endpoints and installations, and looks into mailboxes. */
export const EVENT_RETRIES: RetryPolicy = { pauses: [60, 300, 1_800, 3_600, 21_600], jitter: 0.05, longest: 2 };

/** Mail. */
export const MAIL_RETRIES: RetryPolicy = { pauses: [60, 300, 1_800, 7_200], jitter: 0, longest: 1 };

/** Calls that automations make. */
export const CALL_RETRIES: RetryPolicy = { pauses: [60, 300, 1_800], jitter: 0, longest: 1 };

/** What somebody asked for once. */
export const NO_RETRIES: RetryPolicy = { pauses: [], jitter: 0, longest: 1 };

/**
 * Pause before the next attempt, in whole milliseconds from the end of the failed one.
 *
 * @param attempt the one that failed, from 1
 * @param askedSeconds what the receiver asked for (`Retry-After`), null when it did not
 * @param random from 0 to below 1
 * @returns null when no attempt is left
 */
export function retryDelayMs(
  { pauses, jitter, longest }: RetryPolicy,
  attempt: number,
  askedSeconds: number | null,
  random = Math.random(),
): number | null {
  const pause = pauses[attempt - 1];
  if (pause === undefined) return null;
  const asked = Math.min(askedSeconds ?? 0, pause * longest);
  return Math.ceil(Math.max(pause * (1 + jitter * random), asked) * 1_000);
}

/** Seconds that a `Retry-After` header asks for, as a number or a date; null when it says nothing usable. */
export function retryAfterSeconds(header: string | undefined, now: Date): number | null {
  const text = header?.trim() ?? '';
  // Whole by the standard; chats send fractions.
  if (/^\d{1,9}(\.\d{1,6})?$/.test(text)) return Number(text);
  if (!/^[A-Za-z]{3}, \d{2} [A-Za-z]{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? null : Math.max(0, Math.ceil((moment - now.getTime()) / 1_000));
}
