// Raw rows: what is read again and again, the hottest path: where a text is what it was, its stamp is all that is read.
import { LRUCache } from 'lru-cache';
import { current } from '../../context/current';
import type { Database } from '../../database/database';
import type { KeptText } from '../../http/kept-text';
import type { RawRow, Statement } from '../../postgres/statement-batch';
import { AskedBefore } from './asked-before';

const MAX_TEXT_BYTES = 256 * 1_024;
/** Of what is kept besides a text. */
const OVERHEAD_BYTES = 500;
/** So long that numbers of transactions cannot have begun anew. */
const KEPT_MS = 60_000;

/** What an answer shows, as far as this is concerned. */
interface Shown {
  text: string | KeptText;
}

/** How something is read that may be kept. */
export interface Reading<T extends Shown> {
  /** As ever. */
  plain: Statement;
  /** Reads the same, its stamp in one more column. */
  stamped: () => Statement;
  /** Place of that column. */
  place: number;
  /** Reads the stamp alone of what was shown, in its first column. */
  asked: (shown: T) => Statement;
  /** Reads the row of `plain`. */
  read: (rows: RawRow[]) => T;
  /** What is kept of it; all of it unless given. */
  kept?: (shown: T) => T;
  /** What is answered of what is kept: what `asked` read besides belongs to it. */
  again?: (kept: T, row: RawRow) => T;
}

interface Kept<T extends Shown> {
  shown: T;
  stamp: string;
  asked: Statement;
  /** Whether it was answered since it was read. */
  isUsed: boolean;
  /** Lost connections until it was read. */
  losses: number;
}

interface Cache<T extends Shown> {
  texts: LRUCache<string, Kept<T>>;
  asked: AskedBefore;
}

/**
 * Texts that are asked for again and again: from the third time within a minute on, one is kept in memory, and PostgreSQL is asked, under
 * row-level security and in a snapshot of its own as ever, for the stamps of the rows that are shown. A stamp is the id of a row, the
 * transaction that wrote it and all that is shown of it that is not in the row; so where the stamps are the same, in the same order, the text
 * is. Otherwise, for what is asked for the first time, and inside a unit of work, the text is read.
 */
export class KeptTexts<T extends Shown> {
  private readonly caches = new WeakMap<Database, Cache<T>>();

  /** @param maxBytes of all texts of a process, with what they are found by */
  constructor(private readonly maxBytes: number) {}

  read(database: Database, reading: Reading<T>): Promise<T> {
    const { plain, read, again } = reading;
    if (current().transaction) return database.rawRead(plain).then(read);
    const key = `${plain.name} ${JSON.stringify(plain.values)}`;
    const before = this.of(database).texts.get(key);
    if (before?.losses !== database.losses()) return this.anew(database, key, before, reading);
    return database.rawRead(before.asked).then(([row]) => {
      if (row?.[0] !== before.stamp) return this.anew(database, key, before, reading);
      before.isUsed = true;
      return again ? again(before.shown, row) : before.shown;
    });
  }

  /** Reads the text, and keeps it where it is worth it. @param before what was kept, and is no longer so */
  private async anew(
    database: Database,
    key: string,
    before: Kept<T> | undefined,
    { plain, stamped, place, asked, read, kept }: Reading<T>,
  ): Promise<T> {
    const cache = this.of(database);
    const losses = database.losses();
    const isWanted = before ? before.isUsed : cache.asked.note(key);
    if (!isWanted) {
      // Changed before anybody asked again: the next time counts as the second.
      if (before) cache.texts.delete(key);
      return read(await database.rawRead(plain));
    }
    const [row] = await database.rawRead(stamped());
    const shown = read(row ? [[...row.slice(0, place), ...row.slice(place + 1)]] : []);
    const whole = kept ? kept(shown) : shown;
    cache.texts.set(key, { shown: whole, stamp: row?.[place] ?? '', asked: asked(shown), isUsed: false, losses });
    return whole;
  }

  private of(database: Database): Cache<T> {
    let cache = this.caches.get(database);
    if (!cache) {
      const texts = new LRUCache<string, Kept<T>>({
        maxSize: this.maxBytes,
        maxEntrySize: MAX_TEXT_BYTES,
        sizeCalculation: ({ shown, stamp }, { length }) => OVERHEAD_BYTES + length + bytesOf(shown.text) + stamp.length,
        ttl: KEPT_MS,
      });
      this.caches.set(database, (cache = { texts, asked: new AskedBefore(KEPT_MS) }));
    }
    return cache;
  }
}

const bytesOf = (text: string | KeptText): number => (typeof text === 'string' ? Buffer.byteLength(text) : text.length);
