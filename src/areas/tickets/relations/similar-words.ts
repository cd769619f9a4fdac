import { wordKey } from '../../../platform/search/bits/word-bits';
import { characters, isRun, wordLine } from '../../../platform/search/words';

/** A word by which tickets like this one are looked for. */
export interface TellingWord {
  word: string;
  /** How much it counts, besides how rare it is. */
  weight: number;
}

/** Words that are looked up: some of the subject, the rest of the description. */
const MAX_WORDS = 16;
const FROM_SUBJECT = 10;
/** Of a description, this much is looked at. */
const MAX_DESCRIPTION = 4_000;
const SUBJECT_WEIGHT = 2;
const MIN_LENGTH = 3;

/**
 * The words of a ticket that may tell what is like it: those of its subject as they come, then the longest of its description, as
 * these are mostly the rare ones. What very many tickets have tells nothing.
 *
 * @param common keys of words that are in many records
 */
export function tellingWords(subject: string, description: string, common: ReadonlySet<string>): TellingWord[] {
  const title = wordsOf(subject, common).slice(0, FROM_SUBJECT);
  const body = wordsOf(description.slice(0, MAX_DESCRIPTION), common)
    .filter((word) => !title.includes(word))
    .sort((one, other) => other.length - one.length)
    .slice(0, MAX_WORDS - title.length);
  return [...title.map((word) => ({ word, weight: SUBJECT_WEIGHT })), ...body.map((word) => ({ word, weight: 1 }))];
}

function wordsOf(text: string, common: ReadonlySet<string>): string[] {
  const words = wordLine(text).split(' ').filter(tells);
  return [...new Set(words)].filter((word) => !common.has(wordKey(word, false)));
}

/** Short words are articles and the like; a sign of a script without spaces says little alone. */
function tells(word: string): boolean {
  const { length } = characters(word);
  return isRun(word) ? length > 1 : length >= MIN_LENGTH;
}
