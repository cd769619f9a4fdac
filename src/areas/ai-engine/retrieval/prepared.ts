import { fold } from '../../../platform/search/words';
import { MAX_CHARACTERS } from '../model/text-features';
import { vectorOf, type WordVector } from '../predictions/similarity';
import { fixedPassagesOf } from './fixed-passages';
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

/** A document whose words are asked for. */
export interface Text {
  /** Another one as soon as it says something else: by an erasure, too. */
  key: string;
  title: string;
  /** What it is found by besides its text. */
  about: string;
  text: string;
  /** Its variables are no part of what it says. */
  isTemplate?: boolean;
}

export function prepared({ title, about, text, isTemplate = false }: Omit<Text, 'key'>): Prepared {
  const passages = (isTemplate ? fixedPassagesOf(text) : passagesOf(text)).slice(0, MOST_PASSAGES);
  const said = isTemplate ? passages.map((passage) => passage.text).join('\n') : text;
  return {
    about: wordsIn(`${title}\n${about}`),
    passages: passages.map((passage) => ({ passage, words: wordsIn(passage.text) })),
    vector: vectorOf(folded(`${title}\n${about}\n${said}`)),
  };
}
