import type { TableFormat } from './table-format';

/** Where a cell is in a record: `['subject']`, or `['category', 'name']` of what is embedded. */
export type ColumnPath = readonly [member: string, inner?: string];

/** Records, some at a time, in the order of a list. */
export type Records = AsyncIterable<readonly object[]>;

/** What a list says of itself as a table, beside the records of its first page. */
export interface Table {
  format: TableFormat;
  columns: readonly ColumnPath[];
  /** Name of the file, without its ending. ASCII. */
  name: string;
  /** The records behind the first page; null = there are none, or only this page was asked for. Reads when it is asked. */
  rest: (() => Records) | null;
}

/** What a column is called: `subject`, `category.name`. */
export function headingOf([member, inner]: ColumnPath): string {
  return inner === undefined ? member : `${member}.${inner}`;
}

/** The cells of a record. */
export function cellsOf(columns: readonly ColumnPath[], record: object): unknown[] {
  return columns.map(([member, inner]) => {
    const value = memberOf(record, member);
    if (inner === undefined) return value;
    return typeof value === 'object' && value !== null ? memberOf(value, inner) : null;
  });
}

function memberOf(record: object, name: string): unknown {
  return (record as Record<string, unknown>)[name];
}

/** Every member that some record has, in the order in which they appear. */
export function columnsOfAll(records: readonly object[]): ColumnPath[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))].map((name): ColumnPath => [name]);
}
