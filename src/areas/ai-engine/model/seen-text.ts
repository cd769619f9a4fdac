import type { SparseRows } from './sparse';
import { type FeatureKinds, wordsOf } from './text-features';
import { countAlone, countWords, type Vocabulary, weighCounted } from './tf-idf';

/** A text that models are asked about: its features are counted once for all of them, and weighed once for each. */
export class SeenText {
  private readonly counted = new Map<boolean, SparseRows>();
  private readonly weighed = new WeakMap<Vocabulary, SparseRows>();
  private found: string[] | null = null;
  private alone: SparseRows | null = null;

  constructor(private readonly text: string) {}

  get words(): readonly string[] {
    return (this.found ??= wordsOf(this.text));
  }

  /** One row: its features as a model knows them. */
  rows(kinds: FeatureKinds, vocabulary: Vocabulary): SparseRows {
    return this.weigh(vocabulary, () => this.counts(kinds));
  }

  /** One row: its words as a model knows them that looks at nothing else. */
  wordRows(vocabulary: Vocabulary): SparseRows {
    return this.weigh(vocabulary, () => (this.alone ??= countAlone([this.words])));
  }

  private weigh(vocabulary: Vocabulary, counts: () => SparseRows): SparseRows {
    let rows = this.weighed.get(vocabulary);
    if (!rows) {
      rows = weighCounted(counts(), vocabulary);
      this.weighed.set(vocabulary, rows);
    }
    return rows;
  }

  private counts(kinds: FeatureKinds): SparseRows {
    let counts = this.counted.get(kinds.characters);
    if (!counts) {
      counts = countWords(this.words, kinds);
      this.counted.set(kinds.characters, counts);
    }
    return counts;
  }
}

/** The same of a text that may have been seen before. */
export function seenText(text: string | SeenText): SeenText {
  return typeof text === 'string' ? new SeenText(text) : text;
}
