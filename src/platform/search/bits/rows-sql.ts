import { CHUNK, CHUNK_SHIFT } from './word-bits';

/** SQL of the bits of a chunk of which none is set. */
export const NONE = '0::bit(8192)';
/** SQL: the chunk of a number. */
export const chunkOf = (number: string): string => `(${number} >> ${CHUNK_SHIFT})::integer`;
/** SQL: the bits of its chunk, with that of the number alone. */
export const bitOf = (number: string): string => `set_bit(${NONE}, (${number} & ${CHUNK - 1})::integer, 1)`;

/** FROM item: `workspace_id`, `number` of the records in `folded`; for few. */
export const FOLDED_NUMBERS = numbersOf('folded');

/** FROM item: the same of another item with `chunk` and `bits`. As text, cut at each bit that is set: to ask for single bits is dear. */
export function numbersOf(source: string): string {
  const runs = `SELECT sum(octet_length(t.run) + 1) OVER (ORDER BY t.n ROWS UNBOUNDED PRECEDING) - 1 AS at
    FROM string_to_table(f.bits::text, '1') WITH ORDINALITY t (run, n) OFFSET 0`;
  return `(SELECT $1::bigint AS workspace_id, f.chunk::bigint * ${CHUNK} + r.at AS number
    FROM (SELECT chunk, bits FROM ${source} WHERE bit_count(bits) > 0 OFFSET 0) f CROSS JOIN LATERAL (${runs}) r
    WHERE r.at < ${CHUNK} OFFSET 0)`;
}

/**
 * FROM item: rows of records by their numbers, looked up all at once: `columns` of `table` as `s`. The workspace comes from a column, as in `rowOf`.
 */
export function numberedRows(
  table: string,
  columns: string,
  numbers: string,
  conditions: readonly string[] = [],
): string {
  const all = ['s.workspace_id = n.workspace_id', 's.number = ANY(n.numbers)', ...conditions].join(' AND ');
  return `(SELECT $1::bigint AS workspace_id, ARRAY(SELECT number FROM ${numbers} x) AS numbers OFFSET 0) n
    CROSS JOIN LATERAL (SELECT ${columns} FROM ${table} s WHERE ${all} OFFSET 0)`;
}

/** FROM item: lines of words of records by their ids, looked up all at once. */
export function linesOf(view: string, ids: string): string {
  return `(SELECT x.* FROM (SELECT $1::bigint AS workspace_id, ARRAY(${ids}) AS ids OFFSET 0) n
    CROSS JOIN LATERAL (SELECT * FROM ${view} x WHERE x.workspace_id = n.workspace_id AND x.id = ANY(n.ids) OFFSET 0) x OFFSET 0)`;
}
