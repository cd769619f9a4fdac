import { invalid } from '../../../platform/errors/api-error';
import { requireCurrency, requireWholeMinorUnits } from '../../../platform/money/currency';
import { type Discount, VALID_DAYS } from '../quote-values';

const FIRST_DAY = '1900-01-01';
/** The end of this day lies inside the calendar in every time zone. */
const LAST_DAY = '9999-12-30';
const DAY_MS = 86_400_000;

/** The terms of a quote that one rule or another compares. Days are `YYYY-MM-DD`. */
export interface Terms {
  currency: string;
  discount: Discount | null;
  issue_date: string;
  valid_until: string;
}

/** Refuses what no quote can have: an unknown currency, more than 100 %, half a cent, an end before its beginning. */
export function requireTerms({ currency, discount, issue_date, valid_until }: Terms): void {
  requireCurrency('currency', currency);
  if (discount?.type === 'percent' && discount.value > 100)
    invalid('discount.value', 'max', '"discount.value" is at most 100 percent.', { max: 100 });
  if (discount?.type === 'amount') requireWholeMinorUnits('discount.value', discount.value, currency);
  for (const [field, day] of Object.entries({ issue_date, valid_until })) {
    if (day < FIRST_DAY) invalid(field, 'min', `"${field}" is ${FIRST_DAY} or later.`, { min: FIRST_DAY });
    if (day > LAST_DAY) invalid(field, 'max', `"${field}" is ${LAST_DAY} or earlier.`, { max: LAST_DAY });
  }
  if (valid_until < issue_date)
    invalid('valid_until', 'min', '"valid_until" must not be before "issue_date".', { min: issue_date });
}

/** The day so many days later. */
export function daysLater(day: string, days: number = VALID_DAYS): string {
  const later = new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString();
  return later.startsWith('+') || later > LAST_DAY ? LAST_DAY : later.slice(0, 10);
}

/** Days between two days. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
}
