import { NONE } from './rows-sql';
import { boundsOf, codeKey, facetKey, IS_BOUND, RANK_TYPES, rankPlaces } from './value-keys';
import type { WordBits } from './word-bits';

type Bind = (value: unknown) => string;

/** Values of a column beyond one of its type. */
export interface Range {
  column: string;
  operator: '<' | '>' | '<=' | '>=';
  value: unknown;
}

const TYPES = { numbers: 'bigint', moments: 'timestamptz', texts: 'text' } as const;

/** Item of WITH: where a value lies among the bounds of its column; `is_bound`: it is the last that is not above it. */
export function placeItem(bits: WordBits, name: string, { column, value }: Range, bind: Bind): string {
  const { list } = RANK_TYPES[bits.ranks[column] ?? 'text'];
  const given = `${bind(value)}::${TYPES[list]}`;
  return `${name} AS MATERIALIZED (SELECT p.rank, coalesce(p.bounds[p.rank] = ${given}, false) AS is_bound
    FROM (SELECT b.bounds, width_bucket(${given}, b.bounds) AS rank FROM (SELECT ${boundsOf(bits, column)} AS bounds OFFSET 0) b OFFSET 0) p)`;
}

/**
 * SELECT of the records of one chunk `c` whose values are in a range: `certain`, and `maybe`, among which are those whose rank is that of
 * the value, who have to be looked at.
 *
 * @param place name of the item that `placeItem` makes
 */
export function rangeMasks({ bits, ranks }: WordBits, place: string, { column, operator }: Range, bind: Bind): string {
  const places = rankPlaces(ranks[column] ?? 'text');
  const missing = facetKey(column, null);
  const keys = [...places, IS_BOUND].map((each) => codeKey(column, each));
  const digits = [...keys, missing].map(
    (key, index) => `coalesce(bit_or(b.bits) FILTER (WHERE b.word = ${bind(key)}::text), ${NONE}) AS d${index}`,
  );
  // From the lowest digit up: above where a digit is set that the rank lacks, or where the lower ones say so and this one is as it is there.
  const above = (lowest: string): string =>
    places.reduceRight((lower, each, index) => {
      const isSet = `(r.rank >> ${each - 1}) & 1 = 1`;
      const digit = `d.d${index}`;
      return `(CASE WHEN ${isSet} THEN ${NONE} ELSE ${digit} END | (CASE WHEN ${isSet} THEN ${digit} ELSE ~${NONE} END & ${lower}))`;
    }, lowest);
  const isBound = `d.d${places.length}`;
  const present = `(~d.d${places.length + 1})`;
  const isUpward = operator === '>' || operator === '>=';
  // Of the upward range that this is, or is all but: its own values at the bound belong to it only with `>=`.
  const includes = operator === '>=' || operator === '<';
  const bound = includes ? `CASE WHEN r.is_bound THEN a.same & ${isBound} ELSE ${NONE} END` : NONE;
  const between = `a.same & ~${isBound}`;
  const surely = `a.above | (${bound}) | CASE WHEN r.is_bound THEN ${between} ELSE ${NONE} END`;
  const perhaps = `a.above | (${bound}) | (${between})`;
  const certain = isUpward ? surely : `~(${perhaps})`;
  const maybe = isUpward ? perhaps : `~(${surely})`;
  return `SELECT (${certain}) & ${present} AS certain, (${maybe}) & ${present} AS maybe
    FROM ${place} r CROSS JOIN (SELECT ${digits.join(', ')} FROM ${bits} b WHERE b.workspace_id = $1 AND b.chunk = c.chunk AND b.word = ANY(${bind([...keys, missing])}::text[]) OFFSET 0) d
      CROSS JOIN LATERAL (SELECT g.above, g.reaches & ~g.above AS same FROM (SELECT ${above(NONE)} AS above, ${above(`(~${NONE})`)} AS reaches OFFSET 0) g OFFSET 0) a`;
}
