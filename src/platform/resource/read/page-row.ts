// Raw rows: lists, the hottest path: one row, whose JSON text goes out as it came.
import type { Database } from '../../database/database';
import type { KeptText } from '../../http/kept-text';
import type { RawRow, Statement } from '../../postgres/statement-batch';
import type { Position } from './position';

/** First and last row of a page: where its neighbours begin. */
export interface PageEdges {
  first: Edge | null;
  last: Edge | null;
}

/** The sort keys of a row, as PostgreSQL writes them. */
export type Edge = Pick<Position, 'key' | 'more' | 'id'>;

/** A page as a list answers it. */
export interface Page extends PageEdges {
  /** JSON of the array of its records. */
  text: string | KeptText;
  rows: number;
  total: number;
}

/** Place of the total among the columns of `listStatement`. */
const TOTAL = 6;

/** A total that is not told is no number. */
export const totalOf = (text: string | null | undefined): number => (text === null ? NaN : Number(text));

/** Reads the row of a `listStatement`. */
export function readPage(rows: RawRow[]): Page {
  const [json, firstKey, firstId, lastKey, lastId, count, total, ...further] = rows[0] ?? [];
  const more = (side: 0 | 1): Pick<Edge, 'more'> =>
    further.length === 0 ? {} : { more: further.filter((_, index) => index % 2 === side).map((key) => key ?? '') };
  const edge = (key: string | null | undefined, id: string | null | undefined, side: 0 | 1): PageEdges['first'] =>
    id === null || id === undefined ? null : { key: key ?? '', id: Number(id), ...more(side) };
  return {
    text: json ?? '[]',
    first: edge(firstKey, firstId, 0),
    last: edge(lastKey, lastId, 1),
    rows: Number(count),
    total: totalOf(total),
  };
}

/** A page whose statement may not tell its total: null then. */
export async function readAll(database: Database, statement: Statement): Promise<Page | null> {
  const rows = await database.rawRead(statement);
  return rows[0]?.[TOTAL] === null ? null : readPage(rows);
}

/** Whether a page has all the rows that its total says it has. */
export function isWhole({ rows, total }: Page, { offset, limit }: { offset: number; limit: number }): boolean {
  return rows === Math.max(0, Math.min(limit, total - offset));
}
