import type { Prepared } from './prepared';
import type { SourceType, Visibility } from './retrieval.dto';

/** A document that passages are taken of. */
export interface Source {
  type: SourceType;
  id: number;
  title: string;
  /** Its path in this API. */
  url: string;
  /** Its passages and words, as it stands there. */
  prepared: Prepared;
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
  /** Only what was changed within so many days; null = all. */
  maxAgeDays: number | null;
  limit: number;
}
