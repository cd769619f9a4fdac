import { textFault } from '../../../platform/http/json-body';
import { isRecord } from '../../../platform/text/json';
import { MAX_RECORD_BYTES, type Offset, type OpenAt, type SourceRecord, TOO_LONG, unreadable } from './source-record';

const [NEWLINE, QUOTE, BACKSLASH] = [10, 34, 92];
/** What stands between the records of a list. */
const BETWEEN: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n,'));
const UNCLOSED = 'The document ends before its list does: it was cut.';
const NO_LIST = 'The document has no list of records, or was cut before it.';
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

/** A record a line. */
export async function* lineRecords(from: Offset, open: OpenAt): AsyncGenerator<SourceRecord> {
  let [parts, held, at, line]: [Buffer[], number, number, number] = [[], 0, from.bytes, from.line];
  const take = (): SourceRecord | null => {
    const text = held > MAX_RECORD_BYTES ? null : Buffer.concat(parts);
    [parts, held] = [[], 0];
    line++;
    const next = { bytes: at, line };
    if (text === null) return { fields: null, problem: TOO_LONG, line, next };
    const said = from.bytes === 0 && line === 1 ? withoutMark(text) : text;
    return said.toString().trim() === '' ? null : recordOf(said, line, next);
  };
  for await (const chunk of await open(from.bytes)) {
    for (let begin = 0; begin < chunk.length;) {
      const end = chunk.indexOf(NEWLINE, begin);
      const piece = chunk.subarray(begin, end === -1 ? chunk.length : end);
      held += piece.length;
      if (held <= MAX_RECORD_BYTES) parts.push(piece);
      else parts = [];
      begin = end === -1 ? chunk.length : end + 1;
      at += end === -1 ? piece.length : piece.length + 1;
      const record = end === -1 ? null : take();
      if (record) yield record;
    }
  }
  const last = held > 0 ? take() : null;
  if (last) yield last;
}

/** The objects of the first list of a document, one after the other: nothing but one of them is held. A document that ends too early has a record that cannot be read at its end. */
export async function* listRecords(from: Offset, open: OpenAt): AsyncGenerator<SourceRecord> {
  let isInside = from.bytes > 0;
  let [depth, isText, isEscaped, begin, at, place] = [0, false, false, -1, from.bytes, from.line];
  let hasOthers = false;
  let [parts, held]: [Buffer[], number] = [[], 0];
  for await (const chunk of await open(from.bytes)) {
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index] ?? 0;
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isText = false;
      } else if (byte === QUOTE) isText = true;
      else if (!isInside) isInside = byte === OPEN_LIST;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (depth++ === 0) begin = index;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        if (depth === 0) {
          if (place === 0 && hasOthers) yield broken('A record is an object.', place, at + index);
          return;
        }
        if (--depth > 0) continue;
        const piece = chunk.subarray(Math.max(begin, 0), index + 1);
        const next = { bytes: at + index + 1, line: ++place };
        held += piece.length;
        yield held > MAX_RECORD_BYTES
          ? { fields: null, problem: TOO_LONG, line: place, next }
          : recordOf(Buffer.concat([...parts, piece]), place, next);
        [parts, held, begin] = [[], 0, -1];
      } else if (depth === 0) hasOthers ||= !BETWEEN.has(byte);
    }
    if (depth > 0) {
      const piece = chunk.subarray(Math.max(begin, 0));
      held += piece.length;
      if (held <= MAX_RECORD_BYTES) parts.push(piece);
      else parts = [];
      begin = 0;
    }
    at += chunk.length;
  }
  if (depth > 0) yield broken('The document ends in the middle of a record.', place, at);
  // Whoever goes on behind the last record of a document that was cut has been told.
  else if (at > from.bytes) yield broken(isInside ? UNCLOSED : NO_LIST, place, at);
}

function broken(message: string, place: number, bytes: number): SourceRecord {
  const line = place + 1;
  return { fields: null, problem: unreadable('malformed', message), line, next: { bytes, line } };
}

function recordOf(bytes: Buffer, line: number, next: Offset): SourceRecord {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch {
    return { fields: null, problem: unreadable('malformed', 'This is no JSON.'), line, next };
  }
  return isRecord(value)
    ? { fields: flat(value), problem: null, line, next }
    : { fields: null, problem: unreadable('malformed', 'A record is an object.'), line, next };
}

/** What an object within says is a field of its own besides: `requester.email`. Lists and deeper ones stay as they are. */
export function flat(record: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(record)
    .slice(0, 1_000)
    .filter(([name]) => textFault(name) === null);
  return Object.fromEntries(
    entries.flatMap(([name, value]): [string, unknown][] =>
      isRecord(value)
        ? [
            [name, value],
            ...Object.entries(value)
              .slice(0, 100)
              .map(([inner, each]): [string, unknown] => [`${name}.${inner}`, each]),
          ]
        : [[name, value]],
    ),
  );
}

function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}
