import { bitOf, chunkOf } from './rows-sql';
import type { WordBits } from './word-bits';

type Bind = (value: unknown) => string;

/** Ids and numbers of a column that have no bits of their own: so few records have each that their rows are read. */
export interface Rest {
  column: string;
  values: readonly number[];
}

/** Records that have any of the keys, or any of the other values. */
export interface AnyOf {
  any: readonly string[];
  rest?: readonly Rest[];
}

/** Most rows that are read for values without bits; of more, such as somebody who was given all of it lately, bits answer nothing. */
const MOST_READ = 50_000;

/** What a statement needs to know of the values without bits. */
export interface RestItems {
  /** Items of WITH. */
  items: string[];
  /** Conditions that the bits can answer. */
  areFew: string[];
  /** By the place of what asks for them, the names of items with `chunk` and `bits`. */
  names: readonly (readonly string[])[];
}

export function restItems({ table }: WordBits, facets: readonly AnyOf[], bind: Bind): RestItems {
  const items: string[] = [];
  const areFew: string[] = [];
  const names = facets.map(({ rest = [] }, index) => {
    if (rest.length === 0) return [];
    const rows = rest.map(
      ({ column, values }) =>
        `SELECT s.number FROM ${table} s WHERE s.workspace_id = $1 AND s.${column} = ANY(${bind(values)}::bigint[])`,
    );
    const name = `rest${index}`;
    items.push(
      `${name}_rows AS MATERIALIZED (SELECT r.number FROM (${rows.join(' UNION ALL ')}) r LIMIT ${MOST_READ + 1})`,
      `${name} AS MATERIALIZED (SELECT ${chunkOf('r.number')} AS chunk, bit_or(${bitOf('r.number')}) AS bits FROM ${name}_rows r GROUP BY 1)`,
    );
    areFew.push(`(SELECT count(*) FROM ${name}_rows) <= ${MOST_READ}`);
    return [name];
  });
  return { items, areFew, names };
}

/** SELECT of the bits of one chunk `c` that any of the keys has; null for none. @param rest names of items, as above */
export function anyBits({ bits }: WordBits, any: readonly string[], rest: readonly string[], bind: Bind): string {
  const some = any.length === 1 ? `= ${bind(any[0])}::text` : `= ANY(${bind(any)}::text[])`;
  const from = `FROM ${bits} b WHERE b.workspace_id = $1 AND b.chunk = c.chunk AND b.word ${some}`;
  if (rest.length === 0) return `SELECT bit_or(b.bits) AS bits ${from}`;
  const sources = [
    `SELECT b.bits ${from}`,
    ...rest.map((name) => `SELECT r.bits FROM ${name} r WHERE r.chunk = c.chunk`),
  ];
  return `SELECT bit_or(o.bits) AS bits FROM (${sources.join(' UNION ALL ')}) o`;
}
