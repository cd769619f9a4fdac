import type { Readable } from 'node:stream';
import { type CellFormat, columnOf, momentOf, unescaped } from './cell-formats';
import { heard } from './xml-events';

/** Columns of a sheet that are read. */
export const MAX_COLUMNS = 500;
/** Characters of a cell; a program keeps 32,767. */
const MAX_CELL = 100_000;

/** What cells refer to. */
export interface CellFacts {
  strings: readonly string[];
  /** By the number of a style. */
  formats: readonly CellFormat[];
  isFrom1904: boolean;
}

/** A row of a sheet: its number, from 1, and its cells by their places. */
export interface SheetRow {
  row: number;
  cells: (string | number | boolean | null)[];
}

/** The rows of a sheet, as they come; results of formulas are what stands in the sheet, errors are nothing. @throws Unreadable */
export async function* sheetRows(source: Readable, facts: CellFacts): AsyncGenerator<SheetRow> {
  let ready: SheetRow[] = [];
  let [row, column, at]: [SheetRow, number, { type: string; style: number }] = [
    { row: 0, cells: [] },
    -1,
    { type: 'n', style: 0 },
  ];
  let [text, isText, isPhonetic] = ['', false, false];
  const reading = heard(source, {
    open: (name, attributes) => {
      if (name === 'row') row = { row: placeOf(attributes.r) ?? row.row + 1, cells: [] };
      else if (name === 'c') {
        const place = attributes.r === undefined ? -1 : columnOf(attributes.r);
        column = place === -1 ? column + 1 : place;
        at = { type: attributes.t ?? 'n', style: Number(attributes.s ?? 0) };
        text = '';
      } else if (name === 'rPh') isPhonetic = true;
      else if ((name === 'v' || name === 't') && !isPhonetic) isText = true;
    },
    text: (part) => {
      if (isText && text.length < MAX_CELL) text += part.slice(0, MAX_CELL);
    },
    close: (name) => {
      if (name === 'v' || name === 't') isText = false;
      else if (name === 'rPh') isPhonetic = false;
      else if (name === 'c') {
        if (column < MAX_COLUMNS && text !== '') row.cells[column] = valueOf(text, at, facts);
      } else if (name === 'row') {
        column = -1;
        ready.push(row);
      }
    },
  });
  for await (const _ of reading) {
    const taken = ready;
    ready = [];
    yield* taken;
  }
}

function placeOf(said: string | undefined): number | null {
  const place = Number(said);
  return Number.isInteger(place) && place > 0 ? place : null;
}

function valueOf(
  text: string,
  { type, style }: { type: string; style: number },
  { strings, formats, isFrom1904 }: CellFacts,
): string | number | boolean | null {
  switch (type) {
    case 's':
      return strings[Number(text)] ?? null;
    case 'b':
      return text === '1' || text === 'true';
    case 'e':
      return null;
    case 'n': {
      const value = Number(text);
      if (!Number.isFinite(value)) return unescaped(text);
      const format = formats[style] ?? 'number';
      return format === 'number' ? value : (momentOf(value, format, isFrom1904) ?? value);
    }
    default:
      return unescaped(text);
  }
}
