import { Parameters } from '../../database/parameters';
import type { Database } from '../../database/database';
import type { Spelling, Term } from '../terms';
import { bitParts, BITS_OF_ALL } from './bits-sql';
import { forgetCommonWords, refreshCommonWords } from './common-words';
import { LONGEST_PHRASE, spelledKeys, type WordBits, wordKey } from './word-bits';

/** A phrase for which so many lines were looked at is worth bits of its own: a kilobyte for 8,192 records at most. */
export const DEAR_LINES = 500;
/** Phrases of a workspace that wait for theirs. */
const MOST_WAITING = 100;
/** Phrases that are learned again: each keeps changes waiting for as long as it is searched for. */
const MOST_ASKED_AGAIN = 50;

/** Keys that would spare a search its look at lines: of phrases whose words are all common, and which have none. */
export function askedKeys(terms: readonly Term[], common: ReadonlySet<string>): string[] {
  const spellings = terms.flatMap((term) => term.spellings);
  return spellings.flatMap((spelling) => {
    const { words, prefix } = spelling;
    return words.length <= LONGEST_PHRASE && spelledKeys(spelling, common)?.exact === false
      ? [wordKey(words.join(' '), prefix)]
      : [];
  });
}

/** Notes phrases that were dear to search in the current workspace; the job that folds makes bits of them. Answers whether some are new. */
export async function noteAsked(
  database: Database,
  bits: WordBits,
  workspaceId: number,
  keys: readonly string[],
): Promise<boolean> {
  const noted = await database.transaction(() =>
    database.query(
      `INSERT INTO ${bits.asked} (workspace_id, phrase) SELECT $1, phrase FROM unnest($2::text[]) phrase
       WHERE (SELECT count(*) FROM ${bits.asked} a WHERE a.workspace_id = $1) < ${MOST_WAITING} ON CONFLICT DO NOTHING RETURNING 1`,
      [workspaceId, keys],
    ),
  );
  refreshCommonWords(database, bits, workspaceId);
  return noted.length > 0;
}

/** Part of the folding of a workspace, which is held: makes the bits of a phrase that waits for them. Answers whether one did. */
export async function learnAsked(
  database: Database,
  bits: WordBits,
  { workspaceId, chunks, mostLearned }: { workspaceId: number; chunks: number; mostLearned: number },
): Promise<boolean> {
  const [asked] = await database.query<{ phrase: string }>(
    `DELETE FROM ${bits.asked} a WHERE a.ctid = ANY (ARRAY(SELECT ctid FROM ${bits.asked} WHERE workspace_id = $1 ORDER BY asked_at LIMIT 1)) RETURNING phrase`,
    [workspaceId],
  );
  if (!asked) return false;
  const words = await database.query<{ word: string }>(`SELECT word FROM ${bits.words} WHERE workspace_id = $1`, [
    workspaceId,
  ]);
  const common = new Set(words.map(({ word }) => word));
  const spelling = spellingOf(asked.phrase);
  if (spelledKeys(spelling, common)?.exact !== false) return true;
  await makeRoom(database, bits, workspaceId, chunks, mostLearned);
  const { text, values } = learning(bits, workspaceId, asked.phrase, spelling, common);
  await database.query(text, values);
  database.afterCommit(() => forgetCommonWords(database, bits, workspaceId));
  return true;
}

/** The words that a key stands for. */
function spellingOf(key: string): Spelling {
  return { words: key.trimEnd().split(' '), prefix: !key.endsWith(' ') };
}

/**
 * Finds the phrase as a search does, and keeps who has it, those that are noted as well: what is noted is folded again with this key among
 * the others, unless no word of it changed. Nothing where bits do not answer just now: the phrase will be asked again.
 */
function learning(
  bits: WordBits,
  workspaceId: number,
  key: string,
  spelling: Spelling,
  common: ReadonlySet<string>,
): { text: string; values: readonly unknown[] } {
  const { bind, values } = new Parameters(workspaceId);
  const terms = [{ text: '', spellings: [spelling], run: false }];
  const parts = bitParts(bits, { view: bits.texts, conditions: [] }, { terms, facets: [] }, common, workspaceId, bind);
  const word = bind(key);
  const text = `WITH ${parts.join(', ')}, ${BITS_OF_ALL},
    learned AS (INSERT INTO ${bits.words} (workspace_id, word, learned_at) SELECT $1, ${word}::text, now() FROM state)
    INSERT INTO ${bits.bits} (workspace_id, chunk, word, bits) SELECT $1, a.chunk, ${word}::text, a.bits FROM everyone a WHERE bit_count(a.bits) > 0`;
  return { text, values };
}

/** Part of making all bits of a workspace anew: of what was learned, the newest are noted as asked for, and learned again. */
export async function askAgain(database: Database, { asked, words }: WordBits, workspaceId: number): Promise<void> {
  await database.query(
    `INSERT INTO ${asked} (workspace_id, phrase, asked_at) SELECT workspace_id, word, learned_at FROM ${words}
     WHERE workspace_id = $1 AND learned_at IS NOT NULL ORDER BY learned_at DESC LIMIT ${MOST_ASKED_AGAIN} ON CONFLICT DO NOTHING`,
    [workspaceId],
  );
}

/** Where as many phrases were learned as may be, the oldest go. */
async function makeRoom(
  database: Database,
  { words, bits }: WordBits,
  workspaceId: number,
  chunks: number,
  mostLearned: number,
): Promise<void> {
  const gone = await database.query<{ word: string }>(
    `DELETE FROM ${words} w WHERE w.ctid = ANY (ARRAY(SELECT ctid FROM ${words} WHERE workspace_id = $1 AND learned_at IS NOT NULL ORDER BY learned_at DESC OFFSET $2::integer - 1)) RETURNING word`,
    [workspaceId, mostLearned],
  );
  if (gone.length === 0) return;
  await database.query(
    `DELETE FROM ${bits} b WHERE b.workspace_id = $1 AND b.chunk = ANY (ARRAY(SELECT generate_series(0, $2::integer))) AND b.word = ANY ($3::text[])`,
    [workspaceId, chunks, gone.map(({ word }) => word)],
  );
}
