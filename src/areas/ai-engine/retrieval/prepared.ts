import { fold } from '../../../platform/search/words';
import { MAX_CHARACTERS } from '../model/text-features';
import { vectorOf, type WordVector } from '../predictions/similarity';
import { type Passage, passagesOf } from './passages';
import { type TextWords, wordsIn } from './ranking';

/** Passages of one document that are weighed: a very long one is no reason to wait. */
const MOST_PASSAGES = 200;

/** What of a document is looked at with every question: worked out once, as long as it says the same. */
export interface Prepared {
  /** Title and what it is about besides. */
  about: TextWords;
  passages: readonly { passage: Passage; words: TextWords }[];
  vector: WordVector;
}

/** The beginning of a text, as questions are looked up: more of it no vector has. */
export function folded(text: string): string {
  return fold(text.slice(0, MAX_CHARACTERS));
}

/** @param about what it is found by besides its text */
export function prepared(title: string, about: string, text: string): Prepared {
  return {
    about: wordsIn(`${title}\n${about}`),
    passages: passagesOf(text)
      .slice(0, MOST_PASSAGES)
      .map((passage) => ({ passage, words: wordsIn(passage.text) })),
    vector: vectorOf(folded(`${title}\n${about}\n${text}`)),
  };
}
