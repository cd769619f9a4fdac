import { LRUCache } from 'lru-cache';
import type { Database } from '../../database/database';
import type { WordBits } from './word-bits';

/** Workspaces and keys that are kept: some twenty megabytes at most. */
const MAX_WORKSPACES = 2_000;
const MAX_KEYS = 200_000;
/** For so long; a search whose keys are others meanwhile notices, and is done without bits. */
const KEPT_MS = 60_000;
const NONE_KEPT_MS = 5_000;

const NONE: ReadonlySet<string> = new Set();

const known = new WeakMap<Database, LRUCache<string, ReadonlySet<string>>>();

/** The keys that have bits in a workspace, as they were not long ago; none where `bits` is undefined or the workspace small. */
export async function commonWords(
  database: Database,
  bits: WordBits | undefined,
  workspaceId: number,
): Promise<ReadonlySet<string>> {
  if (!bits) return NONE;
  const cache = cacheOf(database);
  const key = `${bits.words} ${workspaceId}`;
  let words = cache.get(key);
  if (!words) {
    const [row] = await database.read<{ words: string[] | null }>({
      text: `SELECT json_agg(w.word) AS words FROM ${bits.words} w WHERE w.workspace_id = $1 AND EXISTS (SELECT FROM ${bits.folds} f WHERE f.workspace_id = $1 AND f.ready)`,
      values: [workspaceId],
    });
    words = row?.words ? new Set(row.words) : NONE;
    cache.set(key, words, { ttl: words.size > 0 ? KEPT_MS : NONE_KEPT_MS });
  }
  return words;
}

/** Asks again soon: something will be known besides. */
export function refreshCommonWords(database: Database, bits: WordBits, workspaceId: number): void {
  const cache = cacheOf(database);
  const key = `${bits.words} ${workspaceId}`;
  const words = cache.get(key);
  if (words && cache.getRemainingTTL(key) > NONE_KEPT_MS) cache.set(key, words, { ttl: NONE_KEPT_MS });
}

/** Asks again at the next search: what was known is no longer so. */
export function forgetCommonWords(database: Database, bits: WordBits, workspaceId: number): void {
  cacheOf(database).delete(`${bits.words} ${workspaceId}`);
}

function cacheOf(database: Database): LRUCache<string, ReadonlySet<string>> {
  let cache = known.get(database);
  if (!cache)
    known.set(
      database,
      (cache = new LRUCache({
        max: MAX_WORKSPACES,
        maxSize: MAX_KEYS,
        sizeCalculation: ({ size }) => size + 1,
        ttl: KEPT_MS,
      })),
    );
  return cache;
}
