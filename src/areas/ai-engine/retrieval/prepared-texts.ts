import { LRUCache } from 'lru-cache';
import { breather } from '../../../platform/workers/breather';
import { type Prepared, prepared } from './prepared';

const KEPT_MS = 600_000;

/** A document whose words are asked for. */
export interface Text {
  /** Another one as soon as it says something else: by an erasure, too. */
  key: string;
  title: string;
  /** What it is found by besides its text. */
  about: string;
  text: string;
}

/** Words of documents that were looked at lately, as long as they say the same; bounded by what they are written with. */
export class PreparedTexts {
  private readonly known: LRUCache<string, Prepared>;

  /** @param most characters of texts whose words are kept; a word takes some ten times what it is written with */
  constructor(most: number) {
    this.known = new LRUCache({ maxSize: most, ttl: KEPT_MS });
  }

  get(key: string): Prepared | undefined {
    return this.known.get(key);
  }

  /** Those of each; others have their turn between them. */
  async all(texts: readonly Text[]): Promise<Prepared[]> {
    const pause = breather();
    const all: Prepared[] = [];
    for (const each of texts) {
      all.push(this.known.get(each.key) ?? this.made(each));
      await pause();
    }
    return all;
  }

  private made({ key, title, about, text }: Text): Prepared {
    const made = prepared(title, about, text);
    this.known.set(key, made, { size: 1 + title.length + about.length + text.length });
    return made;
  }
}
