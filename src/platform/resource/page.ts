import type { PageEdges } from './page-links';

/** A page as a `listStatement` answers it. */
export interface Page extends PageEdges {
  json: string;
  rows: number;
  total: number;
}

/** Reads the row of a `listStatement`. */
export function readPage(rows: (string | null)[][]): Page {
  const [json, firstKey, firstId, lastKey, lastId, count, total] = rows[0] ?? [];
  const edge = (key: string | null | undefined, id: string | null | undefined): PageEdges['first'] =>
    id === null || id === undefined ? null : { key: key ?? '', id: Number(id) };
  return {
    json: json ?? '[]',
    first: edge(firstKey, firstId),
    last: edge(lastKey, lastId),
    rows: Number(count),
    total: Number(total),
  };
}
