import type { Classifier } from './classifier';
import { latentShares } from './latent-network';
import { type SeenText, seenText } from './seen-text';
import { BLOCKS, wordBucket } from './text-features';
import { columnOf } from './tf-idf';

/** A word of a text, and how much it speaks for the class that was said; the higher the more. */
export interface Telling {
  token: string;
  weight: number;
}

/**
 * The words of a text that spoke most for a class: what they add to its score beyond what they add to that
 * of the other classes, with the pairs that they begin or end; of networks, as far as a small change of the word tells.
 */
export function explain(classifier: Classifier, text: string | SeenText, value: string, most = 5): Telling[] {
  const chosen = classifier.classes.indexOf(value);
  const { vocabulary, model, latent } = classifier;
  if (chosen < 0) return [];
  const seen = seenText(text);
  const rows = seen.rows(classifier.kinds, vocabulary);
  const values = new Map<number, number>();
  for (const [at, column] of rows.columns.entries()) values.set(column, rows.values[at] ?? 0);
  /** How much of the score of each class is in what is told: its own, less what the others have on average. */
  const shares = classifier.classes.map((_, k) => (k === chosen ? 1 : -1 / Math.max(1, model.classes - 1)));
  const beyond = (from: number): number =>
    shares.reduce((sum, share, k) => sum + share * (model.weights[from + k] ?? 0), 0);
  const speaksFor = (bucket: number): number => {
    const column = columnOf(vocabulary, bucket);
    const found = column < 0 ? undefined : values.get(column);
    return found === undefined ? 0 : found * beyond(column * model.classes);
  };
  const networks = latent.map((each) => {
    const known = each.space.vocabulary;
    return { known, added: latentShares(each, seen.wordRows(known), shares) };
  });
  const ofNetworks = (bucket: number): number =>
    networks.reduce((sum, { known, added }) => sum + (added.get(columnOf(known, bucket)) ?? 0), 0);
  const { words } = seen;
  const telling = new Map<string, number>();
  for (const [index, word] of words.entries()) {
    if (telling.has(word)) continue;
    const alone = wordBucket(word);
    const before = index > 0 ? wordBucket(word, words[index - 1]) : null;
    const next = words[index + 1];
    const pairs = [before, next === undefined ? null : wordBucket(next, word)].filter((pair) => pair !== null);
    const shared = pairs.reduce((sum, pair) => sum + speaksFor(pair) / 2, 0);
    telling.set(word, speaksFor(alone) + speaksFor(BLOCKS.opening + alone) + shared + ofNetworks(alone));
  }
  return [...telling]
    .map(([token, weight]) => ({ token, weight: Math.round(weight * 10_000) / 10_000 }))
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .slice(0, most);
}
