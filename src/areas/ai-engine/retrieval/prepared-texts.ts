import { LRUCache } from 'lru-cache';
import { breather } from '../../../platform/workers/breather';
import { type Prepared, prepared, type Text } from './prepared';

const KEPT_MS = 600_000;

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

  private made(given: Text): Prepared {
    const { key, title, about, text } = given;
    const made = prepared(given);
    this.known.set(key, made, { size: 1 + title.length + about.length + text.length });
    return made;
  }
}
