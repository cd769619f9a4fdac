import { sequence, type Spelling, type Term } from '../terms';

/** What values are that have ranks: whole numbers of a few values, other whole numbers, moments, texts. */
export type RankType = 'level' | 'number' | 'moment' | 'text';

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
  /** `workspace_id`, `ready`, `chunks` (how many there are), `newest_when_chosen` (the newest number when the keys were chosen). */
  folds: string;
  /** `workspace_id`, `word`: the keys that have bits; `learned_at` of those that were asked for. */
  words: string;
  /** `workspace_id`, `chunk`, `word`, `bits`; no row where no bit is set. */
  bits: string;
  /** `workspace_id`, `chunk`, `first`, `last`: no record that is folded there is older or newer, by its `created_at`. */
  spans: string;
  /** `workspace_id`, `number`, `id`, `worded` (more than a facet changed): appended to by triggers. */
  unfolded: string;
  /** `workspace_id`, `phrase`, `asked_at`: keys of phrases that were dear to search, until they have bits. */
  asked: string;
  /** `workspace_id`, `sort_column`, `numbers`, `moments`, `texts`: the bounds of its ranks, one of the lists by the type of the column. */
  bounds: string;
  /** Columns that lists filter by equality, with all of their values, or null where those are chosen that many records have: keys of their own. */
  facets: Readonly<Record<string, readonly string[] | null>>;
  /** Columns that lists are sorted by, or bounded. */
  ranks: Readonly<Record<string, RankType>>;
}

/** The key of a word, or of the beginning of one: what follows a space in a line of words. */
export function wordKey(word: string, isBeginning: boolean): string {
  return isBeginning ? word : `${word} `;
}

/** Most words of a phrase that has bits of its own. */
export const LONGEST_PHRASE = 4;
/** Words of a phrase that are asked for; the others are left to its lines. */
const MOST_ASKED = 12;

/** Sets of pairs of common words that follow each other. Each pair is in two, by its digest: what lacks one of them lacks the pair. */
const PAIR_SETS = 1_024;
const setKey = (set: number): string => `~${set}`;

/** The keys of all sets of pairs; no word has such a sign. */
export const PAIR_KEYS: readonly string[] = Array.from({ length: PAIR_SETS }, (_, set) => setKey(set));

/** The sets that a pair of words is in (FNV-1a, its lower and its upper half). */
export function pairSets(first: string, second: string): readonly [number, number] {
  const text = `${first} ${second}`;
  let digest = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) digest = Math.imul(digest ^ text.charCodeAt(at), 0x01000193);
  return [digest & (PAIR_SETS - 1), (digest >>> 16) & (PAIR_SETS - 1)];
}

/** Letters of the second word that a pair is in two more sets by, for searches that have the beginning of it. */
const BEGINNING = 2;

/** The sets that a pair is in by the beginning of its second word; none where that is too short. */
export function beginningSets(first: string, second: string): readonly number[] {
  return second.length < BEGINNING ? [] : pairSets(first, `${second.slice(0, BEGINNING)}*`);
}

/** By which bits a spelling is found. */
export interface SpelledKeys {
  /** A record that has the spelling has all of them. */
  all: readonly string[];
  /** No other record has. */
  exact: boolean;
}

/** The keys of a spelling whose words are all common; null where one of them is rare. */
export function spelledKeys({ words, prefix }: Spelling, common: ReadonlySet<string>): SpelledKeys | null {
  const whole = wordKey(words.join(' '), prefix);
  if (common.has(whole)) return { all: [whole], exact: true };
  if (words.length === 1) return null;
  const keys = new Set<string>();
  const asked = words.slice(0, MOST_ASKED);
  const beginsAt = prefix ? words.length - 1 : words.length;
  for (const [at, word] of asked.entries()) {
    const own = wordKey(word, at === beginsAt);
    if (!common.has(own)) return null;
    const phrase = longestPhrase(asked.slice(at, beginsAt), common);
    keys.add(phrase ?? own);
    const next = asked[at + 1];
    if (phrase !== null || next === undefined) continue;
    const begun = at + 1 === beginsAt ? wordKey(`${word} ${next}`, true) : null;
    if (begun !== null && common.has(begun)) keys.add(begun);
    else for (const set of begun === null ? pairSets(word, next) : beginningSets(word, next)) keys.add(setKey(set));
  }
  return { all: [...keys], exact: false };
}

