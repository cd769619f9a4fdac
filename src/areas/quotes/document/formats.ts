import { usableLocale } from '../../../platform/text/language';
import { fromMinorUnits, minorDigits } from '../../../platform/money/currency';

/** How a document writes numbers and days. */
export interface Formats {
  /** An amount without its currency. */
  plain(minor: bigint): string;
  /** An amount with its currency. */
  money(minor: bigint): string;
  /** A price of one unit, which may be finer than the smallest coin. */
  price(amount: number): string;
  number(value: number): string;
  /** 19 becomes `19%`, as the locale writes it. */
  percent(value: number): string;
  /** `YYYY-MM-DD` as the locale writes a day. */
  day(day: string): string;
}

/**
 * Formats of a locale (Intl, with Latin digits) for amounts of a currency. Amounts are handed to Intl as decimal texts, so
 * that none passes through a binary fraction.
 *
 * @param locale BCP 47; English where it is none
 */
export function formatsOf(locale: string, currency: string): Formats {
  const tag = usableLocale(locale);
  const digits = minorDigits(currency);
  const numbers = (options: Intl.NumberFormatOptions): Intl.NumberFormat =>
    new Intl.NumberFormat(tag, { numberingSystem: 'latn', ...options });
  const plain = numbers({ minimumFractionDigits: digits, maximumFractionDigits: digits });
  const money = numbers({ style: 'currency', currency, currencyDisplay: 'symbol' });
  const price = numbers({ minimumFractionDigits: digits, maximumFractionDigits: 4 });
  const number = numbers({ maximumFractionDigits: 4 });
  const percent = numbers({ style: 'percent', maximumFractionDigits: 4 });
  const days = new Intl.DateTimeFormat(tag, {
    dateStyle: 'long',
    timeZone: 'UTC',
    numberingSystem: 'latn',
    calendar: 'gregory',
  });
  const text = (minor: bigint): Intl.StringNumericLiteral =>
    fromMinorUnits(minor, currency) as Intl.StringNumericLiteral;
  return {
    plain: (minor) => plain.format(text(minor)),
    money: (minor) => money.format(text(minor)),
    price: (amount) => price.format(amount),
    number: (value) => number.format(value),
    percent: (value) => percent.format(`${value}e-2` as Intl.StringNumericLiteral),
    day: (day) => days.format(new Date(`${day}T00:00:00Z`)),
  };
}
