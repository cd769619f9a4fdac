import { lineRecords, listRecords } from './json-records';
import { tableRecords } from './csv-rows';
import type { FileForm, Offset, OpenAt, SourceRecord } from './source-record';

/** The records of a file from an offset on, each read when it is asked for. */
export function recordsOf(file: FileForm, from: Offset, open: OpenAt): AsyncGenerator<SourceRecord> {
  const at = from.bytes === 0 ? { bytes: file.begins_at, line: file.format === 'csv' ? 1 : 0 } : from;
  if (file.format === 'csv') return tableRecords(file, at, open);
  return file.format === 'ndjson' ? lineRecords(at, open) : listRecords(at, open);
}