/** What leads to a spelling that is rare: its rare words, in their order, which few records have. */
export function rareWords({ words, prefix }: Spelling, common: ReadonlySet<string>): Spelling {
  const begins = (at: number): boolean => prefix && at === words.length - 1;
  const rare = words.flatMap((word, at) => (common.has(wordKey(word, begins(at))) ? [] : [at]));
  const last = rare.at(-1) ?? -1;
  return { words: rare.map((at) => words[at] ?? ''), prefix: begins(last) };
}

/** Most keys that are looked up for what they prove. */
const MOST_PROVING = 16;

/** Keys of phrases in which one of the spellings stands that have several words: a record that has one of these has the term. */
export function provingKeys(spellings: readonly Spelling[], common: ReadonlySet<string>): string[] {
  const parts = spellings.filter(({ words }) => words.length > 1).map((spelling) => sequence(spelling));
  const keys = [...common].filter((key) => parts.some((part) => ` ${key}`.includes(part)));
  // What stands in another is proved by that one already.
  const widest = keys.filter((key) => !keys.some((other) => other !== key && ` ${key}`.includes(` ${other}`)));
  return widest.slice(0, MOST_PROVING);
}

/** The longest phrase of its own that the words begin with. */
function longestPhrase(words: readonly string[], common: ReadonlySet<string>): string | null {
  for (let length = Math.min(words.length, LONGEST_PHRASE); length > 1; length--) {
    const key = wordKey(words.slice(0, length).join(' '), false);
    if (common.has(key)) return key;
  }
  return null;
}

/** Whether a term has bits: in one spelling at least. Its other spellings, then, are rare. */
export function isCommon({ spellings }: Term, common: ReadonlySet<string>): boolean {
  return spellings.some((spelling) => spelledKeys(spelling, common) !== null);
}

/** Whether bits tell of common terms who has them, and of nobody else; spellings that are rare are told by the index of words. */
export function isExact(terms: readonly Term[], common: ReadonlySet<string>): boolean {
  return terms.every(({ spellings }) => spellings.every((spelling) => spelledKeys(spelling, common)?.exact ?? true));
}

/**
 * Of each of the terms the keys that tell who has it: a record that has any of them has the term, and no other record does. Null where bits
 * tell one of them but nearly, or some of its spellings are rare.
 */
export function exactKeys(terms: readonly Term[], common: ReadonlySet<string>): string[][] | null {
  const found = terms.map(({ spellings }) => spellings.map((spelling) => spelledKeys(spelling, common)));
  const isTold = found.flat().every((keys) => keys?.exact === true);
  return isTold ? found.map((spelled) => spelled.flatMap((keys) => keys?.all ?? [])) : null;
}

/** Whether some of the terms, though common, have a spelling that is rare. */
export function hasRare(terms: readonly Term[], common: ReadonlySet<string>): boolean {
  return terms.some(({ spellings }) => spellings.some((spelling) => spelledKeys(spelling, common) === null));
}

/** Whether words of some term follow each other. */
export function hasPhrase(terms: readonly Term[]): boolean {
  return terms.some(({ spellings }) => spellings.some(({ words }) => words.length > 1));
}

/** How the index of words and lines share the work of finding terms. */
export interface Leading {
  /** Terms that lead to few records; all where none is rare. */
  led: readonly Term[];
  /** What the index is asked for of these: all that it tells sooner than their lines do. */
  asked: readonly Term[];
  /** Terms that only need to be looked for in the lines that it leads to. */
  looked: readonly Term[];
}

/** @param common keys of words that are in many records (`WordBits`) */
export function leading(terms: readonly Term[], common: ReadonlySet<string>): Leading {
  const rare = terms.filter((term) => !isCommon(term, common));
  if (rare.length === 0) return { led: terms, asked: terms, looked: [] };
  return {
    led: rare,
    asked: rare.map((term) => ({ ...term, spellings: term.spellings.map((each) => begun(each, common)) })),
    looked: terms.filter((term) => !rare.includes(term)),
  };
}

/**
 * The spelling without the beginning at its end, where words of many records begin so: the index goes through all of these,
 * while of whole words it passes over what their neighbours are not in.
 */
function begun(spelling: Spelling, common: ReadonlySet<string>): Spelling {
  const { words, prefix } = spelling;
  const last = words.at(-1) ?? '';
  const isDear = prefix && words.length > 1 && common.has(wordKey(last, true));
  return isDear ? { words: words.slice(0, -1), prefix: false } : spelling;
}
