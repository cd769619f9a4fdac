import { invalid } from '../../platform/http/errors';
import type { RawQuery } from '../../platform/resource/list-query';
import { characters, fold, pairs, wordsOf } from './words/text';

/** What is searched, in the order of the answer. */
export const searchTypes = ['tickets', 'companies', 'users', 'kb_articles'] as const;
export type SearchType = (typeof searchTypes)[number];

export const DEFAULT_LIMIT = 5;
export const MAX_LIMIT = 20;
export const MIN_LENGTH = 2;
export const MAX_LENGTH = 255;
/** Further words are left out: each costs a look into the index. */
export const MAX_WORDS = 12;

const MIN_UMLAUT_PREFIX = 5;

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
  types: readonly SearchType[];
}

/** Checks the parameters of a search, or throws the 422 that names what is wrong. */
export function parseSearch(query: RawQuery): SearchRequest {
  return { text: searchText(query.q), limit: limitOf(query.limit), types: typesOf(query.types) };
}

function searchText(raw: string | undefined): string {
  const text = (raw ?? '').trim();
  const { length } = characters(text);
  if (raw === undefined) invalid('q', 'required', '"q" is required.');
  if (length < MIN_LENGTH) {
    invalid('q', 'min', `"q" must have at least ${MIN_LENGTH} characters.`, { min: MIN_LENGTH });
  }
  if (length > MAX_LENGTH) invalid('q', 'max', `"q" must have at most ${MAX_LENGTH} characters.`, { max: MAX_LENGTH });
  return text;
}

/** Results of each group; also for lists of their own, e.g. similar tickets. */
export function limitOf(raw: string | undefined): number {
  if (raw === undefined) return DEFAULT_LIMIT;
  const limit = /^\d{1,9}$/.test(raw) ? Number(raw) : NaN;
  if (Number.isNaN(limit)) invalid('limit', 'type', `"limit" must be a whole number from 1 to ${MAX_LIMIT}.`);
  if (limit < 1) invalid('limit', 'min', '"limit" must be at least 1.', { min: 1 });
  if (limit > MAX_LIMIT) invalid('limit', 'max', `"limit" must be at most ${MAX_LIMIT}.`, { max: MAX_LIMIT });
  return limit;
}

function typesOf(raw: string | undefined): readonly SearchType[] {
  if (raw === undefined) return searchTypes;
  const wanted = raw.split(',').map((name) => name.trim());
  const unknown = wanted.find((name) => !searchTypes.some((type) => type === name));
  if (unknown !== undefined) {
    invalid('types', 'enum', `"types" takes ${searchTypes.join(', ')}, comma-separated.`, { allowed: searchTypes });
  }
  return searchTypes.filter((type) => wanted.includes(type));
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

const CODE = /^(?:TCK-(\d{6,15})|#?(\d{1,15}))$/i;

/** The ticket number that a search names: `TCK-000123`, `#123` or `123`; null when it names none. */
export function ticketNumber(text: string): number | null {
  const match = CODE.exec(text);
  const number = Number(match?.[1] ?? match?.[2] ?? NaN);
  return number > 0 ? number : null;
}

/** The search as an e-mail address, lower-cased; null when it is none. */
export function emailAddress(text: string): string | null {
  return /^[^\s@"<>]+@[^\s@"<>]+$/.test(text) ? text.toLowerCase() : null;
}
