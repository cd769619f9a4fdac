import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** Rows that a sheet can have; what is more stands on further sheets. */
const MAX_ROWS = 1_048_576;
/** Characters that a cell can have. */
const MAX_CELL = 32_767;
const CHUNK = 64 * 1_024;

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const PROLOGUE = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/**
 * A workbook (ECMA-376) as it is made: nothing of it is kept but some rows. Texts are texts and never formulas, so they stand as they
 * are. Fails when the lines do.
 *
 * @param header names of the columns, at the top of every sheet; null = none
 * @param lines cells of each row: numbers, booleans and texts; null is an empty cell
 */
export function workbook(
  header: readonly string[] | null,
  lines: AsyncIterable<readonly unknown[]>,
  maxRows = MAX_ROWS,
): Readable {
  const zip = new ZipFile();
  const rows = lines[Symbol.asyncIterator]();
  const out = new PassThrough();
  let source: Readable | null = null;
  let waiting = rows.next();
  // Who comes to it later is told.
  waiting.catch(() => undefined);
  const addSheet = (number: number): void => {
    zip.addReadStreamLazy(`xl/worksheets/sheet${number}.xml`, { compressionLevel: 1 }, (use) => {
      source = Readable.from(sheet(number), { objectMode: false });
      source.once('error', (error) => out.destroy(error));
      use(null, source);
    });
  };
  async function* sheet(number: number): AsyncGenerator<string> {
    let text = `${PROLOGUE}<worksheet xmlns="${MAIN}"><sheetData>${header ? row(header) : ''}`;
    let count = header ? 1 : 0;
    let next = await waiting;
    for (; !next.done && count < maxRows; count++) {
      text += row(next.value);
      if (text.length >= CHUNK) {
        yield text;
        text = '';
      }
      next = await (waiting = rows.next());
    }
    yield `${text}</sheetData></worksheet>`;
    if (!next.done) {
      addSheet(number + 1);
      return;
    }
    for (const [path, content] of partsOf(number)) zip.addBuffer(Buffer.from(PROLOGUE + content), path);
    zip.end();
  }
  zip.on('error', (error: Error) => out.destroy(error));
  // It begins to work before anybody listens, who then finds it ended.
  out.on('error', () => undefined);
  zip.outputStream.pipe(out);
  out.once('close', () => {
    source?.destroy();
    // Of a sheet that nobody asked for yet there is no stream that would end them.
    void rows.return?.(undefined);
  });
  addSheet(1);
  return out;
}

function row(cells: readonly unknown[]): string {
  return `<row>${cells.map(cell).join('')}</row>`;
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '<c/>';
  if (typeof value === 'number') return `<c><v>${value}</v></c>`;
  if (typeof value === 'boolean') return `<c t="b"><v>${value ? 1 : 0}</v></c>`;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `<c t="inlineStr"><is><t xml:space="preserve">${escaped(fitted(text))}</t></is></c>`;
}

/** A longer text would make a file that is repaired when it is opened. */
function fitted(text: string): string {
  return text.length <= MAX_CELL ? text : `${text.slice(0, MAX_CELL - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

const SPECIAL = /[&<>\r]|_(?=x[0-9A-Fa-f]{4}_)/g;
/** What XML cannot hold. */
const UNHOLDABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\r': '_x000D_',
  // What looks like such an escape is none.
  _: '_x005F_',
};

function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(UNHOLDABLE, '')
    .replaceAll(SPECIAL, (sign) => ESCAPES[sign] ?? sign);
}

/** The files of a workbook beside its sheets, by their paths. */
function partsOf(sheets: number): [path: string, content: string][] {
  const numbers = Array.from({ length: sheets }, (_, index) => index + 1);
  const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const all = (part: (number: number) => string): string => numbers.map(part).join('');
  return [
    [
      'xl/workbook.xml',
      `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${all(
        (number) => `<sheet name="Sheet${number}" sheetId="${number}" r:id="rId${number}"/>`,
      )}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `<Relationships xmlns="${PACKAGE}/relationships">${all(
        (number) =>
          `<Relationship Id="rId${number}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
      )}</Relationships>`,
    ],
    [
      '_rels/.rels',
      `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      '[Content_Types].xml',
      `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>${all(
        (number) => `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${types}.worksheet+xml"/>`,
      )}</Types>`,
    ],
  ];
}
