import type { Holiday } from '../../platform/calendar/schedule';

/** A holiday as plain data. */
type Day = Pick<Holiday, keyof Holiday>;

/**
 * Holidays as they are stored: in order of their dates, each day once, and no day of one year that is a holiday in every year.
 * Of two for one day the first stays; a name is taken from the other where it has none.
 */
export function orderedHolidays(holidays: readonly Holiday[]): Holiday[] {
  const recurring = new Set(holidays.filter((holiday) => holiday.recurring).map(dayOfYear));
  const byKey = new Map<string, Day>();
  // Those of every year first: they stand for single days, too.
  for (const holiday of [...holidays].sort((a, b) => rank(a) - rank(b))) {
    const key = recurring.has(dayOfYear(holiday)) ? dayOfYear(holiday) : holiday.date;
    const known = byKey.get(key);
    if (!known) byKey.set(key, holiday);
    else if (!known.name && holiday.name) byKey.set(key, { ...known, name: holiday.name });
  }
  return [...byKey.values()].sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

const dayOfYear = ({ date }: Holiday): string => date.slice(5);
const rank = ({ recurring }: Holiday): number => (recurring ? 0 : 1);
