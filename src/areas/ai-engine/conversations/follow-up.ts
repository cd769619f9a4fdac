import { eachWord } from '../../../platform/search/words';
import { tellingWords } from '../language/stop-words';
import type { Found } from '../retrieval/retrieval.service';
import { covered, wordsIn } from '../retrieval/ranking';

/** Telling words of a message that may mean little without what was said before it. */
const FEW = 3;
/** Part of these that a passage must have: without, it answers what was asked before once more. */
const OWN = 0.5;

/** Whether a message says so little that it may go with what was asked before ("And on Windows?"). */
export function isShort(text: string): boolean {
  return ownWords(text, FEW + 1).length <= FEW;
}

/**
 * What was found to a short message together with what was asked before, as far as it has something of the message itself.
 *
 * @param least score that an answer needs
 * @returns null where nothing of it answers: the message is asked by itself then
 */
export function followedUp({ hits, question }: Found, text: string, least: number): Found | null {
  const own = new Map(ownWords(text, FEW).map((word) => [word, 1] as const));
  const about = hits.filter(({ title, passage }) => covered(own, [wordsIn(title), wordsIn(passage)]) >= OWN);
  return (about[0]?.score ?? 0) >= least && about.length > 0 ? { hits: about, question } : null;
}

function ownWords(text: string, most: number): string[] {
  return tellingWords(
    [...eachWord(text)].map((word) => word.text),
    most,
  );
}
