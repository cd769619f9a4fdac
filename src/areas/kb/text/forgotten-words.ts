import { currentWorkspaceId } from '../../../platform/context/current';
import type { Database } from '../../../platform/database/database';
import { SPELT_WORDS } from './article-text';
import { speltWords } from './search-words';

/** Texts that are read at once, of at most 100,000 characters each; and words that are looked at in all. */
const TEXTS = 50;
const MAX_WORDS = 500_000;

/**
 * Takes words away that no article has any more, so that none of those that were taken back is proposed for what somebody misspells.
 * Every text that is left is read once, by batches, until no word is in doubt. Inside the unit of work.
 */
export async function forgetWords(database: Database): Promise<void> {
  const workspace = currentWorkspaceId();
  const words = await database.query<{ word: string }>('SELECT word FROM kb_words WHERE workspace_id = $1 LIMIT $2', [
    workspace,
    MAX_WORDS,
  ]);
  const inDoubt = new Set(words.map(({ word }) => word));
  let [article, number] = [0, 0];
  while (inDoubt.size > 0) {
    const texts = await database.query<{ article_id: number; number: number; search_text: string }>(
      `SELECT article_id, number, search_text FROM kb_article_texts WHERE workspace_id = $1 AND (article_id, number) > ($2, $3)
       ORDER BY article_id, number LIMIT ${TEXTS}`,
      [workspace, article, number],
    );
    for (const { search_text } of texts) for (const word of speltWords(search_text, SPELT_WORDS)) inDoubt.delete(word);
    const last = texts.at(-1);
    if (!last) break;
    [article, number] = [last.article_id, last.number];
  }
  if (inDoubt.size === 0) return;
  await database.query('DELETE FROM kb_words WHERE workspace_id = $1 AND word = ANY($2::text[])', [
    workspace,
    [...inDoubt].sort(),
  ]);
}
