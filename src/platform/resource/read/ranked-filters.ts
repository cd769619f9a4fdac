import { currentSight } from '../../context/demand';
import type { AnyOf, Rest } from '../../search/bits/any-of';
import { codeKey, codePlaces, facetKey } from '../../search/bits/value-keys';
import type { WordBits } from '../../search/bits/word-bits';
import type { Range } from '../../search/bits/range-sql';
import type { Resource } from '../resource';
import type { ActiveFilter } from './list-query';

const NOTHING = { any: [], rest: [] };

/** What bits tell of a filter: which records have any of these, or none of them. */
export type Facet = AnyOf & { not: boolean };

/**
 * What bits tell of a filter by the values that it asks for, where one of these has bits at least; null where they do not tell. Ids that have
 * none are few records each.
 */
export function facetOf({ spec, value }: ActiveFilter, bits: WordBits, known: ReadonlySet<string>): Facet | null {
  const told = spec.told?.(value);
  if (!told || !('any' in told)) return null;
  const { any, rest } = keysOf([{ column: told.column, values: told.any }], bits, known) ?? NOTHING;
  return any.length > 0 ? { any, ...(rest.length > 0 ? { rest } : {}), not: told.not === true } : null;
}

/**
 * What bits tell of the rows that the caller sees; null where they do not tell. Rows that are shown are asked again.
 *
 * @param seen the condition of it; null = all of them
 */
export function seenFacets(
  { sight: { told: toldOf } }: Pick<Resource, 'sight'>,
  seen: string | null,
  bits: WordBits,
  known: ReadonlySet<string>,
): AnyOf[] | null {
  if (seen === null) return [];
  const sight = currentSight();
  const told = sight && toldOf?.(sight);
  const keys = told ? keysOf(told, bits, known) : null;
  return keys && [keys];
}

/** The keys of values, and the values without any; null where a column has no bits of its values at all. */
function keysOf(
  told: readonly { column: string; values: readonly unknown[] }[],
  { facets }: WordBits,
  known: ReadonlySet<string>,
): { any: string[]; rest: Rest[] } | null {
  const any: string[] = [];
  const rest: Rest[] = [];
  for (const { column, values } of told) {
    const without = values.filter((value) => !known.has(facetKey(column, value)));
    any.push(...values.filter((value) => !without.includes(value)).map((value) => facetKey(column, value)));
    if (without.length === 0) continue;
    const ids = without.filter((value) => typeof value === 'number');
    if (facets[column] !== null || ids.length < without.length) return null;
    rest.push({ column, values: ids });
  }
  return { any, rest };
}

/** Filters of which bits tell which records have any of their values, and the others: rows are looked at for those, or ranks. */
export function dividedFilters(
  filters: readonly ActiveFilter[],
  bits: WordBits,
  known: ReadonlySet<string>,
): { facets: AnyOf[]; others: ActiveFilter[] } {
  const facets: AnyOf[] = [];
  const others = filters.filter((filter) => {
    const facet = facetOf(filter, bits, known);
    if (facet === null || facet.not) return true;
    facets.push(facet);
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
