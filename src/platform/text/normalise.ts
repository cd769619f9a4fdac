import { boundedMarks } from './marks';

/** What a text may grow by when it is normalised: one character (U+FDFA) becomes 18. */
const GROWTH = 2;
/** Short texts may grow by more. */
const ROOM = 1_000;

const ASCII = /^[\u0000-\u007f]*$/;

/**
 * `text.normalize(form)` in time and space that are linear in the length of the text: runs of more than 30 combining marks
 * are cut first, and a result beyond twice the text and 1,000 characters is cut off. For what is compared or indexed, not for what
 * is kept. The same as in `search_fold`.
 */
export function normalise(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  if (ASCII.test(text)) return text;
  const normal = boundedMarks(text).normalize(form);
  // No text has more characters than units, nor fewer than half of them.
  if (normal.length <= text.length + ROOM) return normal;
  return firstCharacters(normal, lengthOf(text) * GROWTH + ROOM);
}

/** The first characters of a text; surrogate pairs count as one and stay whole. */
export function firstCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  let at = 0;
  for (let left = count; left > 0 && at < text.length; left--) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return text.slice(0, at);
}

/** A text of at most so many characters: of a longer one its beginning, and an ellipsis as the last of them. */
export function shortened(text: string, max: number): string {
  return isLonger(text, max) ? `${firstCharacters(text, max - 1).trimEnd()}…` : text;
}

/** Characters of a text, as a schema's `maxLength` and PostgreSQL count them: surrogate pairs are one. */
function lengthOf(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++, count++) if ((text.codePointAt(at) ?? 0) > 0xffff) at++;
  return count;
}

/** Whether a text has more characters than that; counted only where it may. */
export function isLonger(text: string, max: number): boolean {
  return text.length > max && lengthOf(text) > max;
}
