import { keysOf, wordsOfLine } from './common-keys';
import { codeKey, codePlaces, EVERY, facetKey, isOfValues } from './value-keys';
import { beginningSets, CHUNK, PAIR_KEYS, pairSets, type WordBits, wordKey } from './word-bits';

/** What is remembered of words and of what follows them, until all of it is forgotten: whoever writes words of their own takes no more memory. */
const MOST_REMEMBERED = 25_000;

/** Columns whose values have keys. */
export interface ValueColumns {
  facets: readonly string[];
  ranks: WordBits['ranks'];
}

/** A record as it is folded: its line of words (null when it is gone), values of the facets, and codes of the ranks, in the order of their columns. */
export type FoldedRecord = readonly [number: number, line: string | null, ...values: (string | number | null)[]];

/** What is known of a word that has occurred. */
interface KnownWord {
  text: string;
  /** Of its keys. */
  indexes: readonly number[];
  isCommon: boolean;
  /** Phrases that begin with it. */
  head: Head | undefined;
  /** Indexes of the sets of pairs that it makes with a word behind it, once one was. */
  pairs: Map<string, readonly number[]> | null;
  /** The last record that it was met in. */
  metIn: number;
}

/** The first words of phrases that have keys. */
interface Head {
  key: string;
  next: Map<string, Head>;
  /** Indexes of the phrases that a word makes of it. */
  ends: Map<string, readonly number[]>;
}

/** Sets one of many bits: the rows of all keys follow each other, and the first number is the highest bit of the first byte, as `bit(8192)` has it. */
export function setBit(bits: Uint8Array, place: number): void {
  const byte = place >>> 3;
  bits[byte] = (bits[byte] ?? 0) | (128 >> (place & 7));
}

/** Works out which keys records have, of a list of keys. */
export class RecordKeys {
  private readonly places: ReadonlyMap<string, number>;
  /** Indexes of the sets of pairs; none where only values are folded. */
  private readonly sets: readonly (number | undefined)[];
  private heads: ReadonlyMap<string, Head>;
  private words = new Map<string, KnownWord>();
  private remembered = 0;
  private records = 0;
  private readonly codes: { place: number; index: number }[][];

  constructor(
    private readonly keys: readonly string[],
    private readonly columns: ValueColumns,
  ) {
    this.places = new Map(keys.map((key, index) => [key, index]));
    this.sets = PAIR_KEYS.map((key) => this.places.get(key));
    this.codes = Object.entries(columns.ranks).map(([column, type]) =>
      codePlaces(type).flatMap((place) => {
        const index = this.places.get(codeKey(column, place));
        return index === undefined ? [] : [{ place, index }];
      }),
    );
    this.heads = this.phrases();
  }

  /** Sets the bits of records of one chunk. @param bits of each key, in their order, as many as a chunk has numbers */
  add(records: readonly FoldedRecord[], bits: Uint8Array): void {
    for (const [number, line, ...values] of records) {
      if (line === null) continue;
      const place = number % CHUNK;
      const set = (index: number): void => {
        setBit(bits, index * CHUNK + place);
      };
      this.records++;
      this.addWords(line, set);
      this.addValues(values, set);
    }
  }

  private addWords(line: string, set: (index: number) => void): void {
    if (this.remembered > MOST_REMEMBERED) this.forget();
    const words = wordsOfLine(line).map((word) => this.wordOf(word));
    for (const [at, word] of words.entries()) {
      if (word.metIn !== this.records) word.indexes.forEach(set);
      word.metIn = this.records;
      const second = words[at + 1];
      if (!word.isCommon || !second) continue;
      this.pairsOf(word, second).forEach(set);
      let { head } = word;
      for (let next = at + 1; head && next < words.length; next++) {
        const { text } = words[next] as KnownWord;
        this.endsOf(head, text).forEach(set);
        head = head.next.get(text);
      }
    }
  }

  private addValues(values: readonly (string | number | null)[], set: (index: number) => void): void {
    const { facets } = this.columns;
    const keys = [EVERY, ...facets.map((column, at) => facetKey(column, values[at]))];
    for (const index of keys.flatMap((key) => this.places.get(key) ?? [])) set(index);
    for (const [at, bits] of this.codes.entries()) {
      const code = Number(values[facets.length + at]);
      for (const { place, index } of bits) if ((code >> place) & 1) set(index);
    }
  }

  private wordOf(text: string): KnownWord {
    let known = this.words.get(text);
    if (!known) {
      const isCommon = this.places.has(wordKey(text, false));
      known = { text, indexes: this.indexesOf(text), isCommon, head: this.heads.get(text), pairs: null, metIn: 0 };
      this.words.set(text, known);
      this.remembered++;
    }
    return known;
  }

  private pairsOf(first: KnownWord, second: KnownWord): readonly number[] {
    const { text } = first;
    const pairs = (first.pairs ??= new Map<string, readonly number[]>());
    let known = pairs.get(second.text);
    if (!known) {
      const sets = [...(second.isCommon ? pairSets(text, second.text) : []), ...beginningSets(text, second.text)];
      known = sets.flatMap((set) => this.sets[set] ?? []);
      pairs.set(second.text, known);
      this.remembered++;
    }
    return known;
  }

  private endsOf({ key, ends }: Head, word: string): readonly number[] {
    let known = ends.get(word);
    if (!known) {
      ends.set(word, (known = this.indexesOf(word, key)));
      this.remembered++;
    }
    return known;
  }

  /** Indexes of the keys of a word, behind others. */
  private indexesOf(word: string, before = ''): number[] {
    return keysOf(word).flatMap((key) => this.places.get(before + key) ?? []);
  }

  /** All that phrases begin with, up to their last words, by their first ones. */
  private phrases(): Map<string, Head> {
    const heads = new Map<string, Head>();
    for (const key of this.keys) {
      if (isOfValues(key)) continue;
      let [level, before] = [heads, ''];
      for (const word of key.trimEnd().split(' ').slice(0, -1)) {
        before += wordKey(word, false);
        let head = level.get(word);
        if (!head) level.set(word, (head = { key: before, next: new Map(), ends: new Map() }));
        level = head.next;
      }
    }
    return heads;
  }

  private forget(): void {
    this.words = new Map();
    this.heads = this.phrases();
    this.remembered = 0;
  }
}
