import { type SparseRows, SparseBuilder } from './sparse';
import { ALL_BUCKETS, blockOf, eachFeature, type FeatureKinds, wordBucket, wordsOf } from './text-features';

/** What a block weighs beside the others, each of which has length 1. */
const BLOCK_WEIGHTS = [1, 1, 0.6, 0.6];

/** Features that a model knows: their buckets, ascending, and how telling each is. Its place there is its column. */
export interface Vocabulary {
  buckets: Int32Array;
  idf: Float32Array;
}

/** Where features of a text are put before they are counted; nothing of it is read once they are. Made once: clearing it takes as long as a short text. */
let found = new Int32Array(1 << 16);

/** How often each feature occurs in each text: a row of buckets, ascending, and counts. */
export function countFeatures(texts: readonly string[], kinds: FeatureKinds): SparseRows {
  const rows = new SparseBuilder();
  for (const text of texts) addCounts(rows, featuresIn(wordsOf(text), kinds));
  return rows.finish();
}

/** The same for one text, by its words. */
export function countWords(words: readonly string[], kinds: FeatureKinds): SparseRows {
  const features = featuresIn(words, kinds);
  const rows = new SparseBuilder(features.length);
  addCounts(rows, features);
  return rows.finish();
}

/** How often each word occurs in each text, by its bucket, and nothing else. */
export function countAlone(texts: Iterable<readonly string[]>): SparseRows {
  const rows = new SparseBuilder();
  for (const words of texts) addCounts(rows, Int32Array.from(words, (word) => wordBucket(word)).sort());
  return rows.finish();
}

/** The features of a text, ascending, as often as they occur; until the next text is asked for. */
function featuresIn(words: readonly string[], kinds: FeatureKinds): Int32Array {
  let size = 0;
  eachFeature(words, kinds, (bucket) => {
    if (size === found.length) found = doubled(found);
    found[size++] = bucket;
  });
  return found.subarray(0, size).sort();
}

/**
 * The features that at least `minTexts` of the first rows have; where there would be more than `most`, those that more texts have.
 */
export function learnVocabulary(
  counts: SparseRows,
  rows: number,
  { minTexts, most }: { minTexts: number; most: number },
): Vocabulary {
  const texts = new Int32Array(ALL_BUCKETS);
  const end = counts.starts[rows] ?? 0;
  for (let at = 0; at < end; at++) texts[counts.columns[at] ?? 0] = (texts[counts.columns[at] ?? 0] ?? 0) + 1;
  const least = threshold(texts, minTexts, most, rows);
  const buckets: number[] = [];
  const idf: number[] = [];
  for (let bucket = 0; bucket < ALL_BUCKETS; bucket++) {
    const count = texts[bucket] ?? 0;
    if (count < least) continue;
    buckets.push(bucket);
    idf.push(Math.log((1 + rows) / (1 + count)) + 1);
  }
  return { buckets: Int32Array.from(buckets), idf: Float32Array.from(idf) };
}

/** Counts as weights of the features that are known: damped counts times idf, each block of length 1 times its weight. */
export function weigh(counts: SparseRows, vocabulary: Vocabulary): SparseRows {
  const columns = new Int32Array(ALL_BUCKETS).fill(-1);
  for (const [column, bucket] of vocabulary.buckets.entries()) columns[bucket] = column;
  return weighBy(counts, vocabulary, (bucket) => columns[bucket] ?? -1);
}

/** The same for one text, without a table of all buckets. */
export function weighCounted(counts: SparseRows, vocabulary: Vocabulary): SparseRows {
  return weighBy(counts, vocabulary, columnsOf(vocabulary));
}

/** Column of a bucket; -1 when the feature is not known. */
export function columnOf(vocabulary: Vocabulary, bucket: number): number {
  return columnsOf(vocabulary)(bucket);
}

/** Buckets whose columns stand in one stretch, as a power of two; where each stretch begins is kept with the vocabulary. */
const STRETCH_BITS = 10;
const stretches = new WeakMap<Int32Array, Int32Array>();

/** The same for many: what is looked through is a few lines of memory, not all of the vocabulary. */
function columnsOf({ buckets }: Vocabulary): (bucket: number) => number {
  const starts = stretches.get(buckets) ?? stretchesOf(buckets);
  return (bucket) => {
    const stretch = bucket >> STRETCH_BITS;
    let from = starts[stretch] ?? 0;
    let to = (starts[stretch + 1] ?? 0) - 1;
    while (from <= to) {
      const middle = (from + to) >> 1;
      const there = buckets[middle] ?? 0;
      if (there === bucket) return middle;
      if (there < bucket) from = middle + 1;
      else to = middle - 1;
    }
    return -1;
  };
}

function stretchesOf(buckets: Int32Array): Int32Array {
  const starts = new Int32Array((ALL_BUCKETS >> STRETCH_BITS) + 1);
  let place = 0;
  for (let stretch = 0; stretch < starts.length; stretch++) {
    while (place < buckets.length && (buckets[place] ?? 0) >> STRETCH_BITS < stretch) place++;
    starts[stretch] = place;
  }
  stretches.set(buckets, starts);
  return starts;
}

function weighBy(counts: SparseRows, { idf }: Vocabulary, columnAt: (bucket: number) => number): SparseRows {
  const rows = new SparseBuilder(counts.columns.length);
  const found = { columns: [0], weights: [0], blocks: [0] };
  for (let row = 0; row + 1 < counts.starts.length; row++) {
    const squares = [0, 0, 0, 0];
    let size = 0;
    for (let at = counts.starts[row] ?? 0; at < (counts.starts[row + 1] ?? 0); at++) {
      const bucket = counts.columns[at] ?? 0;
      const column = columnAt(bucket);
      if (column < 0) continue;
      const weight = (1 + Math.log(counts.values[at] ?? 1)) * (idf[column] ?? 0);
      const block = blockOf(bucket);
      found.columns[size] = column;
      found.weights[size] = weight;
      found.blocks[size++] = block;
      squares[block] = (squares[block] ?? 0) + weight * weight;
    }
    const scale = squares.map((square, block) => (square > 0 ? (BLOCK_WEIGHTS[block] ?? 1) / Math.sqrt(square) : 0));
    for (let at = 0; at < size; at++)
      rows.add(found.columns[at] ?? 0, (found.weights[at] ?? 0) * (scale[found.blocks[at] ?? 0] ?? 0));
    rows.endRow();
  }
  return rows.finish();
}

function addCounts(rows: SparseBuilder, sorted: Int32Array): void {
  for (let from = 0; from < sorted.length;) {
    let to = from + 1;
    while (to < sorted.length && sorted[to] === sorted[from]) to++;
    rows.add(sorted[from] ?? 0, to - from);
    from = to;
  }
  rows.endRow();
}

/** The least number of texts that leaves at most so many features. */
function threshold(texts: Int32Array, minTexts: number, most: number, rows: number): number {
  const having = new Int32Array(rows + 2);
  for (const count of texts) having[count] = (having[count] ?? 0) + 1;
  let kept = 0;
  for (let count = rows; count >= minTexts; count--) {
    kept += having[count] ?? 0;
    if (kept > most) return count + 1;
  }
  return minTexts;
}

function doubled(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
