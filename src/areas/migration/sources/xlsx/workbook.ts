import { Readable } from 'node:stream';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { ApiError, invalid } from '../../../../platform/errors/api-error';
import { FileGone } from '../../../../platform/files/file-store';
import { type CellFormat, formatOf, unescaped } from './cell-formats';
import { type CellFacts, type SheetRow, sheetRows } from './sheet-rows';
import { hear, heard, Unreadable, type XmlEvents } from './xml-events';

/** Parts of a workbook, and bytes of one when it is unpacked. */
const MAX_PARTS = 2_000;
const MAX_PART_BYTES = 4 * 1_024 ** 3;
/** Bytes that a byte may become beyond the first megabytes: sheets have ten to forty. */
const MAX_RATIO = 150;
const FREE_BYTES = 32 * 1_048_576;
/** Characters of the texts that cells refer to: they are in memory while a workbook is read. */
const MAX_TEXTS = 64 * 1_048_576;
const MAX_STYLES = 100_000;

/** Opens bytes of a file, both ends included. */
export type OpenRange = (start: number, end: number) => Promise<Readable>;

/** A sheet that people see. */
export interface Sheet {
  name: string;
  rows(): AsyncGenerator<SheetRow>;
}

class StoredZip extends RandomAccessReader {
  constructor(private readonly open: OpenRange) {
    super();
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const { open } = this;
    async function* range(): AsyncGenerator<Buffer> {
      if (end <= start) return;
      const chunks: AsyncIterable<Buffer> = await open(start, end - 1);
      yield* chunks;
    }
    return Readable.from(range(), { objectMode: false });
  }
}

/**
 * The sheets of a workbook (ECMA-376) that is in a store, each read as it is asked for: nothing is held but a row, the texts that cells refer to
 * (at most 64 million characters) and the list of its parts.
 *
 * @param bytes of the file
 * @throws Unreadable for what is no workbook; ApiError 422 for one that unpacks to more than a workbook would
 */
export async function sheetsOf(open: OpenRange, bytes: number): Promise<Sheet[]> {
  const { zip, parts } = await unpacking(open, bytes).catch(unreadable);
  const read = async (path: string, events: XmlEvents): Promise<void> => {
    const entry = parts.get(path);
    if (entry)
      await zip
        .openReadStreamPromise(entry)
        .then((source) => hear(source, events), unreadable)
        .catch(unreadable);
  };
  const found: { name: string; id: string }[] = [];
  let isFrom1904 = false;
  await read('xl/workbook.xml', {
    open: (name, { name: title, state, ...attributes }) => {
      if (name === 'workbookPr') isFrom1904 = ['1', 'true'].includes(attributes.date1904 ?? '');
      const id = attributes['r:id'] ?? Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1];
      if (name === 'sheet' && id !== undefined && (state ?? 'visible') === 'visible')
        found.push({ name: (title ?? '').slice(0, 100), id });
    },
  });
  const targets = new Map<string, string>();
  await read('xl/_rels/workbook.xml.rels', {
    open: (name, { Id: id, Target: target }) => {
      if (name === 'Relationship' && id !== undefined && target !== undefined) targets.set(id, pathOf(target));
    },
  });
  if (found.length === 0) invalid('file', 'format', 'The file is no workbook (.xlsx) with a sheet.');
  let facts: Promise<CellFacts> | null = null;
  return found.flatMap(({ name, id }) => {
    const entry = parts.get(targets.get(id) ?? '');
    if (!entry) return [];
    const rows = async function* (): AsyncGenerator<SheetRow> {
      facts ??= factsOf(zip, parts, isFrom1904);
      try {
        yield* sheetRows(await zip.openReadStreamPromise(entry), await facts);
      } catch (error) {
        unreadable(error);
      }
    };
    return [{ name, rows }];
  });
}

/** Whatever is wrong with an archive is no fault of ours. */
function unreadable(error: unknown): never {
  if (error instanceof ApiError || error instanceof FileGone) throw error;
  throw new Unreadable(error instanceof Error ? error.message.slice(0, 200) : 'it is no workbook');
}

async function unpacking(open: OpenRange, bytes: number): Promise<{ zip: ZipFile; parts: ReadonlyMap<string, Entry> }> {
  const zip = await fromRandomAccessReaderPromise(new StoredZip(open), bytes, { autoClose: false });
  if (zip.entryCount > MAX_PARTS) invalid('file', 'format', `A workbook has at most ${MAX_PARTS} parts.`);
  const parts = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    const { fileName, uncompressedSize, compressedSize } = entry;
    const isBomb = uncompressedSize > FREE_BYTES && uncompressedSize > MAX_RATIO * compressedSize;
    if (isBomb || uncompressedSize > MAX_PART_BYTES)
      invalid('file', 'too_large', 'The workbook unpacks to more than a workbook would; send a table (CSV).');
    parts.set(fileName, entry);
  }
  return { zip, parts };
}

/** Targets are relative to `xl`, or begin at the top. */
function pathOf(target: string): string {
  return target.startsWith('/') ? target.slice(1) : `xl/${target.replace(/^\.\//, '')}`;
}

async function factsOf(zip: ZipFile, parts: ReadonlyMap<string, Entry>, isFrom1904: boolean): Promise<CellFacts> {
  const [texts, styles] = [parts.get('xl/sharedStrings.xml'), parts.get('xl/styles.xml')];
  return {
    isFrom1904,
    strings: texts ? await stringsOf(await zip.openReadStreamPromise(texts)) : [],
    formats: styles ? await formatsOf(await zip.openReadStreamPromise(styles)) : [],
  };
}

/** Texts that cells refer to by their places; runs of one text are one. */
async function stringsOf(source: Readable): Promise<string[]> {
  const strings: string[] = [];
  let [text, isText, isPhonetic, total] = ['', false, false, 0];
  const reading = heard(source, {
    open: (name) => {
      if (name === 'si') text = '';
      else if (name === 'rPh') isPhonetic = true;
      else if (name === 't') isText = !isPhonetic;
    },
    text: (part) => {
      if (!isText) return;
      total += part.length;
      if (total <= MAX_TEXTS) text += part;
    },
    close: (name) => {
      if (name === 't') isText = false;
      else if (name === 'rPh') isPhonetic = false;
      else if (name === 'si') {
        total += 16;
        strings.push(unescaped(text));
      }
    },
  });
  for await (const _ of reading)
    if (total > MAX_TEXTS)
      invalid(
        'file',
        'too_large',
        'The texts of the workbook have more than 64 million characters; send a table (CSV).',
      );
  return strings;
}

/** What numbers are, by the styles of cells. */
async function formatsOf(source: Readable): Promise<CellFormat[]> {
  const codes = new Map<number, string>();
  const formats: CellFormat[] = [];
  let isOfCells = false;
  await hear(source, {
    open: (name, attributes) => {
      if (name === 'numFmt') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '');
      else if (name === 'cellXfs') isOfCells = true;
      else if (name === 'xf' && isOfCells && formats.length < MAX_STYLES) {
        const id = Number(attributes.numFmtId ?? 0);
        formats.push(formatOf(id, codes.get(id)));
      }
    },
    close: (name) => {
      if (name === 'cellXfs') isOfCells = false;
    },
  });
  return formats;
}
