import type { Visibility } from './retrieval.dto';

/** A document that passages are taken of. */
export interface Source {
  type: 'kb_article' | 'ticket';
  id: number;
  title: string;
  /** Its path in this API. */
  url: string;
  /** What passages are taken of, as it stands there. */
  text: string;
  /** What it is about besides: found by, not shown. */
  about: string;
  language: string | null;
  visibility: Visibility;
  updated_at: string;
}

/** What is looked for. */
export interface Wanted {
  /** The question's words, the rarest first. */
  words: readonly string[];
  /** Who reads it. */
  audience: Visibility;
  language: string | null;
  limit: number;
}
