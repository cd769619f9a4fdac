import { type LatentSpace, learnSpace, placesIn } from './latent-space';
import { type Network, networkScores, networkSlopes, sideBySide, trainNetwork } from './network';
import type { SparseRows } from './sparse';
import { weigh } from './tf-idf';

/** A network, or several as one, that looks at where the words of a text stand. */
export interface LatentNetwork {
  space: LatentSpace;
  network: Network;
}

/** Below, there are too few texts to learn from where words stand. */
export const LEAST_TEXTS = 2_000;
const DIMENSIONS = 100;
/** Two that begin elsewhere err less together than either. */
const SEEDS = [5, 17] as const;
const NETWORK = { hidden: 128, rounds: 6, batch: 64, pace: 4e-3 };

/**
 * Learns from the first texts: as many as there are labels.
 *
 * @param counts single words of each text
 */
export function trainLatentNetwork(counts: SparseRows, labels: Int32Array, classes: number): LatentNetwork {
  const space = learnSpace(counts, labels.length, DIMENSIONS);
  const places = placesIn(space, weigh(counts, space.vocabulary), 0, labels.length);
  const made = (seed: number): Network => trainNetwork(places, labels, classes, { ...NETWORK, seed });
  return { space, network: sideBySide([made(SEEDS[0]), made(SEEDS[1])]) };
}

/** What it says of the texts from one on. */
export function latentScores(
  { space, network }: LatentNetwork,
  counts: SparseRows,
  from: number,
  to: number,
): Float32Array {
  const places = placesIn(space, weigh(counts, space.vocabulary), from, to);
  const scores = new Float32Array((to - from) * network.classes);
  for (let row = 0; row < to - from; row++) networkScores(network, places, row, scores, row * network.classes);
  return scores;
}

/** Adds what it says of one text to scores. @param rows the text, as the vocabulary of the space weighs it */
export function addLatentScores({ space, network }: LatentNetwork, rows: SparseRows, scores: Float32Array): void {
  const own = new Float32Array(network.classes);
  networkScores(network, placesIn(space, rows, 0, 1), 0, own);
  for (let k = 0; k < own.length; k++) scores[k] = (scores[k] ?? 0) + (own[k] ?? 0);
}

/** How much each word of a text, by its column, adds to the score of each class, as far as a small change tells. */
export function latentShares({ space, network }: LatentNetwork, rows: SparseRows): Map<number, Float32Array> {
  const slopes = networkSlopes(network, placesIn(space, rows, 0, 1));
  const shares = new Map<number, Float32Array>();
  for (const [entry, word] of rows.columns.entries()) {
    const share = new Float32Array(network.classes);
    const value = rows.values[entry] ?? 0;
    for (let at = 0; at < space.dimensions; at++) {
      const moved = value * (space.places[word * space.dimensions + at] ?? 0);
      for (let k = 0; k < share.length; k++) share[k] = (share[k] ?? 0) + moved * (slopes[at * share.length + k] ?? 0);
    }
    shares.set(word, share);
  }
  return shares;
}
