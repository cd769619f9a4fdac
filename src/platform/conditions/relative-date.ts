/** A span such as `+2bd`, `-30m`: business days, days, hours or minutes from now. */
export interface RelativeDate {
  amount: number;
  unit: 'm' | 'h' | 'd' | 'bd';
}

/** Business days are counted one by one, so there may not be too many. */
const FORM = /^([+-])(?:(\d{1,5})(?=[dhm])|(\d{1,3})(?=bd))(bd|d|h|m)$/;
const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Parses `+3d`, `+4h`, `-30m`, `+2bd`; null when the text is something else. */
export function parseRelativeDate(text: string): RelativeDate | null {
  const [, sign, plain, business, unit] = FORM.exec(text) ?? [];
  const digits = plain ?? business;
  if (digits === undefined) return null;
  return { amount: Number(digits) * (sign === '-' ? -1 : 1), unit: unit as RelativeDate['unit'] };
}

/**
 * The moment it means.
 *
 * @param addBusinessDays the same time of day so many business days on (or back) by the schedule that applies; without one,
 *   business days are Monday to Friday in UTC
 */
export function resolveRelativeDate(
  { amount, unit }: RelativeDate,
  now: Date,
  addBusinessDays: (from: Date, days: number) => Date = addWeekdays,
): Date {
  return unit === 'bd' ? addBusinessDays(now, amount) : new Date(now.getTime() + amount * UNIT_MS[unit]);
}

function addWeekdays(from: Date, days: number): Date {
  const moment = new Date(from);
  const step = Math.sign(days);
  for (let left = Math.abs(days); left > 0;) {
    moment.setUTCDate(moment.getUTCDate() + step);
    if (moment.getUTCDay() % 6 !== 0) left--;
  }
  return moment;
}
