const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The moments that the service knows, in ms since 1970: years 1 to 9999 of UTC, all of which have one form in ISO 8601. */
export const FIRST_MOMENT = -62_135_596_800_000;
export const LAST_MOMENT = 253_402_300_799_999;

/**
 * The moment of an ISO 8601 timestamp with a zone; null when it is none, names a day that does not exist, or lies in no
 * year from 1 to 9999 once it is written in UTC. Everything that reads a timestamp from outside reads it here.
 */
export function parseTimestamp(text: string): Date | null {
  if (!TIMESTAMP.test(text) || !isDay(text.slice(0, 10))) return null;
  const date = new Date(text);
  return isKnownMoment(date.getTime()) ? date : null;
}

/** The same for a text that may be a bare day, which then means its first moment in UTC. */
export function parseMoment(text: string): Date | null {
  // A plus sign that was not encoded arrives as a space.
  return parseTimestamp(DAY.test(text) ? `${text}T00:00:00Z` : text.replace(/ (\d{2}:?\d{2})$/, '+$1'));
}

/** Whether a text is a day that exists, `YYYY-MM-DD`, of the years 1 to 9999. */
export function isDay(text: string): boolean {
  if (!DAY.test(text)) return false;
  const [year, month, day] = text.split('-').map(Number) as [number, number, number];
  // Any leap year and any other stand for theirs: Date.UTC takes years below 100 for those of the last century.
  const lastDay = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  return year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= lastDay;
}

/** Whether ms since 1970 lie in the years 1 to 9999 of UTC; false for NaN. */
export function isKnownMoment(ms: number): boolean {
  return ms >= FIRST_MOMENT && ms <= LAST_MOMENT;
}
