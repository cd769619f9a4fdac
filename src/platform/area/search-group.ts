import type { Query } from '../postgres/statement-batch';
import type { Bind } from '../query/filters';
import type { WordBits } from '../search/bits/word-bits';

/** Hits of a group that an answer can have. */
export const MOST_HITS = 20;
/** Longest text that a snippet is looked for in, in characters. */
export const SNIPPET_TEXT = 20_000;

/** One kind of record in `GET /search`, and what a hit shows of it. */
interface Searched {
  /** Name of the group, e.g. `vehicles`: that of the resource, whose limits hold for it. */
  type: string;
  /** Singular name: `type` of a hit. */
  singular: string;
  /** Path of the records below the prefix. */
  path: string;
  /** JSON schemas of what a hit has besides id, type, title, snippet, score and url. */
  fields: Readonly<Record<string, object>>;
  /** Name of a hit in the OpenAPI document; `VehicleHit` of the singular unless given. */
  schema?: string;
}

/** Records that are found by the words of a view, as an index has them. */
export interface IndexedGroup extends Searched {
  table: string;
  /** View owned by the system role: `id`, `created_at`, `search_text`, `title_length` of the workspace's records. */
  view: string;
  /** The table behind the view is large: a common word is looked for among the newest records first. */
  large: boolean;
  /** What its common words are counted by, in large workspaces. */
  bits?: WordBits;
  /** SQL over `t`, the record: `title`, `text` (for the snippet, up to `SNIPPET_TEXT`) and the fields of a hit. */
  columns: Readonly<Record<string, string>>;
  /** SQL that yields the `id` of records the search names exactly, under row-level security; null when it names none. */
  exact: (text: string, bind: Bind) => string | null;
  /** SQL condition over `t`: records that come after others found as well. */
  last?: string;
  /** Table of `id`, `search_text` whose words corrections know; the column and number of its newest, which they read unless they are learned from. */
  words: { texts: string; newestBy: 'created_at' | 'updated_at'; newest: number };
}

/** A record that the statement of a group found, with the fields of its hit. */
export interface FoundHit {
  id: number;
  title: string;
  text: string | null;
  /** Step that found it, 0 = named exactly; those found by a statement of their area have a score instead. */
  place?: number;
  score?: number;
  last?: boolean;
  [field: string]: unknown;
}

/** What the statement of a group answers: one row. */
export interface FoundHits {
  hits: FoundHit[];
  total: number;
  /** Lines that were looked at for a phrase without bits of its own. */
  guesses?: number;
  /** The total was not capped, however large. */
  exact?: boolean;
}

/** Records that are found by a statement of their area. */
export interface OwnGroup extends Searched {
  /**
   * One row of the `hits`, at most `MOST_HITS` (`id`, `score` 0 to 1, `title`, `text`, the fields), and their `total`. `seen` is what
   * the caller sees of the resource that the group is named after: a condition over `t` with AND before it, or nothing.
   */
  statement: (text: string, workspaceId: number, seen: string) => Query<FoundHits>;
}

export type SearchGroup = IndexedGroup | OwnGroup;

/** A search as an e-mail address, lower-cased; null when it is none. */
export function emailAddress(text: string): string | null {
  return /^[^\s@"<>]+@[^\s@"<>]+$/.test(text) ? text.toLowerCase() : null;
}
