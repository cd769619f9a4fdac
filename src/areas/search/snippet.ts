import { escapeHtml } from '../../platform/http/template';
import type { Term } from '../../platform/search/terms';
import { eachWord, isRun, pairs, type Word } from '../../platform/search/words';

/** Characters of a snippet, about; marks and escapes not counted. */
export const SNIPPET_LENGTH = 160;
/** Characters shown before the first hit. */
const LEAD = 40;
/** Words of a text among which hits are looked for; what comes after is shown by its beginning alone. */
const MAX_WORDS = 5_000;
/** How far a cut may move to fall between words. */
const SLACK = 20;

/** Part of a text: UTF-16 offsets. */
interface Span {
  start: number;
  end: number;
}

/**
 * The text around the first hit, as HTML: hits inside `<mark>`, everything else escaped, so that it can be shown as it is.
 * White space is single spaces; `…` stands where the text goes on.
 */
export function snippet(text: string, terms: readonly Term[]): string {
  const plain = text.replace(/\s+/gu, ' ').trim();
  const { hits, shown } = look(plain, terms);
  const { start, end } = shown;
  const inside = hits.filter((hit) => hit.start >= start && hit.end <= end);
  return `${start > 0 ? '…' : ''}${marked(plain, shown, inside)}${end < plain.length ? '…' : ''}`;
}

/** The hits as far as they are shown, and the part to show; the rest of a long text is not looked at. */
function look(text: string, terms: readonly Term[]): { hits: Span[]; shown: Span } {
  const wanted = wantedOf(terms);
  const hits: Span[] = [];
  let shown: Span | null = null;
  let seen = 0;
  for (const word of eachWord(text)) {
    if ((shown && word.start >= shown.end) || ++seen > MAX_WORDS) break;
    hits.push(...hitSpans(text, word, wanted));
    if (!shown && hits[0]) shown = window(text, hits[0].start);
  }
  return { hits, shown: shown ?? window(text, 0) };
}

/** Where a word of the text answers a term: the whole word, or in scripts without spaces the pair alone. */
function hitSpans(text: string, word: Word, wanted: Wanted): Span[] {
  const whole = [{ start: word.start, end: word.end }];
  if (!word.run) {
    const matches = wanted.words.has(word.text) || wanted.beginnings.some((each) => word.text.startsWith(each));
    return matches ? whole : [];
  }
  const part = text.slice(word.start, word.end);
  // Where folding changed the characters, places inside the run are not known: the run is marked whole.
  if (part !== word.text) return wanted.pairs.some((pair) => word.text.includes(pair)) ? whole : [];
  return joined(wanted.pairs.flatMap((pair) => occurrences(part, pair, word.start)));
}

/** What is marked of the terms: of several words that follow each other, each. */
interface Wanted {
  words: ReadonlySet<string>;
  beginnings: readonly string[];
  /** Parts of runs of scripts without spaces. */
  pairs: readonly string[];
}

function wantedOf(terms: readonly Term[]): Wanted {
  const words = new Set<string>();
  const beginnings: string[] = [];
  const runs: string[] = [];
  for (const { words: spelled, prefix } of terms.flatMap(({ spellings }) => spellings)) {
    for (const [index, word] of spelled.entries()) {
      if (isRun(word)) runs.push(...pairs(word));
      else if (prefix && index === spelled.length - 1) beginnings.push(word);
      else words.add(word);
    }
  }
  return { words, beginnings, pairs: [...new Set(runs)] };
}

function occurrences(text: string, part: string, offset: number): Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    spans.push({ start: offset + at, end: offset + at + part.length });
  }
  return spans;
}

/** Overlapping and adjoining spans as one, in order. */
function joined(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else result.push({ ...span });
  }
  return result;
}

/** The part to show: some characters before `hit`, cut between words where one is near, never inside a character. */
function window(text: string, hit: number): Span {
  if (text.length <= SNIPPET_LENGTH) return { start: 0, end: text.length };
  let start = Math.max(0, Math.min(hit - LEAD, text.length - SNIPPET_LENGTH));
  let end = Math.min(text.length, start + SNIPPET_LENGTH);
  if (start > 0) {
    const space = text.indexOf(' ', start);
    if (space !== -1 && space < Math.min(start + SLACK, hit)) start = space + 1;
  }
  if (end < text.length) {
    const space = text.lastIndexOf(' ', end);
    if (space > end - SLACK && space > hit) end = space;
  }
  if (isInside(text, start)) start++;
  if (isInside(text, end)) end--;
  return { start, end };
}

/** Between the halves of a surrogate pair. */
function isInside(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  return code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
}

function marked(text: string, { start, end }: Span, hits: readonly Span[]): string {
  let html = '';
  let at = start;
  for (const hit of hits) {
    if (hit.start < at) continue;
    html += `${escapeHtml(text.slice(at, hit.start))}<mark>${escapeHtml(text.slice(hit.start, hit.end))}</mark>`;
    at = hit.end;
  }
  return html + escapeHtml(text.slice(at, end));
}
