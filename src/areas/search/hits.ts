import type { FoundHit, FoundHits } from '../../platform/area/search-group';
import { breather } from '../../platform/workers/breather';
import { MOST_COUNTED, TIERS } from './group-statement';
import type { Term } from '../../platform/search/terms';
import { snippet } from './snippet';
import { wordLine } from '../../platform/search/words';

/** One record of an answer. */
export interface Hit {
  id: number;
  type: string;
  title: string;
  /** HTML: hits inside `<mark>`, everything else escaped. */
  snippet: string;
  /** 0 to 1, comparable inside a group. */
  score: number;
  url: string;
  [field: string]: unknown;
}

export interface GroupResult {
  hits: FoundHit[];
  /** Exact unless `capped`. */
  total: number;
  capped: boolean;
}

export type Results = ReadonlyMap<string, GroupResult>;

/** What the statement of a group answered; nothing where it was not asked. */
export function groupResult({ hits, total, exact = false }: FoundHits = { hits: [], total: 0 }): GroupResult {
  if (exact) return { hits, total, capped: false };
  return { hits, total: Math.min(total, MOST_COUNTED), capped: total > MOST_COUNTED };
}

/** Score of a record by how it was found; a title that contains the search as it was typed gets the bonus. */
const EXACT = 1;
const SCORES: readonly number[] = [0.8, 0.6, 0.4, 0.2];
const PHRASE = 0.15;
/** Found with corrected words only. */
const CORRECTED = 0.5;

/**
 * How well a row answers the search, 0 to 1.
 *
 * @param wanted the words of the search, as `wordLine` has them
 */
export function scoreOf(row: FoundHit, wanted: string, corrected: boolean): number {
  if (row.score !== undefined) return row.score;
  const base = scoreOfPlace(row, wanted);
  const score = base * (corrected ? CORRECTED : 1) * (row.last ? 0.5 : 1);
  return Math.round(score * 10_000) / 10_000;
}

function scoreOfPlace({ place = TIERS.length, title }: FoundHit, wanted: string): number {
  if (place === 0) return EXACT;
  const name = wordLine(title);
  if (name === wanted) return EXACT;
  const base = SCORES[place - 1] ?? 0;
  return name.includes(wanted) ? base + PHRASE : base;
}

/**
 * The rows in the order of their scores, newer ones (as they come) first among equals, as they are shown. Looking for the
 * words in long texts takes a while: others have their turn between them.
 */
export async function hitsOf(
  rows: readonly FoundHit[],
  search: { text: string; terms: readonly Term[]; corrected: boolean; limit: number },
  shown: { singular: string; url: string },
): Promise<Hit[]> {
  const wanted = wordLine(search.text);
  const best = rows
    .map((row) => ({ row, score: scoreOf(row, wanted, search.corrected) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, search.limit);
  const pause = breather();
  const hits: Hit[] = [];
  for (const { row, score } of best) {
    const { id, title, text, place: _place, last: _last, ...fields } = row;
    const around = snippet(text ?? '', search.terms);
    hits.push({ id, type: shown.singular, title, snippet: around, ...fields, score, url: `${shown.url}/${id}` });
    await pause();
  }
  return hits;
}
