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
  fields: SourceField[];
}

/** What was found before anything is written. */
export interface Validation {
  checked_at: string | null;
  entities: CheckedEntity[];
  /** The first hundred of them; references are told by what they name. */
  unmapped: Unmapped[];
  /** The first fifty. */
  problems: (RecordProblem & { entity: string; line: number | null; external_id: string | null })[];
}

export const MAX_PROBLEMS = 50;
export const MAX_UNMAPPED = 100;

export function nothingFound(): Validation {
  return { checked_at: null, entities: [], unmapped: [], problems: [] };
}
