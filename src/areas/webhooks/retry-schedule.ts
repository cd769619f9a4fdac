/** Pauses between a failed attempt and the next one, in seconds. */
export const RETRY_STEPS = [60, 300, 1_800, 3_600, 21_600] as const;

/** The first attempt and one for each step. */
export const MAX_ATTEMPTS = RETRY_STEPS.length + 1;

/** So much later at random, never earlier: receivers that were away are not met by everything at once. */
const JITTER = 0.05;

/** A receiver may ask for more time, but not stretch a step further than this. */
const LONGEST = 2;

/**
 * Pause before the next attempt, in whole milliseconds from the end of the failed one.
 *
 * @param attempt the one that failed, from 1
 * @param askedSeconds what the receiver asked for (`Retry-After`), null when it did not
 * @param random from 0 to below 1
 * @returns null when no attempt is left
 */
export function retryDelayMs(attempt: number, askedSeconds: number | null, random = Math.random()): number | null {
  const step = RETRY_STEPS[attempt - 1];
  if (step === undefined) return null;
  const asked = Math.min(askedSeconds ?? 0, step * LONGEST);
  return Math.ceil(Math.max(step * (1 + JITTER * random), asked) * 1_000);
}

/** Seconds that a `Retry-After` header asks for, as a number or a date; null when it says nothing usable. */
export function retryAfterSeconds(header: string | undefined, now: Date): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  if (!/^[A-Za-z]{3}, \d{2} [A-Za-z]{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? null : Math.max(0, Math.ceil((moment - now.getTime()) / 1_000));
}
