import { eachWord, fold, indexedRun, pairs, type Word } from './words';

/** A shorter word that begins with an umlaut written out would find too much: `sho` of `shoe` also begins `show`. */
const MIN_UMLAUT_PREFIX = 5;

/** One way to be found: words that follow each other. */
export interface Spelling {
  words: readonly string[];
  /** The last of the words may be the beginning of one. */
  prefix: boolean;
}

/** Something that must be found, in any of its spellings. */
export interface Term {
  /** As it was typed, folded, with single spaces: what terms are told apart by, and corrections are named by. */
  text: string;
  spellings: readonly Spelling[];
  /** A run of a script without spaces, alone; the words of its spelling are its pairs. */
  run: boolean;
}

/**
 * The terms of a search, for `q` of every list and for `/search` (decision 32): each must be found, in any order. A word may be
 * the beginning of one. Parts that are joined by punctuation (`file_name`, `10.0.0.7`) follow each other; "quoted words" do so
 * whole. `ae`, `oe` and `ue` also stand for the umlauts, which are folded to their vowel. Nothing is an operator.
 */
export function termsOf(text: string): Term[] {
  const terms = new Map<string, Term>();
  for (const [, quoted, plain] of text.matchAll(/"([^"]*)"|([^\s"]+)/gu)) {
    const term = termOf(quoted ?? plain ?? '', quoted !== undefined);
    if (term) terms.set(`${quoted === undefined ? '' : '"'}${term.text}`, term);
  }
  return [...terms.values()];
}

function termOf(part: string, quoted: boolean): Term | null {
  const found = [...eachWord(fold(part))];
  if (found.length === 0) return null;
  const text = found.map((word) => word.text).join(' ');
  const run = found.length === 1 && found[0]?.run === true;
  const typed = spelled(found, quoted, (word) => word);
  const umlauts = spelled(found, quoted, (word) => word.replace(/([aou])e/g, '$1'));
  const last = umlauts.words.at(-1) ?? '';
  const differs = umlauts.words.some((word, index) => word !== typed.words[index]);
  return {
    text,
    spellings: differs ? [typed, { ...umlauts, prefix: umlauts.prefix && last.length >= MIN_UMLAUT_PREFIX }] : [typed],
    run,
  };
}

function spelled(found: readonly Word[], whole: boolean, spell: (word: string) => string): Spelling {
  const last = found.length - 1;
  const words = found.flatMap(({ text, run }, index) => {
    if (!run) return [spell(text)];
    // Inside of a sequence a run is over where the next word begins; at its end it may go on.
    return index < last ? indexedRun(text) : pairs(text);
  });
  return { words, prefix: !whole };
}

/**
 * Whether a line of words (`wordLine`) has what the terms ask for: what searches compute in SQL, for one text.
 */
export function lineMatches(line: string, terms: readonly Term[]): boolean {
  return terms.every(({ spellings }) => spellings.some((spelling) => line.includes(sequence(spelling))));
}

/** The part of a line of words that a spelling stands for: its words, begun and (unless a beginning counts) ended by a space. */
export function sequence({ words, prefix }: Spelling): string {
  return ` ${words.join(' ')}${prefix ? '' : ' '}`;
}
