import { normalise } from '../text/normalise';

/** Characters between words, once folded. */
const SEPARATORS =
  '\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00bf\\u00d7\\u00f7\\u2000-\\u206f\\u20a0-\\u20cf\\u2190-\\u2bff\\u3000-\\u3004\\u3008-\\u3020\\u3030\\u30fb';
/** Thai, Lao, Burmese, Khmer, Japanese and Chinese: written without spaces. */
const UNSPACED =
  '\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3005-\\u3007\\u3040-\\u30fa\\u30fc-\\u30ff\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{3ffff}';

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
};

const token = new RegExp(`[${UNSPACED}]+|[^${SEPARATORS}${UNSPACED}]+`, 'gu');
const unspaced = new RegExp(`^[${UNSPACED}]`, 'u');
const ASCII = /^[\u0001-\u007f]*$/;
const ASCII_WORD = /[\da-z]+/g;
const MARKS = /[\u0300-\u036f]/g;

/** Letters of a word that the index keeps. */
export const MAX_WORD = 60;
/** Characters of a text that the index looks at, and words that it keeps of them. */
const MAX_TEXT = 100_000;
const MAX_LINE = 30_000;

/** The characters of a text, surrogate pairs whole. */
export function characters(text: string): string[] {
  return Array.from(text);
}

/**
 * A text as the search compares it: compatibility forms resolved, Latin, Greek and Cyrillic letters without their marks,
 * lower case. The same as `search_fold` in SQL, or searches would miss what they stand for.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  const bare = normalise(text, 'NFKD').replace(MARKS, '');
  const small = characters(bare)
    .map((letter) => lower(letter))
    .join('');
  // Decomposed and bounded above: what is left is short in its runs, and composing makes nothing longer.
  return small.normalize('NFKC');
}

/** Letter by letter, as PostgreSQL does: JavaScript would look at the neighbours of a sigma. */
function lower(letter: string): string {
  const small = letter.toLowerCase();
  return LETTERS[small] ?? small;
}

/** A word of a text: where it is, and what it is compared as. */
export interface Word {
  start: number;
  end: number;
  text: string;
  /** Belongs to a script without spaces: `text` is a run of characters, not a word. */
  run: boolean;
}

/** The words of a text in their order, with their places in the text as it is; worked out as they are asked for. */
export function* eachWord(text: string): Generator<Word, void> {
  if (ASCII.test(text)) {
    // Nothing to fold, in a fifth of the time.
    for (const { index, 0: word } of text.toLowerCase().matchAll(ASCII_WORD))
      yield { start: index, end: index + word.length, text: word.slice(0, MAX_WORD), run: false };
    return;
  }
  for (const match of text.matchAll(token)) {
    const end = match.index + match[0].length;
    // Folding may uncover separators (`½` is `1⁄2`): the pieces share the place of the whole.
    for (const piece of fold(match[0]).match(token) ?? []) {
      yield { start: match.index, end, text: cut(piece), run: unspaced.test(piece) };
    }
  }
}

/** All words of a text. */
export function wordsOf(text: string): Word[] {
  return [...eachWord(text)];
}

function cut(piece: string): string {
  return unspaced.test(piece) ? piece : characters(piece).slice(0, MAX_WORD).join('');
}

/** Overlapping pairs of a run of characters, which is how the index holds scripts without spaces. */
export function pairs(run: string): string[] {
  const signs = characters(run);
  if (signs.length === 1) return signs;
  return signs.slice(1).map((sign, index) => `${signs[index]}${sign}`);
}

/** Whether a word belongs to a script that is written without spaces. */
export function isRun(word: string): boolean {
  return unspaced.test(word);
}

/** A run as it stands in the index: its pairs, and its last character, which a search may begin with, too. */
export function indexedRun(run: string): string[] {
  const signs = characters(run);
  return signs.length === 1 ? signs : [...pairs(run), signs.at(-1) ?? ''];
}

/**
 * The words of a text as they are stored for searches: folded, in their order, one space around each (`' vpn is down '`; a
 * space alone for none). The same as `words_of` in SQL, which makes what is stored.
 */
export function wordLine(text: string): string {
  const words = wordsOf(fold(characters(text).slice(0, MAX_TEXT).join(''))).flatMap((word) =>
    word.run ? indexedRun(word.text) : [word.text],
  );
  return ` ${words
    .slice(0, MAX_LINE)
    .map((word) => `${word} `)
    .join('')}`;
}
