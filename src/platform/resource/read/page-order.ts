import type { ListPlan } from './list-query';
import type { Parameters } from '../../database/parameters';
import { nullsLast } from '../../query/nulls-last';

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

/** The expression sorted by, over `s`. */
export function sortKey({ sort }: Pick<ListPlan, 'sort'>): string {
  const column = `s.${sort.spec.column}`;
  if (!sort.spec.nullable) return column;
  return nullsLast(column, sort.spec.type, sort.descending ? 'descending' : 'ascending');
}

/** ORDER BY list of a scan; ties are broken by id, in the same direction. */
export function scanOrder(plan: ListPlan, page: PageOrder): string {
  const direction = page.reversed === plan.sort.descending ? 'ASC' : 'DESC';
  return `${sortKey(plan)} ${direction}, s.id ${direction}`;
}

/** Condition that begins a scan right behind the plan's position; none without one. */
export function keysetConditions(plan: ListPlan, page: PageOrder, parameters: Parameters): string[] {
  if (!page.keyset || !plan.position) return [];
  const operator = plan.sort.descending === page.reversed ? '>' : '<';
  const { key, id } = plan.position;
  return [
    `(${sortKey(plan)}, s.id) ${operator} (${parameters.bind(key)}::${plan.sort.spec.type}, ${parameters.bind(id)}::bigint)`,
  ];
}

/** LIMIT and OFFSET as literals: as parameters PostgreSQL would plan for a tenth of the table. */
export function slice(page: PageOrder): string {
  return page.offset > 0 ? `LIMIT ${page.limit} OFFSET ${page.offset}` : `LIMIT ${page.limit}`;
}
