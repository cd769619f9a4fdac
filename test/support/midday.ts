const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Chosen once: what tests say before and after an hour has passed must fit together. */
const HOUR = new Date().getUTCHours();
const ZONE = HOUR >= 6 && HOUR < 18 ? 'UTC' : 'Etc/GMT-12';

/** A time zone in which it is some hour of the day now: for tests in which no day may end. */
export function middayZone(): 'UTC' | 'Etc/GMT-12' {
  return ZONE;
}

/** The date in that zone so many days from now, as `YYYY-MM-DD`. */
export function middayDate(days = 0): string {
  const aheadMs = middayZone() === 'UTC' ? 0 : 12 * HOUR_MS;
  return new Date(Date.now() + aheadMs + days * DAY_MS).toISOString().slice(0, 10);
}
