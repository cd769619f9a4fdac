import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { currentWorkspaceId } from '../../../platform/context/current';
import { counterTotal } from '../../../platform/counters/counter-sql';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/postgres/statement-batch';

/** A word that more tickets have tells too little to look all of them through. */
export const MOST_HAVING = 3_000;
/** Counts that are kept, of all workspaces, and for how long. */
const MOST_KEPT = 10_000;
const KEPT_MS = 60_000;

/** A word that as many tickets had lately tells no more than that: which ones have it now changes nothing that is found. It is kept longer, as counting it takes the longest. */
const COMMON = 200;
const COMMON_KEPT_MS = 600_000;
/** Of fewer tickets nothing is told about words. */
const LEAST_ALL = 100;

/** In how many tickets words stand, and how many there are. */
export interface Counted {
  counts: ReadonlyMap<string, number>;
  all: number;
}

/** A word of a workspace in the index of words. */
export const lexeme = (workspaceId: number, word: string): string =>
  `'${`${workspaceId}:${word}`.replaceAll(/['\\]/g, '$&$&')}'`;

const COUNT = `SELECT v.word, (SELECT count(*)::integer FROM (SELECT FROM ticket_texts_search s WHERE s.lexemes @@ v.query::tsquery LIMIT ${MOST_HAVING + 1}) c) AS n
  FROM json_to_recordset($1::json) AS v(word text, query text)`;

/** All tickets of a workspace: how rare a word is that some have is told by all others. */
const ALL = `SELECT ${counterTotal('w', 'tickets', [null, null, null])}::integer AS n FROM (SELECT $1::bigint AS workspace_id) w`;

/** In how many tickets words stand: what tells how telling they are. */
@Injectable()
export class WordCounts {
  private readonly kept = new LRUCache<string, number>({ max: MOST_KEPT, ttl: KEPT_MS });
  private readonly all = new LRUCache<number, number>({ max: MOST_KEPT, ttl: KEPT_MS });

  constructor(private readonly database: Database) {}

  /** As of now, for all words in one statement; as of the last minute of those that are common. */
  now(words: readonly string[]): Promise<Counted> {
    return this.counted(words, (kept) => kept >= COMMON);
  }

  /** As of the last minute: only what is not known is asked. */
  lately(words: readonly string[]): Promise<Counted> {
    return this.counted(words, () => true);
  }

  private async counted(words: readonly string[], holds: (kept: number) => boolean): Promise<Counted> {
    const workspaceId = currentWorkspaceId();
    const known = new Map<string, number>();
    for (const word of words) {
      const n = this.kept.get(`${workspaceId}:${word}`);
      if (n !== undefined && holds(n)) known.set(word, n);
    }
    const missing = words.filter((word) => !known.has(word));
    const asked = missing.length === 0 ? new Map<string, number>() : await this.asked(workspaceId, missing);
    const all = this.all.get(workspaceId) ?? (await this.askedAll(workspaceId));
    return { counts: new Map([...known, ...asked]), all: Math.max(all, LEAST_ALL) };
  }

  private async askedAll(workspaceId: number): Promise<number> {
    const [row] = await this.database.read(sql<{ n: number }>(ALL, [workspaceId]));
    const n = row?.n ?? 0;
    this.all.set(workspaceId, n);
    return n;
  }

  private async asked(workspaceId: number, words: readonly string[]): Promise<Map<string, number>> {
    const asked = words.map((word) => ({ word, query: lexeme(workspaceId, word) }));
    const rows = await this.database.read(sql<{ word: string; n: number }>(COUNT, [JSON.stringify(asked)]));
    for (const { word, n } of rows)
      this.kept.set(`${workspaceId}:${word}`, n, { ttl: n >= COMMON ? COMMON_KEPT_MS : KEPT_MS });
    return new Map(rows.map(({ word, n }) => [word, n]));
  }
}
