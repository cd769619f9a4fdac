import { textNumber, wordsOf } from './text-features';

/** A part of the texts tells how good a model is: every fifth, by what it says. */
export const PARTS = 5;

/**
 * Texts by their places, those that are held out behind the others: chosen by what they say, so that the same text is never on both sides.
 *
 * @returns `kept`: how many are not held out
 */
export function heldOutLast(texts: readonly string[]): { order: number[]; kept: number } {
  const numbers = texts.map((text) => textNumber(wordsOf(text)));
  const places = [...texts.keys()];
  const isHeldOut = (at: number): boolean => (numbers[at] ?? 0) % PARTS === 0;
  const seen = places.filter((at) => !isHeldOut(at));
  return { order: [...seen, ...places.filter(isHeldOut)], kept: seen.length };
}
