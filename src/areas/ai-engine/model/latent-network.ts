import { type LatentSpace, learnSpace, moveWords, placesIn, putPlace } from './latent-space';
import { type Network, networkScores, networkSlopes, sideBySide, trainBySight, trainNetwork } from './network';
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
/** Where words move, too, fewer rounds are enough. */
const MOVING_SEEDS = [29, 41] as const;
const MOVING_ROUNDS = 3;
/** How far words move at first, beside how far texts are spread. */
const WORD_PACE = 5;

/**
 * Learns from the first texts: as many as there are labels. Networks of three spaces of one vocabulary: one where words stand by what they
 * come with, and two that begin there and where each word moves to where the classes are told apart better (Iyyer et al. 2015).
 *
 * @param counts single words of each text
 */
export function trainLatentNetworks(counts: SparseRows, labels: Int32Array, classes: number): LatentNetwork[] {
  const space = learnSpace(counts, labels.length, DIMENSIONS);
  const rows = weigh(counts, space.vocabulary);
  const places = placesIn(space, rows, 0, labels.length);
  const made = (seed: number): Network => trainNetwork(places, labels, classes, { ...NETWORK, seed });
  const standing = { space, network: sideBySide([made(SEEDS[0]), made(SEEDS[1])]) };
  return [standing, ...MOVING_SEEDS.map((seed) => trainMoving(space, rows, labels, classes, seed))];
}

/** A network and a space of its own, whose words it moves while it learns: each by what it weighs in the text. */
function trainMoving(
  space: LatentSpace,
  rows: SparseRows,
  labels: Int32Array,
  classes: number,
  seed: number,
): LatentNetwork {
  const moved = { ...space, places: space.places.slice() };
  const sight = {
    inputs: space.dimensions,
    show: (row: number, out: Float64Array, at: number): void => {
      putPlace(moved, rows, row, out, at);
    },
    move: (row: number, slopes: Float64Array, at: number, left: number): void => {
      moveWords(moved, rows, row, { slopes, offset: at, pace: WORD_PACE * left });
    },
  };
  const network = trainBySight(sight, labels, classes, { ...NETWORK, rounds: MOVING_ROUNDS, seed });
  return { space: moved, network };
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

/**
 * How much each word of a text, by its column, adds to a sum of scores, as far as a small change tells.
 *
 * @param shares how much of the score of each class is in the sum
 */
export function latentShares(
  { space, network }: LatentNetwork,
  rows: SparseRows,
  shares: readonly number[],
): Map<number, number> {
  const { dimensions, places } = space;
  const slopes = networkSlopes(network, placesIn(space, rows, 0, 1), shares);
  const added = new Map<number, number>();
  for (const [entry, word] of rows.columns.entries()) {
    let slope = 0;
    for (let at = 0; at < dimensions; at++) slope += (places[word * dimensions + at] ?? 0) * (slopes[at] ?? 0);
    added.set(word, slope * (rows.values[entry] ?? 0));
  }
  return added;
}
