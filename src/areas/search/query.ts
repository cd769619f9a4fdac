import { collected } from '../../platform/area/collected';
import { MOST_HITS } from '../../platform/area/search-group';
import { invalid } from '../../platform/errors/api-error';
import { NumberParameter, QueryParameter } from '../../platform/query/members';
import { items } from '../../platform/query/values';
import { characters, fold, pairs, wordsOf } from './words/text';

/** Names of what is searched, in the order of the answer. */
export const searchTypes = collected(({ search }) => search?.map(({ type }) => type));

export const DEFAULT_LIMIT = 5;
export const MAX_LIMIT = MOST_HITS;
const MIN_LENGTH = 2;
export const MAX_LENGTH = 255;
/** Further words are left out: each costs a look into the index. */
export const MAX_WORDS = 12;

const MIN_UMLAUT_PREFIX = 5;
const TYPES = { type: 'array', minItems: 1, items: { type: 'string', enum: searchTypes } };

/** A word that must be found, in any of its spellings. */
export interface Term {
  /** As it was typed, folded. */
  text: string;
  /** Ways to be found: the whole word, or (where `prefix`) the beginning of one. */
  spellings: readonly Spelling[];
  /** A run of a script without spaces; `spellings` then holds its one pair. */
  run: boolean;
}

export interface Spelling {
  text: string;
  prefix: boolean;
}

/** A validated search. */
export interface SearchRequest {
  /** Trimmed, as the client wrote it. */
  text: string;
  limit: number;
  types: readonly string[];
}

/** Parameters of `GET /search`. */
export class SearchQuery {
  @QueryParameter({ description: 'Groups to search; all of them unless given.' }, TYPES, typesOf)
  types?: readonly string[];

  @NumberParameter({ description: 'Hits per group.', min: 1, max: MAX_LIMIT, default: DEFAULT_LIMIT })
  limit?: number;

  /** Trimmed, as the client wrote it. */
  @QueryParameter(
    { description: 'What to look for.', required: true },
    { type: 'string', minLength: MIN_LENGTH, maxLength: MAX_LENGTH },
    searchText,
  )
  q: string;
}

function searchText(raw: string, name: string): string {
  const text = raw.trim();
  const { length } = characters(text);
  if (length < MIN_LENGTH) {
    invalid(name, 'min', `"${name}" must have at least ${MIN_LENGTH} characters.`, { min: MIN_LENGTH });
  }
  if (length > MAX_LENGTH)
    invalid(name, 'max', `"${name}" must have at most ${MAX_LENGTH} characters.`, { max: MAX_LENGTH });
  return text;
}

function typesOf(raw: string, name: string): readonly string[] {
  const wanted = items(raw);
  const known = searchTypes.filter((type) => wanted.includes(type));
  if (!wanted.every((type) => known.some((each) => each === type))) {
    invalid(name, 'enum', `"${name}" takes ${searchTypes.join(', ')}, comma-separated.`, { allowed: searchTypes });
  }
  return known;
}

/**
 * The terms of a search: every one must be found, in any order. Punctuation, quotes and operators only separate words.
 * Words of two letters and more may be the beginning of one; `ae`, `oe` and `ue` also stand for the umlauts, which are
 * folded to their vowel.
 */
export function termsOf(text: string): Term[] {
  const terms = new Map<string, Term>();
  for (const word of wordsOf(fold(text))) {
    for (const term of word.run ? runTerms(word.text) : [wordTerm(word.text)]) {
      if (terms.size < MAX_WORDS) terms.set(term.text, term);
    }
  }
  return [...terms.values()];
}

function runTerms(run: string): Term[] {
  const single = characters(run).length === 1;
  return pairs(run).map((text) => ({ text, spellings: [{ text, prefix: single }], run: true }));
}

function wordTerm(text: string): Term {
  const typed = { text, prefix: characters(text).length >= MIN_LENGTH };
  const folded = text.replace(/([aou])e/g, '$1');
  // As a beginning, a short one would find too much: `sho` of `shoe` also begins `show`.
  const umlaut = { text: folded, prefix: folded.length >= MIN_UMLAUT_PREFIX };
  return { text, spellings: folded === text ? [typed] : [typed, umlaut], run: false };
}
