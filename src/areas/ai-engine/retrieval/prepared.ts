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

/** @param about what it is found by besides its text */
export function prepared(title: string, about: string, text: string): Prepared {
  return {
    about: wordsIn(`${title}\n${about}`),
    passages: passagesOf(text)
      .slice(0, MOST_PASSAGES)
      .map((passage) => ({ passage, words: wordsIn(passage.text) })),
    vector: vectorOf(`${title}\n${about}\n${text}`),
  };
}
