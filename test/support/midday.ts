const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** A time zone in which it is some hour of the day now: for tests in which no day may end. */
export function middayZone(): 'UTC' | 'Etc/GMT-12' {
  const hour = new Date().getUTCHours();
  return hour >= 6 && hour < 18 ? 'UTC' : 'Etc/GMT-12';
}

/** The date in that zone so many days from now, as `YYYY-MM-DD`. */
export function middayDate(days = 0): string {
  const aheadMs = middayZone() === 'UTC' ? 0 : 12 * HOUR_MS;
  return new Date(Date.now() + aheadMs + days * DAY_MS).toISOString().slice(0, 10);
}
