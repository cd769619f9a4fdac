import { foldText } from './fold-text';

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** Scripts that are written without spaces, or (Hangul) with words grown together: cut into pairs of characters. */
const DENSE = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]+/gu;

/**
 * The words of a folded text, as they are indexed and asked for. Runs of scripts without spaces become overlapping pairs
 * (`日本語` -> `日本`, `本語`), so that any two characters of a word find it.
 */
export function searchWords(folded: string): string[] {
  const words: string[] = [];
  for (const [word] of folded.matchAll(WORD)) {
    let end = 0;
    for (const match of word.matchAll(DENSE)) {
      if (match.index > end) words.push(word.slice(end, match.index));
      const characters = Array.from(match[0]);
      if (characters.length === 1) words.push(match[0]);
      for (let at = 0; at + 1 < characters.length; at++) words.push(`${characters[at]}${characters[at + 1]}`);
      end = match.index + match[0].length;
    }
    if (end < word.length) words.push(word.slice(end));
  }
  return words;
}

/** The words of a text joined with spaces, at most so many bytes of them: what becomes stems in the index. */
export function indexedWords(text: string, maxBytes: number): string {
  const kept: string[] = [];
  let bytes = 0;
  for (const word of searchWords(foldText(text))) {
    bytes += Buffer.byteLength(word) + 1;
    if (bytes > maxBytes) break;
    kept.push(word);
  }
  return kept.join(' ');
}

const SPELT = /^\p{L}{4,40}$/u;

/**
 * Different words of a folded text in which a typing mistake can be told, sorted: letters only, 4 to 40 of them, of scripts
 * with spaces.
 *
 * @param max how many at most, the first ones of the text
 */
export function speltWords(folded: string, max: number): string[] {
  const found = new Set<string>();
  for (const [word] of folded.matchAll(WORD)) {
    if (!SPELT.test(word) || word.search(DENSE) !== -1) continue;
    found.add(word);
    if (found.size === max) break;
  }
  return [...found].sort();
}

/** Punctuation and what is typed like it: it separates words. Other signs, and some behind a word, say something: `C++`, `C#`, `50%`, `€`. */
const SEPARATOR = String.raw`(?![#%‰])[\p{P}\s|<>~^\x60=]`;
const BEFORE = /^[\p{P}\s|<>~^`=+]+/u;
const BEHIND = new RegExp(`(?:${SEPARATOR})+$`, 'u');
const WORDS = new RegExp(String.raw`^(?:[\p{L}\p{N}\p{M}]|${SEPARATOR})+$`, 'u');

/** One term of a search as each part of the index wants it. */
export interface SearchTerm {
  /** Folded, as it was written, without the punctuation around it. */
  text: string;
  /** Its words for the stems; empty when it has signs that must be found as they are (`C++`, `50%`). */
  words: string;
}

/** What a term of a search asks for; null when folding leaves nothing of it. */
export function searchTerm(term: string): SearchTerm | null {
  const text = foldText(term).replace(BEFORE, '').replace(BEHIND, '');
  if (text === '') return null;
  return { text, words: WORDS.test(text) ? searchWords(text).join(' ') : '' };
}

/** Whether a folded text begins with a word of a script with spaces: it must then stand where a word begins. */
export function beginsWord(text: string): boolean {
  return /^[\p{L}\p{N}]/u.test(text) && text.search(DENSE) !== 0;
}

/** Words of a search text; "quoted words" stay together. Every term must match; what has no letter or digit is none. */
export function searchTerms(raw: string): string[] {
  const terms = [...raw.matchAll(/"([^"]+)"|([^\s"]+)/g)].map((match) => (match[1] ?? match[2] ?? '').trim());
  return [...new Set(terms.filter((term) => /[\p{L}\p{N}]/u.test(foldText(term))))];
}
