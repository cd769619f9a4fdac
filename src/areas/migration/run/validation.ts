import type { Changes } from '../../../platform/events/event-rows';

/** Something that is wrong with a record. */
export interface RecordProblem {
  code: string;
  field: string | null;
  message: string;
}

/** A field of a source. */
export interface SourceField {
  name: string;
  /** The first thing that it says, cut. */
  sample: string | null;
  /** What it becomes; null where it becomes nothing. */
  field: string | null;
}

/** A value that has no place here yet. */
export interface Unmapped {
  entity: string;
  field: string;
  value: string;
  count: number;
}

export interface CheckedEntity {
  entity: string;
  records: number;
  valid: number;
  invalid: number;
  /** With `on_duplicate: update`: records here that would change. */
  updates: number;
  fields: SourceField[];
}

/** What an update would make of a record here. */
export interface ForeseenRevision {
  entity: string;
  external_id: string;
  id: number;
  /** From and to of each field; texts are cut. */
  changes: Changes;
  /** Fields that the source has changed, and somebody here, too: they stay. */
  kept: string[];
}

/** What was found before anything is written. */
export interface Validation {
  checked_at: string | null;
  entities: CheckedEntity[];
  /** The first hundred of them; references are told by what they name. */
  unmapped: Unmapped[];
  /** The first fifty records here that would change, with what. */
  revisions: ForeseenRevision[];
  /** The first fifty. */
  problems: (RecordProblem & { entity: string; line: number | null; external_id: string | null })[];
}

export const MAX_PROBLEMS = 50;
export const MAX_REVISIONS = 50;
export const MAX_UNMAPPED = 100;

export function nothingFound(): Validation {
  return { checked_at: null, entities: [], unmapped: [], revisions: [], problems: [] };
}
