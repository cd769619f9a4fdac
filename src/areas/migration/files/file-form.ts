import { invalid } from '../../../platform/errors/api-error';
import { isRecord } from '../../../platform/text/json';
import type { MigrationSource } from '../jobs/migration-states';
import { columnNames, delimiterOf, rowsOf } from '../sources/csv-rows';
import type { FileForm } from '../sources/source-record';
import type { Inspection } from './inspected';

/** How a file is to be read, by what it begins with. @throws ApiError 422 where it has no beginning */
export async function formOf(source: MigrationSource, { bytes, encoding, head }: Inspection): Promise<FileForm> {
  const whole = { encoding: encoding === 'windows-1252' ? encoding : 'utf-8', bytes, begins_at: 0 };
  if (source !== 'csv') {
    if (encoding === 'windows-1252') invalid('file', 'format', 'JSON is UTF-8; this is not.');
    return {
      ...whole,
      format: source === 'json' && !isLines(head) ? 'json' : 'ndjson',
      delimiter: null,
      columns: null,
    };
  }
  const [first = ''] = head.toString('latin1').split(/[\r\n]/, 1);
  const delimiter = delimiterOf(first);
  const table = { ...whole, delimiter, bytes: head.length };
  for await (const row of rowsOf(table, { bytes: 0, line: 0 }, () => Promise.resolve(once(head)))) {
    if ('problem' in row) break;
    return {
      ...whole,
      format: 'csv',
      delimiter,
      columns: columnNames(row.cells.slice(0, 500)),
      begins_at: row.next.bytes,
    };
  }
  return invalid('file', 'format', 'The file has no line with the names of its columns.');
}

async function* once(head: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(head);
}

/** Whether each line is a record, and not all of it one document. */
function isLines(head: Buffer): boolean {
  const text = head
    .toString()
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (text.startsWith('[')) return false;
  const [line = ''] = text.split('\n', 1);
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) && !Object.values(value).some((member) => Array.isArray(member) && member.some(isRecord));
  } catch {
    return false;
  }
}
