import { note } from '../../platform/conditions/check-conditions';
import { current, runInContext } from '../../platform/context/current';
import { ApiError, type ErrorDetail } from '../../platform/errors/api-error';
import { filterNames, parseListQuery, type RawQuery } from '../../platform/resource/read/list-query';
import { parseSelection } from '../../platform/resource/read/selection';
import { allResources, type Resource } from '../../platform/resource/resource';
import { isLonger } from '../../platform/text/normalise';

const MAX_FILTERS = 40;
const MAX_TEXT = 4_000;

/** What the OpenAPI document says of filters by name. */
export const filtersSchema = {
  type: 'object',
  maxProperties: MAX_FILTERS,
  additionalProperties: { type: 'string', maxLength: MAX_TEXT },
} as const;

/** What of a view depends on the list that it is of. */
export interface Saved {
  resource: string;
  filters: Readonly<Record<string, unknown>>;
  sort: string | null;
  columns: readonly string[];
}

/**
 * The list that a view is of, and what is asked of it; null where there is no such list.
 *
 * @param resource as the workspace has it (`ResourceKernel.widened`)
 */
export function listOf(saved: Saved, resource: Resource | undefined): { resource: Resource; query: RawQuery } | null {
  if (!resource?.notice) return null;
  const relations = saved.columns.filter((name) => Object.hasOwn(resource.expand, name));
  const texts = Object.entries(saved.filters).map(([name, value]): [string, string] => [name, filterText(value) ?? '']);
  const filters: RawQuery = Object.fromEntries(texts);
  return {
    resource,
    query: {
      ...filters,
      ...(saved.sort === null ? {} : { sort: saved.sort }),
      ...(saved.columns.length === 0 ? {} : { fields: saved.columns.join(',') }),
      ...(relations.length === 0 ? {} : { expand: relations.join(',') }),
    },
  };
}

/** Everything that the list would refuse, by the very rules of the list. @param of as for `listOf` */
export function problemsOf(saved: Saved, of: Resource | undefined): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  const list = listOf(saved, of);
  if (!list) {
    const names = allResources().flatMap(({ name, notice }) => (notice ? [name] : []));
    note(problems, 'resource', 'enum', `must be one of ${names.join(', ')}`, names);
    return problems;
  }
  const { resource, query } = list;
  const everything = parseSelection(resource, {});
  const filters = Object.entries(saved.filters);
  const known = filterNames(resource);
  if (filters.length > MAX_FILTERS) note(problems, 'filters', 'max', `must have at most ${MAX_FILTERS} filters`);
  for (const [name, value] of filters.slice(0, MAX_FILTERS)) {
    const path = `filters.${name.slice(0, 80)}`;
    const text = filterText(value);
    if (!known.includes(name)) note(problems, path, 'unknown_filter', `is not a filter of ${resource.name}`, known);
    else if (text === null) note(problems, path, 'type', 'must be a text, a number, true or false, or a list of them');
    else attempt(problems, path, () => parseListQuery(resource, { [name]: text }, everything));
  }
  const { sort, q, fields, expand } = query;
  if (sort !== undefined)
    attempt(
      problems,
      'sort',
      () => parseListQuery(resource, q === undefined ? { sort } : { sort, q }, everything),
      'sort',
    );
  if (fields !== undefined)
    attempt(problems, 'columns', () =>
      parseSelection(resource, expand === undefined ? { fields } : { fields, expand }),
    );
  return problems;
}

/** A filter as the parameter of a list; null for what is none. */
export function filterText(value: unknown): string | null {
  const text = Array.isArray(value) ? value.map(String).join(',') : String(value);
  const isPlain = [value].flat().every((item) => ['string', 'number', 'boolean'].includes(typeof item));
  return isPlain && !isLonger(text, MAX_TEXT) && text.isWellFormed() && !text.includes('\0') ? text : null;
}

/** @param only details of this field alone: others are told by an attempt of their own */
function attempt(problems: ErrorDetail[], path: string, work: () => unknown, only?: string): void {
  try {
    asSomebody(work);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const [detail] = error.extras.details ?? [];
    if (only !== undefined && detail?.field !== only) return;
    problems.push({
      ...detail,
      field: path,
      code: detail?.code ?? 'invalid',
      message: error.message.replace(/\.$/, ''),
    });
  }
}

/** `me` is whoever looks at the view, whoever saves it. */
function asSomebody<T>(work: () => T): T {
  const { principal } = current();
  if (!principal || principal.userId !== null) return work();
  return runInContext({ ...current(), principal: { ...principal, userId: 1 } }, work);
}
