import type { Term } from '../terms';

/** Numbers of a chunk: one row of bits for each key that any of these records has. */
export const CHUNK = 8_192;
export const CHUNK_SHIFT = 13;
export const CHUNK_BYTES = CHUNK / 8;

/** Records that changed since they were folded, from which on looking at each of them costs more than the index of words does. */
export const MOST_UNFOLDED = 3_000;

/**
 * What the common words of a large workspace are found by: for each of them, a bit for each record, by its `number` (dense within a
 * workspace). Whatever changes is noted in `unfolded` by the transaction that changes it, and folded into the bits by a job
 * (`WordFolder`). A search takes the bits of what is not noted, and looks at the rest itself: exact in the snapshot of one statement.
 */
export interface WordBits {
  /** Table of the records: `workspace_id`, `id`, `number`, and the columns of `facets`. */
  table: string;
  /** Table of their lines of words: `workspace_id`, `id`, `search_text`. */
  texts: string;
  /** `workspace_id`, `ready`, `chunks` (how many there are), `chosen_of` (the newest number when the keys were chosen). */
  folds: string;
  /** `workspace_id`, `word`: the keys that have bits. */
  words: string;
  /** `workspace_id`, `chunk`, `word`, `bits`; no row where no bit is set. */
  bits: string;
  /** `workspace_id`, `number`, `id`, `worded` (more than a facet changed): appended to by triggers. */
  unfolded: string;
  /** Columns that lists filter by equality, with all of their values: keys of their own. */
  facets: Readonly<Record<string, readonly string[]>>;
}

/** The key of a word, or of the beginning of one: what follows a space in a line of words. */
export function wordKey(word: string, isBeginning: boolean): string {
  return isBeginning ? word : `${word} `;
}

/** The key of a value of a facet; no word has such signs. */
export function facetKey(column: string, value: string): string {
  return `=${column}:${value}`;
}

/** The keys of all facets. */
export function facetKeys({ facets }: WordBits): string[] {
  return Object.entries(facets).flatMap(([column, values]) => values.map((value) => facetKey(column, value)));
}

/** Whether a term has bits: in one spelling at least, as a single word. Its other spellings, then, are rare. */
export function isCommon({ spellings }: Term, common: ReadonlySet<string>): boolean {
  return (
    spellings.every(({ words }) => words.length === 1) &&
    spellings.some(({ words: [word = ''], prefix }) => common.has(wordKey(word, prefix)))
  );
}

/** Whether some of the terms, though common, have a spelling that is rare. */
export function hasRare(terms: readonly Term[], common: ReadonlySet<string>): boolean {
  return terms.some(({ spellings }) =>
    spellings.some(({ words: [word = ''], prefix }) => !common.has(wordKey(word, prefix))),
  );
}

/** Terms that lead to few records, and those that only need to be looked for in their lines; all lead where none is rare. */
export function leading(
  terms: readonly Term[],
  common: ReadonlySet<string>,
): { led: readonly Term[]; looked: readonly Term[] } {
  const rare = terms.filter((term) => !isCommon(term, common));
  return rare.length === 0 ? { led: terms, looked: [] } : { led: rare, looked: terms.filter((t) => !rare.includes(t)) };
}
