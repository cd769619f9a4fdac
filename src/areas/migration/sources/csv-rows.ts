import { CsvError, parse } from 'csv-parse';
import { pipeline, Readable } from 'node:stream';
import {
  type FileForm,
  MAX_RECORD_BYTES,
  type Offset,
  type OpenAt,
  type SourceRecord,
  TOO_LONG,
  unreadable,
} from './source-record';
import { firstCharacters } from '../../../platform/text/normalise';

/** A row that ends nowhere is left, and the next line begins a new one; after so many the file is no table. */
const MAX_BREAKS = 1_000;

/** A row of a table. */
interface Row {
  cells: string[];
  line: number;
  next: Offset;
}

interface Parsed {
  cells: string[];
  bytes: number;
  lines: number;
}

/** The rows of a table from an offset on; `problem` in place of one that cannot be read. */
export async function* rowsOf(
  file: Pick<FileForm, 'delimiter' | 'encoding' | 'bytes'>,
  from: Offset,
  open: OpenAt,
): AsyncGenerator<Row | Omit<SourceRecord, 'fields'>> {
  let at = from;
  for (let breaks = 0; at.bytes < file.bytes; breaks++) {
    if (breaks > MAX_BREAKS) throw new Error('More than a thousand rows end nowhere: this is no table.');
    const source = Readable.from(await open(at.bytes), { objectMode: false });
    const start = at;
    // What was parsed, in order: a stream that fails forgets what nobody has taken yet.
    const ready: Parsed[] = [];
    const parser = parse({
      bom: at.bytes === 0,
      delimiter: file.delimiter ?? ',',
      encoding: file.encoding === 'windows-1252' ? 'latin1' : 'utf8',
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: MAX_RECORD_BYTES,
      on_record: (cells: string[], { bytes, lines }) => {
        ready.push({ cells, bytes, lines });
        return cells;
      },
    });
    pipeline(source, parser, () => undefined);
    const rowOf = ({ cells, bytes, lines }: Parsed): Row => {
      const line = at.line + 1;
      at = { bytes: start.bytes + bytes, line: start.line + lines };
      return { cells: file.encoding === 'windows-1252' ? cells.map(fromWindows) : cells, line, next: at };
    };
    const taken: AsyncIterable<unknown> = parser;
    try {
      for await (const _ of taken) {
        const next = ready.shift();
        if (next) yield rowOf(next);
      }
      return;
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      for (const next of ready) yield rowOf(next);
      const line = at.line + 1;
      at = { bytes: await nextLine(at.bytes, open, file.bytes), line };
      const problem =
        error.code === 'CSV_MAX_RECORD_SIZE'
          ? TOO_LONG
          : unreadable('malformed', 'A quotation mark of this row is never closed.');
      yield { problem, line, next: at };
    } finally {
      source.destroy();
    }
  }
}

/** The records of a table whose columns are known. */
export async function* tableRecords(file: FileForm, from: Offset, open: OpenAt): AsyncGenerator<SourceRecord> {
  const columns = file.columns ?? [];
  for await (const row of rowsOf(file, from, open)) {
    if ('problem' in row) yield { fields: null, ...row };
    else if (row.cells.length !== columns.length && !isPadded(row.cells, columns.length)) {
      const message = `The row has ${row.cells.length} cells, the table ${columns.length} columns.`;
      yield { fields: null, problem: unreadable('columns', message), line: row.line, next: row.next };
    } else {
      const fields = Object.fromEntries(columns.map((name, index) => [name, row.cells[index] ?? '']));
      yield { fields, problem: null, line: row.line, next: row.next };
    }
  }
}

/** Programs leave empty cells at the end out, or add some. */
function isPadded(cells: readonly string[], columns: number): boolean {
  return cells.length > columns
    ? cells.slice(columns).every((cell) => cell === '')
    : cells.length === columns - 1 && columns > 2;
}

/** Names of columns, each its own: a second `name` is `name (2)`, one without a name `column_3`. */
export function columnNames(cells: readonly string[]): string[] {
  const taken = new Set<string>();
  return cells.map((cell, index) => {
    const name = firstCharacters(cell.trim(), 200).replaceAll('\0', '') || `column_${index + 1}`;
    let own = name;
    for (let n = 2; taken.has(own); n++) own = `${name} (${n})`;
    taken.add(own);
    return own;
  });
}

/** What separates the cells of a table, by its first line. */
export function delimiterOf(line: string): string {
  const outside = line.replaceAll(/"[^"]*"/g, '');
  const counts = [';', '\t', ',', '|'].map((mark) => ({ mark, n: outside.split(mark).length }));
  return counts.reduce((best, each) => (each.n > best.n ? each : best), { mark: ',', n: 1 }).mark;
}

async function nextLine(from: number, open: OpenAt, end: number): Promise<number> {
  let at = from;
  for await (const chunk of await open(from)) {
    const place = chunk.indexOf(10);
    if (place !== -1) return at + place + 1;
    at += chunk.length;
  }
  return end;
}

/** What windows-1252 has in place of the control characters of Latin-1. */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

function fromWindows(cell: string): string {
  return cell.replaceAll(/[\u0080-\u009f]/g, (character) => WINDOWS[character.charCodeAt(0) - 0x80] ?? character);
}
