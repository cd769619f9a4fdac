import type { RecordProblem } from '../run/validation';

/** Where a record of a file begins. */
export interface Offset {
  bytes: number;
  /** The line, from 0, as far as whoever reads has counted. */
  line: number;
}

/** A record of a source: what it says, or why it cannot be read. */
export interface SourceRecord {
  fields: Record<string, unknown> | null;
  problem: RecordProblem | null;
  /** Line of the file, from 1; of a list in JSON the place in it. */
  line: number;
  /** Where the next one begins. */
  next: Offset;
}

/** A file as it is read. */
export interface FileForm {
  format: 'csv' | 'ndjson' | 'json';
  encoding: string;
  delimiter: string | null;
  /** Names of the columns of a table. */
  columns: string[] | null;
  bytes: number;
  /** Where the first record begins. */
  begins_at: number;
}

/** Bytes of a file from one on. */
export type OpenAt = (start: number) => Promise<AsyncIterable<Buffer>>;

/** Bytes of one record; longer ones are passed over, and memory stays what it is. */
export const MAX_RECORD_BYTES = 2 * 1_048_576;

export function unreadable(code: string, message: string): RecordProblem {
  return { code, field: null, message };
}

export const TOO_LONG = unreadable('too_long', `The record has more than ${MAX_RECORD_BYTES / 1_048_576} MB.`);
