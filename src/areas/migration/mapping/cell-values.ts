import type { ColumnSpec } from '../../../platform/columns/column-spec';
import type { MigrationOptions } from './mapping.dto';

/** A value as its column has it, or what is wrong with it. */
export type Read = { value: unknown } | { code: string; message: string };

const TRUE = new Set(['true', 'yes', 'y', '1', 'ja', 'j', 'wahr', 'x', 'on', 'oui', 'si', 'sí']);
const FALSE = new Set(['false', 'no', 'n', '0', 'nein', 'falsch', 'off', 'non', '-']);

/** What a source says, as the column of that kind takes it. Texts of a table are read, what JSON has typed is left. */
export function readAs(column: ColumnSpec, said: unknown, options: MigrationOptions): Read {
  switch (column.kind) {
    case 'boolean':
      return flag(said);
    case 'integer':
    case 'number':
      return number(said);
    case 'timestamp':
      return moment(said, options.date_order);
    case 'date': {
      const read = moment(said, options.date_order, true);
      return 'value' in read && typeof read.value === 'string' ? { value: read.value.slice(0, 10) } : read;
    }
    case 'strings':
      return { value: listOf(said) };
    case 'json':
      return typeof said === 'string' ? json(said) : { value: said };
    case 'tags':
      return { value: Array.isArray(said) ? said.map(textOf) : textOf(said).replaceAll(/[;|]/g, ',') };
    default:
      return { value: typeof said === 'object' ? said : textOf(said) };
  }
}

/** The text that a value is in a table. */
export function textOf(said: unknown): string {
  return typeof said === 'string' ? said : JSON.stringify(said);
}

function flag(said: unknown): Read {
  if (typeof said === 'boolean') return { value: said };
  const text = textOf(said).trim().toLowerCase();
  if (TRUE.has(text)) return { value: true };
  return FALSE.has(text) ? { value: false } : { code: 'type', message: 'It is neither yes nor no.' };
}

/** Groups of thousands, and the other mark behind them: `1.234,56`, `1,234.56`, `1'234.56`; one group alone might be decimals. */
const GROUPED =
  /^-?\d{1,3}(?:(?:\.\d{3}){1,4},\d{1,10}|(?:\.\d{3}){2,4}|(?:,\d{3}){1,4}\.\d{1,10}|(?:,\d{3}){2,4}|(?:[ '’\u00a0\u202f]\d{3}){1,4}(?:[.,]\d{1,10})?)$/u;

/** A text with groups of thousands without them. */
function ungrouped(text: string): string {
  if (!GROUPED.test(text)) return text;
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  const isDecimal = last !== -1 && text.indexOf(text.charAt(last)) === last;
  const whole = (isDecimal ? text.slice(0, last) : text).replaceAll(/[^\d-]/g, '');
  return isDecimal ? `${whole}.${text.slice(last + 1)}` : whole;
}

function number(said: unknown): Read {
  if (typeof said === 'number') return { value: said };
  const text = ungrouped(textOf(said).trim());
  const value = /^-?\d{1,15}([.,]\d{1,10})?$/.test(text) ? Number(text.replace(',', '.')) : NaN;
  return Number.isFinite(value) ? { value } : { code: 'type', message: 'It is no number.' };
}

function listOf(said: unknown): unknown[] {
  if (Array.isArray(said)) return said;
  return textOf(said)
    .split(/[,;|]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function json(said: string): Read {
  try {
    const value: unknown = JSON.parse(said);
    return { value };
  } catch {
    return { code: 'format', message: 'It is no JSON.' };
  }
}

const ISO =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?)?$/i;
const DOTTED = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:[ ,T]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;
const SLASHED = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:[ ,T]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

/**
 * Moments in the forms that exports have: ISO 8601 and its relatives, `24.12.2023 18:00`, seconds or milliseconds since 1970.
 *
 * @param isDay the day that is written is meant, in whatever zone it is
 */
function moment(said: unknown, order: MigrationOptions['date_order'], isDay = false): Read {
  const text = textOf(said).trim();
  if (/^\d{9,10}$/.test(text)) return { value: new Date(Number(text) * 1_000).toISOString() };
  if (/^\d{12,13}$/.test(text)) return { value: new Date(Number(text)).toISOString() };
  const iso = ISO.exec(text);
  if (iso) {
    const [, year, month, day, hour, minute, second, fraction = '', zone] = iso;
    return at([year, month, day, hour, minute, second], fraction, isDay ? 'Z' : zone);
  }
  const dotted = DOTTED.exec(text);
  if (dotted) {
    const [, day, month, year, hour, minute, second] = dotted;
    return at([year, month, day, hour, minute, second]);
  }
  const slashed = SLASHED.exec(text);
  if (!slashed) return { code: 'format', message: 'It is no moment that can be read.' };
  if (order === undefined) return { code: 'ambiguous', message: 'Day or month first? Say so in "options.date_order".' };
  const [, first, other, year, hour, minute, second] = slashed;
  return at([year, ...(order === 'dmy' ? [other, first] : [first, other]), hour, minute, second]);
}

function at(parts: readonly (string | undefined)[], fraction = '', zone = 'Z'): Read {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts.map((part) => Number(part ?? 0));
  const time = Date.UTC(year, month - 1, day, hour, minute, second, Number(fraction.padEnd(3, '0').slice(0, 3)));
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  const ahead = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000);
  const isReal =
    month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month) && hour < 24 && minute < 60 && second <= 60;
  return isReal && year >= 1970 && year <= 9999
    ? { value: new Date(time - ahead).toISOString() }
    : { code: 'format', message: 'There is no such moment.' };
}

function daysOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
