import { invalid } from '../../errors/api-error';
import { wholeNumber } from '../../query/values';
import type { AnyFilter } from '../../query/filters';
import { decodePosition, type Position } from './position';
import { currentSight } from '../../context/demand';
import type { Resource, Search, SortSpec } from '../resource';
import { termsOf } from '../../search/terms';
import type { Selection } from './selection';
import { seenRows } from './sight';
import { isLonger } from '../../text/normalise';

/** Query parameters as received. */
export type RawQuery = Readonly<Record<string, string | undefined>>;

export interface ActiveFilter {
  name: string;
  spec: AnyFilter;
  value: unknown;
}

/** Which page of a list was asked for. */
export interface Paging {
  limit: number;
  offset: number;
  /** Which pair of parameters the client uses; links answer in kind. */
  dialect: 'page' | 'offset';
}

/** One key that a list is sorted by. */
export interface SortKey {
  name: string;
  spec: SortSpec;
  descending: boolean;
}

/** A validated list request: everything the read plan needs. */
export interface ListPlan extends Paging {
  sort: SortKey;
  /** Keys that tell apart what the first one does not, in their order; mostly none. Last of all comes the id. */
  further: readonly SortKey[];
  filters: ActiveFilter[];
  /** Condition over `s` of what the caller sees; null = all. */
  seen: string | null;
  /** What is searched for; null = no search. */
  search: Search | null;
  selection: Selection;
  position: Position | null;
}

/** Default page size (decision 4). */
export const DEFAULT_LIMIT = 25;
/** Largest page. */
export const MAX_LIMIT = 100;
/** Most keys that a list is sorted by, besides the id. */
export const MAX_SORTS = 3;
/** Most records that can be skipped. */
export const MAX_OFFSET = 2_147_483_647;
/** Longest `q`, and most words in it. */
export const MAX_SEARCH_LENGTH = 500;
export const MAX_TERMS = 10;

const paging = ['page', 'per_page', 'offset', 'limit', 'position'];

const reserved = new Set([...paging, 'sort', 'fields', 'expand', 'include', 'q', 'view']);

/** Parses a list request against a resource, or throws the 422 that names what is wrong. Pure but for who asks. */
export function parseListQuery(resource: Resource, query: RawQuery, selection: Selection): ListPlan {
  const paging = parsePaging(query);
  const search = parseSearch(resource, query.q);
  const [sort, ...further] = parseSorts(resource, search !== null, query.sort);
  const types = further.map(({ spec }) => spec.type);
  return {
    ...paging,
    sort,
    further,
    filters: parseFilters(resource, query),
    seen: seenRows(resource, 's', currentSight()),
    search,
    selection,
    position:
      query.position === undefined
        ? null
        : decodePosition(query.position, sortText({ sort, further }), sort.spec.type, types),
  };
}

/** The sort as the client writes it. */
export function sortText({ sort, further = [] }: { sort: SortKey; further?: readonly SortKey[] }): string {
  return [sort, ...further].map(({ descending, name }) => `${descending ? '-' : ''}${name}`).join(',');
}

/** What a list can be filtered by, its search among it: whatever else a list request has says how it is shown. */
export function filterNames({ filters, search }: Resource): string[] {
  return [...filters.keys(), ...(search ? ['q'] : [])];
}

/** Whether a list is asked for one page in particular. */
export function namesPage(query: RawQuery): boolean {
  return paging.some((name) => query[name] !== undefined);
}

/** The parameters that are not about the page. */
export function withoutPage(query: RawQuery): [name: string, value: string][] {
  return Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !paging.includes(entry[0]),
  );
}

