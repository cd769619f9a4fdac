import { editDistance } from './edit-distance';
import type { Term } from '../../../platform/search/terms';
import { characters } from '../../../platform/search/words';

/** Shorter words are not corrected: too many others are near. */
const MIN_CORRECTED = 4;
/** Spellings tried instead of one word. */
const MAX_CORRECTIONS = 5;

/** Letters that may be wrong in a word of so many. */
export function mistakesAllowed(length: number): number {
  if (length < MIN_CORRECTED) return 0;
  return length < 6 ? 1 : 2;
}

/** Whether a word may have been mistyped: letters only. Numbers and codes are what they are, and quoted words are meant so. */
export function isCorrectable({ text, run, spellings }: Term): boolean {
  const { length } = characters(text);
  return (
    !run &&
    spellings.some(({ prefix }) => prefix) &&
    length >= MIN_CORRECTED &&
    length <= 40 &&
    /^[\p{L}\p{M}]+$/u.test(text)
  );
}

/** The nearest of the known words, none farther than the nearest ones; those that begin alike first. */
export function correctionsOf(word: string, known: Iterable<string>): string[] {
  let nearest = mistakesAllowed(characters(word).length);
  let found: string[] = [];
  for (const candidate of new Set(known)) {
    const distance = editDistance(word, candidate, nearest);
    if (distance > nearest || distance === 0) continue;
    if (distance < nearest) found = [];
    nearest = distance;
    found.push(candidate);
  }
  const order = (a: string, b: string): number => alike(word, b) - alike(word, a) || (a < b ? -1 : 1);
  return found.sort(order).slice(0, MAX_CORRECTIONS);
}

/** Letters at the beginning that two words share. */
function alike(a: string, b: string): number {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count++;
  return count;
}
