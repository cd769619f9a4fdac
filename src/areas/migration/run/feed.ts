import type { ComingFile } from './coming-file';
import type { Place } from './job-place';
import type { RecordProblem } from './validation';

/** A record of a source as it comes: what it says, or why it cannot be read. */
export interface FedRecord {
  fields: Record<string, unknown> | null;
  problem: RecordProblem | null;
  /** Line of a file. */
  line: number | null;
  /** What it is known by, where its source says so beside its fields. */
  external_id?: string;
}

/** Records that come together, and the place behind them. */
export interface FedPage {
  records: FedRecord[];
  next: Place;
  /** How many the source says there are of the entity; absent where it does not. */
  total?: number | null;
  /** Files of these records, and of others that were told of with them. */
  files?: readonly ComingFile[];
}

/** Where the records of an entity come from: the pages from a place on, each read when it is asked for. */
export type Feed = (from: Place) => AsyncGenerator<FedPage>;