/** Reads `page` with `per_page`, or `offset` with `limit`; 422 for anything out of range, and for both at once. */
export function parsePaging(query: RawQuery): Paging {
  const { page, per_page: perPage, offset, limit } = query;
  if ((page !== undefined || perPage !== undefined) && (offset !== undefined || limit !== undefined)) {
    const field = offset !== undefined ? 'offset' : 'limit';
    invalid(field, 'conflict', 'Use "page" with "per_page", or "offset" with "limit", not both.');
  }
  if (offset !== undefined || limit !== undefined) {
    return {
      dialect: 'offset',
      limit: numberOr(DEFAULT_LIMIT, 'limit', limit, 1, MAX_LIMIT),
      offset: numberOr(0, 'offset', offset, 0, MAX_OFFSET),
    };
  }
  const size = numberOr(DEFAULT_LIMIT, 'per_page', perPage, 1, MAX_LIMIT);
  const number = numberOr(1, 'page', page, 1, Math.floor(MAX_OFFSET / MAX_LIMIT));
  return { dialect: 'page', limit: size, offset: (number - 1) * size };
}

function numberOr(fallback: number, name: string, raw: string | undefined, min: number, max: number): number {
  return raw === undefined ? fallback : wholeNumber(min, max)(raw, name);
}

/** Sort key of a search that ranks what it finds; meaningless without one. */
const byRelevance: Readonly<Record<string, SortSpec>> = { relevance: { column: 'relevance', type: 'integer' } };

function parseSorts(resource: Resource, isSearch: boolean, asked: string | undefined): [SortKey, ...SortKey[]] {
  const ranked = isSearch && resource.search?.ranked !== undefined;
  const sorts = ranked ? { ...resource.sort, ...byRelevance } : resource.sort;
  const raw = asked ?? (ranked ? '-relevance' : resource.defaultSort);
  const [first = '', ...rest] = raw.split(',', MAX_SORTS + 1).map((item) => item.trim());
  if (rest.length >= MAX_SORTS)
    invalid('sort', 'max', `"sort" takes at most ${MAX_SORTS} names, comma-separated.`, { max: MAX_SORTS });
  const keys: [SortKey, ...SortKey[]] = [parseSort(sorts, first), ...rest.map((item) => parseSort(sorts, item))];
  const twice = keys.find(({ name }, index) => keys.findIndex((key) => key.name === name) < index);
  if (twice) invalid('sort', 'duplicate', `"sort" names ${twice.name} twice.`);
  return keys;
}

function parseSort(sorts: Readonly<Record<string, SortSpec>>, raw: string): SortKey {
  const descending = raw.startsWith('-');
  const name = descending ? raw.slice(1) : raw;
  const spec = Object.hasOwn(sorts, name) ? sorts[name] : undefined;
  if (!spec) {
    const allowed = Object.keys(sorts);
    invalid('sort', 'unknown_sort', `"sort" must be one of ${allowed.join(', ')}, with "-" before it for descending.`, {
      allowed,
    });
  }
  return { name, spec, descending };
}

function parseFilters(resource: Resource, query: RawQuery): ActiveFilter[] {
  const active: ActiveFilter[] = [];
  for (const [name, raw] of Object.entries(query)) {
    if (raw === undefined || reserved.has(name)) continue;
    const spec = resource.filters.get(name);
    if (!spec) {
      invalid(name.slice(0, 80), 'unknown_filter', `"${name.slice(0, 80)}" is not a parameter of this list.`, {
        allowed: filterNames(resource),
      });
    }
    active.push({ name, spec, value: spec.parse(raw, name) });
  }
  return active;
}

function parseSearch(resource: Resource, raw: string | undefined): Search | null {
  if (raw === undefined) return null;
  if (!resource.search)
    invalid('q', 'unknown_filter', '"q" is not a parameter of this list.', { allowed: [...resource.filters.keys()] });
  if (isLonger(raw, MAX_SEARCH_LENGTH))
    invalid('q', 'max', `"q" must have at most ${MAX_SEARCH_LENGTH} characters.`, { max: MAX_SEARCH_LENGTH });
  const terms = termsOf(raw);
  if (terms.length === 0) invalid('q', 'min', '"q" must have at least one letter or digit.');
  if (terms.length > MAX_TERMS) invalid('q', 'max', `"q" must have at most ${MAX_TERMS} words.`, { max: MAX_TERMS });
  return { text: raw, terms };
}
