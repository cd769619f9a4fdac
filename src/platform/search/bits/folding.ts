import { breather } from '../../workers/breather';
import { characters } from '../words';
import { CHUNK, CHUNK_BYTES, wordKey } from './word-bits';

/** A record as it is folded. */
export interface FoldedRecord {
  number: number;
  /** Its line of words; null when it is gone. */
  line: string | null;
  /** Keys of its facets. */
  facets: readonly string[];
}

const ASCII = /^[\u0001-\u007f]*$/;

/** The keys that a word answers to: all of its beginnings, and itself as a whole. */
export function keysOf(word: string): string[] {
  const letters = ASCII.test(word) ? null : characters(word);
  const { length } = letters ?? word;
  const keys: string[] = [];
  for (let end = 1; end <= length; end++) keys.push(letters ? letters.slice(0, end).join('') : word.slice(0, end));
  keys.push(wordKey(word, false));
  return keys;
}

/** The different words of a line. */
function wordsOfLine(line: string): Set<string> {
  const words = new Set(line.split(' '));
  words.delete('');
  return words;
}

/** Keys that at least `share` of the lines have, the most common first, at most `most`. */
export async function commonKeys(lines: readonly string[], share: number, most: number): Promise<string[]> {
  const pause = breather();
  const known = new Map<string, string[]>();
  const counts = new Map<string, number>();
  for (const line of lines) {
    const keys = new Set<string>();
    for (const word of wordsOfLine(line)) {
      let own = known.get(word);
      if (!own) known.set(word, (own = keysOf(word)));
      for (const key of own) keys.add(key);
    }
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    await pause();
  }
  const least = Math.max(1, share * lines.length);
  return [...counts]
    .filter(([, count]) => count >= least)
    .sort(([, one], [, other]) => other - one)
    .slice(0, most)
    .map(([key]) => key);
}

/** The bits of records of one chunk. */
export interface ChunkBits {
  /** For each key, in their order, `CHUNK_BYTES`; the first number is the highest bit of the first byte, as `bit(8192)` has it. */
  bits: Buffer;
  /** Which records these bits speak of. */
  mask: Buffer;
}

/** Works out the bits of records as they come; all of one chunk. */
export class ChunkFold implements ChunkBits {
  readonly bits: Buffer;
  readonly mask = Buffer.alloc(CHUNK_BYTES);
  private readonly places: ReadonlyMap<string, number>;
  /** Indexes of the keys of words that have occurred. */
  private readonly known = new Map<string, readonly number[]>();

  constructor(keys: readonly string[]) {
    this.bits = Buffer.alloc(keys.length * CHUNK_BYTES);
    this.places = new Map(keys.map((key, index) => [key, index]));
  }

  /** Sets the bits of some records. Others have their turn between them. */
  async add(records: readonly FoldedRecord[]): Promise<void> {
    const pause = breather();
    for (const { number, line, facets } of records) {
      const place = number % CHUNK;
      const [byte, bit] = [place >> 3, 128 >> (place & 7)];
      this.mask[byte] = (this.mask[byte] ?? 0) | bit;
      if (line === null) continue;
      for (const word of wordsOfLine(line)) for (const index of this.indexesOf(word)) this.set(index, byte, bit);
      for (const key of facets) {
        const index = this.places.get(key);
        if (index !== undefined) this.set(index, byte, bit);
      }
      await pause();
    }
  }

  private indexesOf(word: string): readonly number[] {
    let indexes = this.known.get(word);
    if (!indexes) {
      indexes = keysOf(word).flatMap((key) => this.places.get(key) ?? []);
      this.known.set(word, indexes);
    }
    return indexes;
  }

  private set(index: number, byte: number, bit: number): void {
    const at = index * CHUNK_BYTES + byte;
    this.bits[at] = (this.bits[at] ?? 0) | bit;
  }
}
