import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { sql } from '../../../platform/postgres/statement-batch';

/** Shorter words are another word with every letter. */
const LEAST_LETTERS = 5;
/** Words that are kept, of all workspaces, and for how long. */
const MOST_KEPT = 10_000;
const KEPT_MS = 60_000;

/** Words that stand in no article, each with the one of the articles that is spelt most like it (a letter or two apart); `near` null without one. */
const NEAR = `SELECT v.word, (SELECT (kb_near_words(v.word))[2] WHERE NOT EXISTS (SELECT FROM kb_words_search k WHERE k.word = v.word)) AS near
  FROM json_array_elements_text($1::json) AS v(word)`;

/** Finds what misspelt words of questions stand for, by the words of the articles. */
@Injectable()
export class Spelling {
  private readonly kept = new LRUCache<string, string>({ max: MOST_KEPT, ttl: KEPT_MS });

  constructor(private readonly database: Database) {}

  /** Words that are misspelt, with what they stand for; of the last minute. */
  async corrected(words: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const workspaceId = currentWorkspaceId();
    const long = words.filter((word) => word.length >= LEAST_LETTERS);
    const missing = long.filter((word) => !this.kept.has(`${workspaceId}:${word}`));
    if (missing.length > 0) {
      const rows = await this.database.read(
        sql<{ word: string; near: string | null }>(NEAR, [JSON.stringify(missing)]),
      );
      for (const { word, near } of rows) this.kept.set(`${workspaceId}:${word}`, near ?? word);
    }
    const found = long.map((word) => [word, this.kept.get(`${workspaceId}:${word}`) ?? word] as const);
    return new Map(found.filter(([word, near]) => near !== word));
  }
}
