/** Of a longer text only the beginning counts, so that a hostile one costs no more than a long one. */
export const MAX_CHARACTERS = 8_000;

/** Words at the beginning of a text that count once more: what it is about is said there. */
const OPENING_WORDS = 10;

/** Buckets of one block of features. */
const BUCKET_BITS = 20;
const BUCKETS = 1 << BUCKET_BITS;

/** The blocks that features come in, by where their buckets begin. */
export const BLOCKS = { words: 0, characters: BUCKETS, opening: 2 * BUCKETS, apart: 3 * BUCKETS } as const;
export const ALL_BUCKETS = 4 * BUCKETS;

/** Number of the block that a bucket is in. */
export const blockOf = (bucket: number): number => bucket >> BUCKET_BITS;

/** What is seen of texts; without `characters` it takes a sixth of the time. */
export interface FeatureKinds {
  characters: boolean;
}

/** Words of a text as features see them: in lower case and compatibility forms; letters, marks and digits alone. */
export function wordsOf(text: string): string[] {
  return (
    text
      .slice(0, MAX_CHARACTERS)
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

/** Bucket of a word, or of a word and the one before it, among the words. */
export function wordBucket(word: string, before?: string): number {
  const own = mix(hash(word, 0x811c9dc5));
  return place(before === undefined ? own : mix(Math.imul(mix(hash(before, 0x9747b28c)), 31) ^ own));
}

/**
 * Hands every feature of a text to `each`, as often as it occurs: words and pairs of words, the same of its beginning, pairs with a
 * word between them, and runs of three to five characters inside of words, whose ends are marked.
 */
export function eachFeature(
  words: readonly string[],
  { characters }: FeatureKinds,
  each: (bucket: number) => void,
): void {
  for (const [index, word] of words.entries()) {
    const alone = wordBucket(word);
    const pair = index > 0 ? wordBucket(word, words[index - 1]) : null;
    each(alone);
    if (pair !== null) each(pair);
    if (index < OPENING_WORDS) {
      each(BLOCKS.opening + alone);
      if (pair !== null) each(BLOCKS.opening + pair);
    }
    if (index > 1) each(BLOCKS.apart + wordBucket(word, words[index - 2]));
    if (characters) eachRun(` ${word} `, each);
  }
}

function eachRun(padded: string, each: (bucket: number) => void): void {
  for (let from = 0; from < padded.length; from++) {
    let value = 0x811c9dc5;
    for (let at = from; at < padded.length && at < from + 5; at++) {
      value = Math.imul(value ^ padded.charCodeAt(at), 0x01000193);
      if (at - from >= 2) each(BLOCKS.characters + place(mix(value)));
    }
  }
}

/** A number that tells texts apart, and is the same for the same words. */
export function textNumber(words: readonly string[]): number {
  return words.reduce((value, word) => mix(Math.imul(value, 31) ^ hash(word, 0x811c9dc5)), 7) >>> 0;
}

const place = (hashed: number): number => hashed >>> (32 - BUCKET_BITS);

function hash(text: string, seed: number): number {
  let value = seed;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value;
}

/** The last step of Murmur 3: spreads what differs over all bits. */
function mix(value: number): number {
  let mixed = value ^ (value >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
