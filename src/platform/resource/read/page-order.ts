import type { ListPlan, SortKey } from './list-query';
import type { Parameters } from '../../database/parameters';
import { nullsLast } from '../../query/nulls-last';
import { inTextOrder } from '../../text/text-order';
import type { SortSpec } from '../resource';

/** How the rows of a page are found. */
export interface PageOrder {
  limit: number;
  offset: number;
  /** Scan against the sort order and turn the page round afterwards. */
  reversed: boolean;
  /** Begin at the plan's keyset position. */
  keyset: boolean;
}

/** Offset at which it pays to know the total first, so that the list can be scanned from its nearer end. */
export const DEEP_OFFSET = 1_000;
/** Rows that a page may skip and still be prepared: the few pages behind the first are asked for often; of all others there are too many. */
export const PREPARED_OFFSET = 100;

/** A keyset position when the link carries one, else the offset from the end that is nearer. */
export function pageOrder(plan: ListPlan, knownTotal: number | null): PageOrder {
  const { limit, offset, position } = plan;
  if (position) return { limit, offset: 0, reversed: position.direction === 'before', keyset: true };
  if (knownTotal !== null && offset >= knownTotal) return { limit: 0, offset: 0, reversed: false, keyset: false };
  if (knownTotal !== null && offset >= DEEP_OFFSET && offset > knownTotal / 2) {
    const size = Math.min(limit, knownTotal - offset);
    return { limit: size, offset: knownTotal - offset - size, reversed: true, keyset: false };
  }
  return { limit, offset, reversed: false, keyset: false };
}

/** All keys of a list, the first one first. */
export function sortKeys({ sort, further }: Pick<ListPlan, 'sort' | 'further'>): readonly SortKey[] {
  return further.length === 0 ? [sort] : [sort, ...further];
}

/** What the rows of a page call a sort key, by its place. */
export const keyName = (index: number): string => (index === 0 ? 'k' : `k${index}`);

/** The expression of a key, over `s`. */
export function keyExpression({ spec, descending }: SortKey): string {
  const column = spec.expression?.('s') ?? `s.${spec.column}`;
  const key = spec.nullable ? nullsLast(column, spec.type, descending ? 'descending' : 'ascending') : column;
  return inOrder(spec, key);
}

/** A value of such a key as it is compared. */
export function inOrder({ type }: Pick<SortSpec, 'type'>, key: string): string {
  return type === 'text' ? inTextOrder(key) : key;
}

/**
 * ORDER BY list; ties are broken by id, in the direction of the last key.
 *
 * @param name the expression of each key, by its place, and last that of the id
 */
export function orderBy(
  plan: ListPlan,
  reversed: boolean,
  name: (key: SortKey, index: number) => string,
  id: string,
): string {
  const keys = sortKeys(plan);
  const direction = ({ descending }: SortKey): string => (reversed === descending ? 'ASC' : 'DESC');
  const last = keys.at(-1) ?? plan.sort;
  return [...keys.map((key, index) => `${name(key, index)} ${direction(key)}`), `${id} ${direction(last)}`].join(', ');
}

/** The order of a list by one column, along its index: over `s`, and the conditions of what the index has in that order. */
export function alongIndex(plan: ListPlan): { order: string; conditions: string[] } {
  const { spec } = plan.sort;
  const column = `s.${spec.column}`;
  return {
    order: orderBy(plan, false, () => inOrder(spec, column), 's.id'),
    conditions: spec.nullable ? [`${column} IS NOT NULL`] : [],
  };
}

/** ORDER BY list of a scan. @param of the expression of a key */
export function scanOrder(plan: ListPlan, page: PageOrder, of: (key: SortKey) => string = keyExpression): string {
  const { spec, descending } = plan.sort;
  if (spec.unique) return `${of(plan.sort)} ${page.reversed === descending ? 'ASC' : 'DESC'}`;
  return orderBy(plan, page.reversed, of, 's.id');
}

/** Conditions that begin a scan right behind the plan's position; none without one. */
export function keysetConditions(plan: ListPlan, page: PageOrder, parameters: Parameters): string[] {
  return page.keyset ? keysBeyond(plan, page, parameters, keyExpression(plan.sort)) : [];
}

/**
 * The same. Several keys may go in different directions, so they are compared one by one; the first by itself, so that its index leads
 * to the place.
 *
 * @param leading expression of the first key; null where it is the same for all rows in question
 */
export function keysBeyond(plan: ListPlan, page: PageOrder, { bind }: Parameters, leading: string | null): string[] {
  if (!plan.position) return [];
  const { key, more = [], id } = plan.position;
  const beyond = ({ descending }: SortKey): string => (descending === page.reversed ? '>' : '<');
  const places = sortKeys(plan).map((each, index) => ({
    each,
    at: index === 0 ? leading : keyExpression(each),
    index,
  }));
  const [first, ...further] = places.flatMap(({ each, at, index }) =>
    at === null
      ? []
      : [{ at, value: `${bind(index === 0 ? key : more[index - 1])}::${each.spec.type}`, operator: beyond(each) }],
  );
  const last = `${bind(id)}::bigint`;
  const beyondId = `s.id ${beyond(plan.further.at(-1) ?? plan.sort)} ${last}`;
  if (!first) return [beyondId];
  if (further.length === 0 && plan.further.length === 0)
    return [`(${first.at}, s.id) ${first.operator} (${first.value}, ${last})`];
  const behind = [first, ...further].reduceRight(
    (rest, { at, value, operator }) => `(${at} ${operator} ${value} OR (${at} = ${value} AND ${rest}))`,
    beyondId,
  );
  return [`${first.at} ${first.operator}= ${first.value}`, behind];
}

/** LIMIT and OFFSET as literals: as parameters PostgreSQL would plan for a tenth of the table. */
export function slice(page: PageOrder): string {
  return page.offset > 0 ? `LIMIT ${page.limit} OFFSET ${page.offset}` : `LIMIT ${page.limit}`;
}
