import { breather } from '../../workers/breather';
import { characters } from '../words';
import { beginningSets, CHUNK, CHUNK_BYTES, LONGEST_PHRASE, PAIR_KEYS, pairSets, wordKey } from './word-bits';

/** A record as it is folded. */
export interface FoldedRecord {
  number: number;
  /** Its line of words; null when it is gone. */
  line: string | null;
  /** Keys of its values. */
  values: readonly string[];
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

/** The words of a line, in their order. */
function wordsOfLine(line: string): string[] {
  return line.split(' ').filter((word) => word !== '');
}

/** Keys of words, beginnings and phrases that at least `share` of the lines have, the most common first, at most `most`. */
export async function commonKeys(lines: readonly string[], share: number, most: number): Promise<string[]> {
  const pause = breather();
  const least = Math.max(1, share * lines.length);
  const known = new Map<string, string[]>();
  const counts = new Map<string, number>();
  for (const line of lines) {
    const keys = new Set<string>();
    for (const word of new Set(wordsOfLine(line))) {
      let own = known.get(word);
      if (!own) known.set(word, (own = keysOf(word)));
      for (const key of own) keys.add(key);
    }
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    await pause();
  }
  const words = [...counts].filter(([, count]) => count >= least);
  const phrases = await commonPhrases(lines, least, new Set(words.map(([key]) => key)));
  return [...words, ...phrases]
    .sort(([, one], [, other]) => other - one)
    .slice(0, most)
    .map(([key]) => key);
}

/** Keys of phrases, each also as the beginning of one, with the lines that have them: those of more words among those of fewer. */
async function commonPhrases(
  lines: readonly string[],
  least: number,
  words: ReadonlySet<string>,
): Promise<[key: string, count: number][]> {
  const pause = breather();
  const found: [string, number][] = [];
  let shorter = words;
  for (let length = 2; length <= LONGEST_PHRASE && shorter.size > 0; length++) {
    const counts = new Map<string, number>();
    for (const line of lines) {
      const inLine = wordsOfLine(line);
      const keys = new Set<string>();
      for (let at = 0; at + length <= inLine.length; at++) {
        const part = (from: number, to: number): string => wordKey(inLine.slice(from, to).join(' '), false);
        const isLikely = shorter.has(part(at, at + length - 1)) && shorter.has(part(at + 1, at + length));
        if (isLikely) keys.add(part(at, at + length));
      }
      for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
      await pause();
    }
    const common = [...counts].filter(([, count]) => count >= least);
    for (const [key, count] of common) found.push([key, count], [key.trimEnd(), count]);
    shorter = new Set(common.map(([key]) => key));
  }
  return found;
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
  /** Indexes of the sets of pairs; none where only values are folded. */
  private readonly sets: readonly (number | undefined)[];
  /** What phrases begin with, up to their last word. */
  private readonly heads = new Set<string>();
  private readonly known = new Map<string, KnownWord>();

  constructor(keys: readonly string[]) {
    this.bits = Buffer.alloc(keys.length * CHUNK_BYTES);
    this.places = new Map(keys.map((key, index) => [key, index]));
    this.sets = PAIR_KEYS.map((key) => this.places.get(key));
    for (const key of keys) {
      for (let at = key.indexOf(' '); at >= 0 && at < key.length - 1; at = key.indexOf(' ', at + 1))
        this.heads.add(key.slice(0, at + 1));
    }
  }

  /** Sets the bits of some records. Others have their turn between them. */
  async add(records: readonly FoldedRecord[]): Promise<void> {
    const pause = breather();
    for (const { number, line, values } of records) {
      const place = number % CHUNK;
      const [byte, bit] = [place >> 3, 128 >> (place & 7)];
      this.mask[byte] = (this.mask[byte] ?? 0) | bit;
      if (line === null) continue;
      const set = (index: number | undefined): void => {
        if (index !== undefined) this.set(index, byte, bit);
      };
      const words = wordsOfLine(line);
      for (const word of new Set(words)) this.wordOf(word).indexes.forEach(set);
      if (this.heads.size > 0 || this.sets[0] !== undefined) this.addSequences(words, set);
      for (const key of values) set(this.places.get(key));
      await pause();
    }
  }

  private addSequences(words: readonly string[], set: (index: number | undefined) => void): void {
    for (let at = 0; at + 1 < words.length; at++) {
      const [first = '', second = ''] = [words[at], words[at + 1]];
      if (!this.wordOf(first).isCommon) continue;
      if (this.wordOf(second).isCommon) for (const pair of pairSets(first, second)) set(this.sets[pair]);
      for (const pair of beginningSets(first, second)) set(this.sets[pair]);
      let head = wordKey(first, false);
      for (let next = at + 1; next < words.length && this.heads.has(head); next++) {
        const word = words[next] ?? '';
        for (const key of keysOf(word)) set(this.places.get(head + key));
        head += wordKey(word, false);
      }
    }
  }

  private wordOf(word: string): KnownWord {
    let known = this.known.get(word);
    if (!known) {
      const indexes = keysOf(word).flatMap((key) => this.places.get(key) ?? []);
      known = { indexes, isCommon: this.places.has(wordKey(word, false)) };
      this.known.set(word, known);
    }
    return known;
  }

  private set(index: number, byte: number, bit: number): void {
    const at = index * CHUNK_BYTES + byte;
    this.bits[at] = (this.bits[at] ?? 0) | bit;
  }
}

/** What is known of a word that has occurred. */
interface KnownWord {
  /** Of its keys. */
  indexes: readonly number[];
  isCommon: boolean;
}
