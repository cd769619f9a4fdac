import { inTextOrder } from '../../text/text-order';
import type { RankType, WordBits } from './word-bits';

/*
 * Values have bits as words do, by keys that no word has: `=status:open`, `=company_id` (none), `=` (every record that is there); and
 * `#subject:3`, a binary digit of the rank that a value has among the bounds of its column.
 */

/** Digits of a rank; a column has fewer bounds than they can tell apart. */
const DIGITS: Readonly<Record<RankType, number>> = { level: 4, number: 12, moment: 12, text: 10 };
/** Bounds that are chosen at first; of numbers and moments, which grow, more are added at the end. */
const CHOSEN = 1_023;

/** How the bounds of a type are kept, what is behind a column to compare it with them, and the least above a value, where new ones may be beyond all others. */
export const RANK_TYPES: Readonly<
  Record<RankType, { list: 'numbers' | 'moments' | 'texts'; cast: string; above: string | null }>
> = {
  level: { list: 'numbers', cast: '::bigint', above: null },
  number: { list: 'numbers', cast: '', above: '1' },
  moment: { list: 'moments', cast: '', above: `interval '1 microsecond'` },
  text: { list: 'texts', cast: inTextOrder(''), above: null },
};

export const mostBounds = (type: RankType): number => 2 ** DIGITS[type] - 1;
export const mostChosen = (type: RankType): number => Math.min(CHOSEN, mostBounds(type));

/** The key of every record. */
export const EVERY = '=';

/** The key of a value of a column; of null, of records that have none. */
export function facetKey(column: string, value: unknown): string {
  return value === null ? `=${column}` : `=${column}:${value as string}`;
}

/** Whether a key is one of values; the others are of words. */
export function isOfValues(key: string): boolean {
  return key.startsWith('=') || key.startsWith('#');
}

/*
 * The code of a value: its rank (how many bounds are not above it), and whether it is the last of these bounds itself, as the lowest bit.
 * Many records of one rank have one value, then, or are few. A value that is missing has a bit of its own.
 */
const MISSING = 13;
/** The place of the lowest bit. */
export const IS_BOUND = 0;

/** SQL: the code of a column. @param bounds the sorted list of its bounds */
export function codeOf(column: string, type: RankType, bounds: string): string {
  const value = `${column}${RANK_TYPES[type].cast}`;
  const code = `k.rank * 2 + coalesce(${value} = (${bounds})[k.rank], false)::integer`;
  const present = `(SELECT ${code} FROM (SELECT width_bucket(${value}, ${bounds}) AS rank OFFSET 0) k)`;
  return `(CASE WHEN ${column} IS NULL THEN ${(1 << MISSING) + 1} ELSE ${present} END)`;
}

/** SQL: the bounds of a column, ready to be looked through. */
export function boundsOf({ bounds, ranks }: WordBits, column: string): string {
  const { list } = RANK_TYPES[ranks[column] ?? 'text'];
  return `(SELECT b.${list}[1:] FROM ${bounds} b WHERE b.workspace_id = $1 AND b.sort_column = '${column}')`;
}

/** The key of a bit of a code. */
export function codeKey(column: string, place: number): string {
  return place === MISSING ? facetKey(column, null) : `#${column}:${place}`;
}

/** Places of the bits of a code that ranks have, the highest first. */
export function rankPlaces(type: RankType): number[] {
  return Array.from({ length: DIGITS[type] }, (_, index) => DIGITS[type] - index);
}

/** All places, in the order in which values are compared: those that are missing come last, whatever the direction. */
export function codePlaces(type: RankType): number[] {
  return [MISSING, ...rankPlaces(type), IS_BOUND];
}

/** Whether a record comes first, in a list that is sorted by a column, whose code has the bit at this place. */
export function isFirstWith(place: number, descending: boolean): boolean {
  return place !== MISSING && (place === IS_BOUND ? !descending : descending);
}

/** The keys of values that every workspace has. */
export function valueKeys({ facets, ranks }: WordBits): string[] {
  const known = Object.entries(facets).flatMap(([column, values]) =>
    [...(values ?? []), null].map((value) => facetKey(column, value)),
  );
  const codes = Object.entries(ranks).flatMap(([column, type]) =>
    codePlaces(type).map((place) => codeKey(column, place)),
  );
  return [...new Set([EVERY, ...known, ...codes])];
}
