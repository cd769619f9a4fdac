import { wordsOf } from '../model/text-features';

/** How often a text has each word, damped, as a vector of length 1. */
export type WordVector = ReadonlyMap<string, number>;

export function vectorOf(text: string): WordVector {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const weights = [...counts].map(([word, count]) => [word, 1 + Math.log(count)] as const);
  const length = Math.sqrt(weights.reduce((sum, [, weight]) => sum + weight * weight, 0)) || 1;
  return new Map(weights.map(([word, weight]) => [word, weight / length]));
}

/** Cosine: 1 for the same words as often, 0 for none in common. */
export function similarity(one: WordVector, other: WordVector): number {
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  let sum = 0;
  for (const [word, weight] of few) sum += weight * (many.get(word) ?? 0);
  return Math.min(1, sum);
}
