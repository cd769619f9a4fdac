/** Pauses before each of the five retries, in seconds; the same as those of webhooks. */
const PAUSES = [60, 300, 1_800, 3_600, 21_600];
const JITTER = 0.05;

/**
 * How long to wait after a failed attempt, in milliseconds; null when it was the last one. Never shorter than the
 * schedule. A server may ask for more (`Retry-After`), at most for twice as much.
 *
 * @param attempt number of the failed attempt, from 1
 * @param retryAfterSeconds what the server asked for
 * @param chance between 0 and 1; spreads retries that failed together
 */
export function retryDelayMs(attempt: number, retryAfterSeconds: number | null, chance: number): number | null {
  const pause = PAUSES[attempt - 1];
  if (pause === undefined) return null;
  const asked = Math.min(Math.max(retryAfterSeconds ?? 0, pause), pause * 2);
  return Math.ceil(asked * 1_000 * (1 + JITTER * chance));
}

/** `Retry-After` in seconds from now: a number, or a date; null when it says nothing. */
export function retryAfterSeconds(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}(\.\d{1,6})?$/.test(header.trim())) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now.getTime()) / 1_000));
}
