import { range, seeded } from './random';
import type { SparseRows } from './sparse';
import { learnVocabulary, type Vocabulary, weigh } from './tf-idf';

/** Where words stand beside each other: a few numbers for each word, which add up to those of a text. */
export interface LatentSpace {
  vocabulary: Vocabulary;
  dimensions: number;
  /** Word by word. */
  places: Float32Array;
  /** Where texts are on average. */
  origin: Float32Array;
}

/** More words than this are not looked at: those that fewer texts have are left out. */
const MOST_WORDS = 20_000;
const ROUNDS = 3;
/** How far texts are spread in each direction; what a network begins to learn from best. */
const SPREAD = 0.5;

/**
 * Learns the directions in which texts differ most by their words (latent semantic analysis; Deerwester et al. 1990), each as wide as
 * the others: words that come with the same words stand near each other. By subspace iteration from random directions (Halko,
 * Martinsson and Tropp 2011, algorithm 4.4).
 *
 * @param counts words of each text, none but single ones
 * @param texts so many of the first are learnt from
 */
export function learnSpace(counts: SparseRows, texts: number, dimensions: number): LatentSpace {
  const vocabulary = learnVocabulary(counts, texts, { minTexts: 2, most: MOST_WORDS });
  const rows = weigh(counts, vocabulary);
  const words = vocabulary.buckets.length;
  const random = seeded(11);
  let directions = columns(dimensions, words);
  for (const direction of directions) for (const at of range(words)) direction[at] = random() - 0.5;
  for (let round = 0; round < ROUNDS; round++) {
    directions = directions.map((direction) => backward(rows, texts, forward(rows, texts, direction), words));
    makeOrthonormal(directions, directions);
  }
  const shadows = directions.map((direction) => forward(rows, texts, direction));
  const middle = shadows.map((shadow) => shadow.reduce((sum, value) => sum + value, 0) / Math.max(1, texts));
  const centred = shadows.map((shadow, at) => shadow.map((value) => value - (middle[at] ?? 0)));
  makeOrthonormal(centred, directions);
  const scale = SPREAD * Math.sqrt(texts);
  const places = new Float32Array(words * dimensions);
  for (const [at, direction] of directions.entries())
    for (let word = 0; word < words; word++) places[word * dimensions + at] = scale * (direction[word] ?? 0);
  const space = { vocabulary, dimensions, places, origin: new Float32Array(dimensions) };
  return { ...space, origin: averagePlace(space, rows, texts) };
}

/** Where texts stand, text by text, from one on. @param rows as the vocabulary of the space weighs them */
export function placesIn(space: LatentSpace, rows: SparseRows, from: number, to: number): Float32Array {
  const { dimensions } = space;
  const all = new Float32Array((to - from) * dimensions);
  for (let row = from; row < to; row++) putPlace(space, rows, row, all, (row - from) * dimensions);
  return all;
}

/** Writes where a text stands into `out`, from `offset` on. */
export function putPlace(
  { dimensions, places, origin }: LatentSpace,
  rows: SparseRows,
  row: number,
  out: Float32Array | Float64Array,
  offset: number,
): void {
  for (let at = 0; at < dimensions; at++) out[offset + at] = -(origin[at] ?? 0);
  for (let entry = rows.starts[row] ?? 0; entry < (rows.starts[row + 1] ?? 0); entry++) {
    const word = (rows.columns[entry] ?? 0) * dimensions;
    const value = rows.values[entry] ?? 0;
    for (let at = 0; at < dimensions; at++)
      out[offset + at] = (out[offset + at] ?? 0) + value * (places[word + at] ?? 0);
  }
}

/** Moves the words of a text down slopes, from `offset` on, each by what it weighs in the text. */
export function moveWords(
  { dimensions, places }: LatentSpace,
  rows: SparseRows,
  row: number,
  { slopes, offset, pace }: { slopes: Float64Array; offset: number; pace: number },
): void {
  for (let entry = rows.starts[row] ?? 0; entry < (rows.starts[row + 1] ?? 0); entry++) {
    const word = (rows.columns[entry] ?? 0) * dimensions;
    const step = pace * (rows.values[entry] ?? 0);
    for (let at = 0; at < dimensions; at++)
      places[word + at] = (places[word + at] ?? 0) - step * (slopes[offset + at] ?? 0);
  }
}

function averagePlace(space: LatentSpace, rows: SparseRows, texts: number): Float32Array {
  const { dimensions } = space;
  const all = placesIn(space, rows, 0, texts);
  const sums = new Float64Array(dimensions);
  for (const [at, value] of all.entries()) sums[at % dimensions] = (sums[at % dimensions] ?? 0) + value;
  return Float32Array.from(sums, (sum) => sum / Math.max(1, texts));
}

const columns = (count: number, length: number): Float64Array[] =>
  Array.from({ length: count }, () => new Float64Array(length));

/** What each text has of a direction. */
function forward({ starts, columns: at, values }: SparseRows, texts: number, direction: Float64Array): Float64Array {
  const shadow = new Float64Array(texts);
  for (let row = 0; row < texts; row++) {
    let sum = 0;
    for (let entry = starts[row] ?? 0; entry < (starts[row + 1] ?? 0); entry++)
      sum += (values[entry] ?? 0) * (direction[at[entry] ?? 0] ?? 0);
    shadow[row] = sum;
  }
  return shadow;
}

/** The direction that texts with such a share are in. */
function backward(rows: SparseRows, texts: number, shadow: Float64Array, words: number): Float64Array {
  const { starts, columns: at, values } = rows;
  const direction = new Float64Array(words);
  for (let row = 0; row < texts; row++) {
    const share = shadow[row] ?? 0;
    for (let entry = starts[row] ?? 0; entry < (starts[row + 1] ?? 0); entry++) {
      const word = at[entry] ?? 0;
      direction[word] = (direction[word] ?? 0) + share * (values[entry] ?? 0);
    }
  }
  return direction;
}

/**
 * Makes vectors orthogonal and of length 1, in place (modified Gram-Schmidt); `along` goes through the same steps. A vector that the
 * ones before it make up becomes none.
 */
function makeOrthonormal(vectors: readonly Float64Array[], along: readonly Float64Array[]): void {
  for (const [at, vector] of vectors.entries()) {
    const moved = along[at] === vector ? [vector] : [vector, along[at] ?? vector];
    const before = length(vector);
    for (let other = 0; other < at; other++) {
      const share = product(vector, vectors[other] ?? vector);
      subtract(vector, vectors[other] ?? vector, share);
      if (moved.length > 1) subtract(moved[1] ?? vector, along[other] ?? vector, share);
    }
    const rest = length(vector);
    const scale = rest > 1e-9 * before && rest > 0 ? 1 / rest : 0;
    for (const each of moved)
      for (let place = 0; place < each.length; place++) each[place] = (each[place] ?? 0) * scale;
  }
}

const length = (vector: Float64Array): number => Math.sqrt(product(vector, vector));

function product(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let place = 0; place < one.length; place++) sum += (one[place] ?? 0) * (other[place] ?? 0);
  return sum;
}

function subtract(from: Float64Array, other: Float64Array, share: number): void {
  for (let place = 0; place < from.length; place++) from[place] = (from[place] ?? 0) - share * (other[place] ?? 0);
}
