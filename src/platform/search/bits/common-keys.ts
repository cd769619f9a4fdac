import { characters } from '../words';
import { LONGEST_PHRASE, wordKey } from './word-bits';

/** The lines of a sample, each with at most so many characters; and so many of all of them together, or each second one is taken, or each third … */
export const MOST_OF_LINE = 4_000;
const MOST_OF_ALL = 8_000_000;

const ASCII = /^[\u0001-\u007f]*$/;

/** The keys that a word answers to: all of its beginnings, and itself as a whole. */
export function keysOf(word: string): string[] {
  const letters = ASCII.test(word) ? word : characters(word);
  return Array.from({ length: letters.length + 1 }, (_, index) => keyOf(word, letters, index + 1));
}

/** The key of the first letters of a word, one letter more than it has being itself as a whole. */
function keyOf(word: string, letters: string | readonly string[], length: number): string {
  if (length > letters.length) return wordKey(word, false);
  return typeof letters === 'string' ? letters.slice(0, length) : letters.slice(0, length).join('');
}

/** The words of a line, in their order. */
export function wordsOfLine(line: string): string[] {
  return line.split(' ').filter((word) => word !== '');
}

/** Keys of words, beginnings and phrases that at least `share` of the lines have, the most common first, at most `most`. */
export function commonKeys(all: readonly string[], share: number, most: number): string[] {
  const lines = bounded(all).map(wordsOfLine);
  const least = Math.max(1, share * lines.length);
  const words = commonWords(lines, least);
  const phrases = commonPhrases(lines, least, new Set(words.map(([key]) => key)));
  return [...words, ...phrases]
    .sort(([, one], [, other]) => other - one)
    .slice(0, most)
    .map(([key]) => key);
}

/** As many of the lines, from all over, as there is room for. */
function bounded(lines: readonly string[]): string[] {
  const cut = lines.map((line) => line.slice(0, MOST_OF_LINE));
  const size = cut.reduce((sum, { length }) => sum + length, 0);
  const pace = Math.max(1, Math.ceil(size / MOST_OF_ALL));
  return cut.filter((_, index) => index % pace === 0);
}

/** With the lines that have them, as `[key, count]`. */
type Counted = [key: string, count: number][];

/**
 * Letter by letter: what begins with a beginning that is rare is rare, too, and is not looked at again (the a-priori algorithm, Agrawal and
 * Srikant 1994). So lines of nothing but words of their own take no more memory than their letters.
 */
function commonWords(lines: readonly (readonly string[])[], least: number): Counted {
  const found: Counted = [];
  let left = lines.map((words) => [...new Set(words)]);
  for (let length = 1; left.some((words) => words.length > 0); length++) {
    const key = (word: string): string => keyOf(word, ASCII.test(word) ? word : characters(word), length);
    const common = commonOf(left, (words) => new Set(words.map(key)), least);
    found.push(...common);
    const known = new Set(common.map(([each]) => each));
    left = left.map((words) => words.filter((word) => key(word) !== wordKey(word, false) && known.has(key(word))));
  }
  return found;
}

/** Keys of phrases, each also as the beginning of one: those of more words among those of fewer. */
function commonPhrases(lines: readonly (readonly string[])[], least: number, words: ReadonlySet<string>): Counted {
  const found: Counted = [];
  let shorter = words;
  for (let length = 2; length <= LONGEST_PHRASE && shorter.size > 0; length++) {
    const known = shorter;
    const likely = (line: readonly string[]): Set<string> => {
      const keys = new Set<string>();
      for (let at = 0; at + length <= line.length; at++) {
        const part = (from: number, to: number): string => wordKey(line.slice(from, to).join(' '), false);
        if (known.has(part(at, at + length - 1)) && known.has(part(at + 1, at + length)))
          keys.add(part(at, at + length));
      }
      return keys;
    };
    const common = commonOf(lines, likely, least);
    for (const [key, count] of common) found.push([key, count], [key.trimEnd(), count]);
    shorter = new Set(common.map(([key]) => key));
  }
  return found;
}

/** @param keysIn of a line */
function commonOf(
  lines: readonly (readonly string[])[],
  keysIn: (words: readonly string[]) => ReadonlySet<string>,
  least: number,
): Counted {
  const counts = new Map<string, number>();
  for (const words of lines) for (const key of keysIn(words)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= least);
}
