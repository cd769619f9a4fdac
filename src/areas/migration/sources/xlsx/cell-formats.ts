/** What a number in a cell is: a number, a day, or a moment. */
export type CellFormat = 'number' | 'day' | 'moment';

/** Formats of moments that every workbook has without saying so (ECMA-376, 18.8.30), those of East Asian languages included. */
const DAYS = new Set([14, 15, 16, 17, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 57, 58]);
const MOMENTS = new Set([22]);

/** What numbers of a format are. @param code where the workbook says it: `dd.mm.yyyy hh:mm` */
export function formatOf(id: number, code: string | undefined): CellFormat {
  if (code === undefined) return DAYS.has(id) ? 'day' : MOMENTS.has(id) ? 'moment' : 'number';
  // What is quoted, escaped or in brackets (colours, locales, elapsed hours) is no part of a date.
  const bare = code.slice(0, 1_000).replaceAll(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, '');
  if (!/[yd]/i.test(bare)) return 'number';
  return /[hs]/i.test(bare) ? 'moment' : 'day';
}

const DAY_MS = 86_400_000;
/** 1 January 1970, in days of the two calendars of workbooks. */
const EPOCH = { from1900: 25_569, from1904: 24_107 };

/** A number of days as ISO 8601, without a zone: workbooks know none. Null where there is no such day. */
export function momentOf(days: number, format: 'day' | 'moment', isFrom1904: boolean): string | null {
  // The 29 February 1900 that never was is before everything that anybody moves.
  const ms = Math.round((days - (isFrom1904 ? EPOCH.from1904 : EPOCH.from1900)) * DAY_MS);
  if (days < 61 || ms > 253_402_300_799_999) return null;
  const text = new Date(ms).toISOString().replace(/\.000Z$/, 'Z');
  return format === 'day' && text.endsWith('T00:00:00Z') ? text.slice(0, 10) : text;
}

/** `_x000D_` stands for a character that XML has not. */
export function unescaped(text: string): string {
  return text.includes('_x')
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
}

/** The place of a column, from 0: `A` is 0, `AA` 26; -1 where that is no reference. */
export function columnOf(reference: string): number {
  const [letters = ''] = /^[A-Z]{1,3}/.exec(reference) ?? [];
  let place = 0;
  for (const letter of letters) place = place * 26 + letter.charCodeAt(0) - 64;
  return place - 1;
}
