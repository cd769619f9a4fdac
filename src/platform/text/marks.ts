import { NON_STARTERS } from './non-starters';

/** Combining marks in a row that text may have: the Stream-Safe Text Format of UAX #15. No script needs more than a few. */
export const MAX_MARKS = 30;

/** Beyond it no character is a mark. */
const PLANES = 0x20000;
/** Only text with characters from here on can have marks. */
const BEYOND_LATIN = /[\u0300-\uffff]/;
const UNKNOWN = 255;

/** Marks that a character is, by code point: none, one, or (four characters) two. */
const marks = new Uint8Array(PLANES);
/** Marks that the decomposition of another character ends in; worked out when first asked for. */
const trailing = new Uint8Array(PLANES).fill(UNKNOWN);

for (const range of NON_STARTERS.split(' ')) {
  const [first = '', last = first] = range.split('-');
  for (let code = parseInt(first, 16); code <= parseInt(last, 16); code++) {
    marks[code] = Array.from(String.fromCodePoint(code).normalize('NFKD')).length;
  }
}

/** Part of a text: UTF-16 offsets. */
interface Span {
  start: number;
  end: number;
}

/**
 * Whether a text has more than 30 combining marks in a row, counted as UAX #15 counts: after compatibility decomposition.
 * Normalisation takes time that is the square of such a run. Linear in the length of the text.
 */
export function hasTooManyMarks(text: string): boolean {
  return BEYOND_LATIN.test(text) && excess(text, 0, true) !== null;
}

/** The text with no more than 30 combining marks in a row, so that `hasTooManyMarks` lets it through; further ones are left out. */
export function withoutExcessMarks(text: string): string {
  return cut(text, true);
}

/**
 * The same for folding, where characters of a run are counted as they stand, as `search_fold` does in SQL: what it lets
 * through has at most 63 marks in a row after decomposition.
 */
export function boundedMarks(text: string): string {
  return cut(text, false);
}

function cut(text: string, decomposed: boolean): string {
  if (!BEYOND_LATIN.test(text)) return text;
  let kept = '';
  let from = 0;
  for (let span = excess(text, 0, decomposed); span !== null; span = excess(text, from, decomposed)) {
    kept += text.slice(from, span.start);
    from = span.end;
  }
  return from === 0 ? text : kept + text.slice(from);
}

/** The first marks of a text that are too many in their run, to the end of the run. */
function excess(text: string, from: number, decomposed: boolean): Span | null {
  let base = 0;
  let count = 0;
  let start = -1;
  for (let at = from; at < text.length; at++) {
    let code = text.charCodeAt(at);
    const wide = code >= 0xd800 && code <= 0xdbff;
    if (wide) code = text.codePointAt(at) ?? code;
    const own = marks[code] ?? 0;
    if (own === 0) {
      if (start !== -1) return { start, end: at };
      base = code;
      count = 0;
    } else {
      if (count === 0 && decomposed) count = trailingMarks(base);
      count += decomposed ? own : 1;
      if (count > MAX_MARKS && start === -1) start = at;
    }
    if (code > 0xffff) at++;
  }
  return start === -1 ? null : { start, end: text.length };
}

/** `ệ` is `e` and two marks. */
function trailingMarks(code: number): number {
  const known = trailing[code] ?? 0;
  if (known !== UNKNOWN) return known;
  let count = 0;
  for (const character of String.fromCodePoint(code).normalize('NFKD')) {
    count = (marks[character.codePointAt(0) ?? 0] ?? 0) > 0 ? count + 1 : 0;
  }
  trailing[code] = count;
  return count;
}
