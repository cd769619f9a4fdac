import { join } from 'node:path';
import { threadTask } from '../../workers/thread-task';
import { commonKeys } from './common-keys';
import { type FoldedRecord, RecordKeys, type ValueColumns } from './folding';

/** Between keys: no text of PostgreSQL has it. */
export const BETWEEN_KEYS = '\u0000';

/** Records of one chunk, as PostgreSQL wrote them: JSON of `FoldedRecord[]`. */
export interface FoldInput extends ValueColumns {
  /** One text: it is handed over with each slice of the records. */
  keys: string;
  records: string;
  /** Memory of both threads, as of `RecordKeys.add`. */
  bits: SharedArrayBuffer;
}

/** Sets the bits of some records. Whose keys were asked for last is kept. */
export function foldRecords({ keys, facets, ranks, records, bits }: FoldInput): void {
  const columns = JSON.stringify([facets, ranks]);
  if (held?.keys !== keys || held.columns !== columns)
    held = { keys, columns, of: new RecordKeys(keys.split(BETWEEN_KEYS), { facets, ranks }) };
  held.of.add(JSON.parse(records) as FoldedRecord[], new Uint8Array(bits));
}

let held: { keys: string; columns: string; of: RecordKeys } | null = null;

/** Some lines of words, as PostgreSQL wrote them: JSON of `string[]` each; and what is common among them (`commonKeys`). */
export interface ChoiceInput {
  lines: readonly string[];
  share: number;
  most: number;
}

export function chooseKeys({ lines, share, most }: ChoiceInput): string[] {
  return commonKeys(
    lines.flatMap((some) => JSON.parse(some) as string[]),
    share,
    most,
  );
}

const here = join(__dirname, 'fold-tasks');

export const FOLD_RECORDS = threadTask<typeof foldRecords>('folding', here, 'foldRecords');
export const CHOOSE_KEYS = threadTask<typeof chooseKeys>('folding', here, 'chooseKeys');
