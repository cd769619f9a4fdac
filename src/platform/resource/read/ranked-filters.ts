import { codeKey, codePlaces, facetKey } from '../../search/bits/value-keys';
import type { WordBits } from '../../search/bits/word-bits';
import type { Range } from '../../search/bits/range-sql';
import type { ActiveFilter } from './list-query';

/** Keys, of which records that are found have any, or none. */
export interface Facets {
  any: string[];
  not: boolean;
}

/** What bits tell of a filter by the values that it asks for; null where some of these have none. */
export function facetsOf({ spec, value }: ActiveFilter, known: ReadonlySet<string>): Facets | null {
  const told = spec.told?.(value);
  if (!told || !('any' in told)) return null;
  const any = told.any.map((each) => facetKey(told.column, each));
  return any.length > 0 && any.every((key) => known.has(key)) ? { any, not: told.not === true } : null;
}

/** Filters of which bits tell which records have any of their values, and the others: rows are looked at for those, or ranks. */
export function dividedFilters(
  filters: readonly ActiveFilter[],
  known: ReadonlySet<string>,
): { facets: string[][]; others: ActiveFilter[] } {
  const facets: string[][] = [];
  const others = filters.filter((filter) => {
    const keys = facetsOf(filter, known);
    if (keys === null || keys.not) return true;
    facets.push(keys.any);
    return false;
  });
  return { facets, others };
}

/** Whether filters bound but the moment that numbers go with: the moments of chunks tell them nearly. */
export function isPeriodOnly(filters: readonly ActiveFilter[]): boolean {
  return filters.every(({ spec }) => spec.bounds === 'created_at');
}

/** What bits tell nearly, by the ranks of a column, of a filter that bounds it; null where it has none. */
export function rangeOf({ spec, value }: ActiveFilter, { ranks }: WordBits, known: ReadonlySet<string>): Range | null {
  const told = spec.told?.(value);
  if (!told || !('operator' in told)) return null;
  const { column, operator } = told;
  return hasRanks(column, ranks, known) ? { column, operator, value: told.value } : null;
}

/** Whether the values of a column have ranks in a workspace. */
export function hasRanks(column: string, ranks: WordBits['ranks'], known: ReadonlySet<string>): boolean {
  const type = Object.hasOwn(ranks, column) ? ranks[column] : undefined;
  return type !== undefined && codePlaces(type).every((place) => known.has(codeKey(column, place)));
}
