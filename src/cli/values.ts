import { InvalidArgumentError } from 'commander';
import type { Scope } from '../platform/auth/tokens.service';
import { isCurrency } from '../platform/money/currency';
import { isLanguageTag, isTimeZoneName } from '../platform/columns/column-validators';

/** Ten years, as settings of a workspace have them. */
const MOST_DAYS = 3_650;
/** A hundred years, in seconds. */
const LONGEST = 36_500 * 86_400;
const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const;

/** `30d`, `12h`, `90m`, `45s`, `2w` in seconds. */
export function duration(text: string): number {
  const [, amount, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  if (amount === undefined || unit === undefined || Number(amount) === 0) {
    throw new InvalidArgumentError('Write a duration such as 30d, 12h, 90m or 45s.');
  }
  const seconds = Number(amount) * SECONDS[unit as keyof typeof SECONDS];
  if (seconds > LONGEST) throw new InvalidArgumentError('The longest duration is 36500d.');
  return seconds;
}

/** `read,write` as scopes. */
export function scopeList(text: string): Scope[] {
  const scopes = text.split(',').map((each) => each.trim());
  for (const scope of scopes) {
    if (!['read', 'write', 'impersonate', '*'].includes(scope))
      throw new InvalidArgumentError('Scopes are read, write, impersonate and *.');
  }
  return scopes as Scope[];
}

/** A whole number from 0 up. */
export function wholeNumber(text: string): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(value)) throw new InvalidArgumentError('Write a whole number from 0 up.');
  return value;
}

/** A record's id. */
export function recordId(text: string): number {
  const value = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(value)) throw new InvalidArgumentError('An id is a whole number from 1 up.');
  return value;
}

/** `on` or `off`. */
export function onOrOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('Write on or off.');
  return text === 'on';
}

/** Days of a setting. */
export function days(text: string): number {
  const value = /^\d{1,4}$/.test(text) ? Number(text) : NaN;
  if (!(value <= MOST_DAYS)) throw new InvalidArgumentError(`Write a whole number of days from 0 to ${MOST_DAYS}.`);
  return value;
}

/** Days of a setting, or `always`. */
export function daysOrAlways(text: string): number | 'always' {
  return text === 'always' ? text : days(text);
}

/** The address of a service. */
export function serviceUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError('Write an address such as https://helpdesk.example.com.');
  return text.replace(/\/+$/, '');
}

/** An IANA time zone. */
export function timeZone(text: string): string {
  if (!isTimeZoneName(text)) throw new InvalidArgumentError('Write an IANA time zone such as Europe/Berlin.');
  return text;
}

/** A BCP 47 language tag. */
export function languageTag(text: string): string {
  if (!isLanguageTag(text)) throw new InvalidArgumentError('Write a BCP 47 language tag such as en or de-AT.');
  return text;
}

/** An ISO 4217 code. */
export function currencyCode(text: string): string {
  if (!isCurrency(text)) throw new InvalidArgumentError('Write the ISO 4217 code of a currency, e.g. EUR.');
  return text;
}
