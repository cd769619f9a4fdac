import { workspacePredicate } from '../../database/database';
import { Parameters } from '../../database/parameters';
import type { Statement } from '../../postgres/statement-batch';
import type { ActiveFilter, ListPlan } from './list-query';
import { DEEP_OFFSET, type PageOrder } from './page-order';
import type { Resource } from '../resource';

/** So many rows are sooner gathered by their filters and sorted than found in the order of the list, far down it. */
const FEW = 50_000;
/** The same at its beginning, where a filter bounds a moment: what is beyond it may all lie at the other end of the order. */
const FEW_OF_PERIOD = 20_000;
/** The same of filters that have little to do with the order: of more, some are met soon. */
const FEW_AT_FIRST = 3_000;
/** The same of those that are not among the first rows in the order. */
const FEW_ELSEWHERE = 20_000;

/**
 * Whether the rows that the filters leave are to be gathered by them and sorted, as they are few. The planner knows neither how many
 * two filters leave together nor that moments go with numbers: it goes through a whole workspace in order, to meet the last of them.
 *
 * @param total of the list; null = not known
 */
export function isSoonerGathered(resource: Resource, plan: ListPlan, total: number | null): boolean {
  const { filters } = plan;
  // Of those that ask for nothing but records without a value, there is mostly no index.
  const isLed = filters.some((filter) => !isAbsence(filter) || hasLackingIndex(resource, filter));
  if (total === null || plan.search !== null || !isLed || isInOrder(plan)) return false;
  if (plan.offset >= DEEP_OFFSET) return total <= FEW;
  if (isLookedFor(plan) && isCommon(resource, plan)) return total <= FEW_ELSEWHERE;
  if (!isCountedFirst(resource, plan)) return false;
  return total <= (filters.some(({ spec }) => spec.bounds !== undefined) ? FEW_OF_PERIOD : FEW_AT_FIRST);
}

/** Rows of an index that are sooner passed over, from the nearer end of a list, than bits are asked. */
const REACH = 60_000;

/** Whether a page far down is sooner reached along an index: of all records, or of one filter that has them in the order of the list. */
export function isSoonerPassed(plan: ListPlan, total: number): boolean {
  const { filters, further, offset } = plan;
  const isAlong = filters.length === 0 ? further.length === 0 : isInOrder(plan);
  return isAlong && Math.min(offset, Math.max(0, total - offset)) <= REACH;
}

/** So many records within bounds are sooner gathered than bits are asked. */
const FEW_WITHIN = 10_000;

/**
 * Whether the bounds of some moment leave next to nothing, all bounds of one column together: column `few`. By its index, of which few rows are
 * looked at whatever they leave. Null without bounds.
 */
export function fewWithinBounds(resource: Resource, { filters }: ListPlan, workspaceId: number): Statement | null {
  const parameters = new Parameters(workspaceId);
  const columns = [...new Set(filters.flatMap(({ spec }) => spec.bounds ?? []))];
  if (columns.length === 0) return null;
  const few = columns.map((column) => {
    const bounds = filters.filter(({ spec }) => spec.bounds === column);
    const within = bounds.map(({ spec, value }) => spec.sql('s', value, parameters.bind));
    const where = [workspacePredicate.of('s.workspace_id', '$1'), ...within].join(' AND ');
    return `(SELECT count(*) <= ${FEW_WITHIN} FROM (SELECT FROM ${resource.table} s WHERE ${where} ORDER BY s.${column} LIMIT ${FEW_WITHIN + 1}) n)`;
  });
  return { text: `SELECT ${few.join(' OR ')} AS few`, values: parameters.values, unnamed: true };
}

/** Whether the rows of a search are sorted all at once, far down it, where an index for its order has two halves. */
export function isSoonerSorted({ search, filters }: ListPlan, { offset }: PageOrder, total: number | null): boolean {
  const isIndexed = filters.length > 0 && filters.every(({ spec, value }) => spec.isAbsence?.(value) !== true);
  return search !== null && offset > 0 && isIndexed && total !== null && total <= FEW;
}

/** Whether the total tells how the rows are found best: of large tables, where filters leave what nobody has counted. */
export function isCountedFirst(resource: Resource, plan: ListPlan): boolean {
  return resource.counters !== null && plan.search === null && plan.filters.length > 0 && !isCommon(resource, plan);
}

/** Whether the statement is one of few: those of other filters and sorts are planned for their values. */
export function isCommon({ counters }: Resource, { search, seen, filters, further, sort }: ListPlan): boolean {
  const isPlain = search === null && seen === null && further.length === 0 && sort.spec.expression === undefined;
  return isPlain && filters.every(({ name }) => counters?.includes(name) === true);
}

/** Whether a filter asks for nothing but records without a value. */
export function isAbsence({ spec, value }: ActiveFilter): boolean {
  return spec.isAbsence?.(value) === true;
}

/** Whether there is an index of the records without a value that a filter asks for. */
export function hasLackingIndex({ lacking }: Resource, filter: ActiveFilter): boolean {
  return isAbsence(filter) && lacking.includes(filter.name);
}

/**
 * Whether a list has filters, and no index that has what these leave in its order. Behind each value that counters count are the moments of creation:
 * what several of them leave is met along one of these, but far down only at the end of it.
 */
export function isLookedFor(plan: ListPlan): boolean {
  const { filters, sort, position } = plan;
  if (filters.length === 0) return false;
  return sort.spec.column !== 'created_at' || (filters.length > 1 && position === null && !isNear(plan));
}

/** Whether an index may have the rows of the one filter in the order of the list. */
export function isInOrder({ filters, sort, further }: ListPlan): boolean {
  const [filter, ...others] = filters;
  if (!filter || others.length > 0 || further.length > 0) return false;
  const { bounds } = filter.spec;
  return bounds === undefined ? sort.spec.column === 'created_at' : bounds === sort.spec.column;
}

/** No list has more before the end of such a page. */
const NEAR = 100;

/** Whether the first page of a list may be among the first rows of an index. */
export function isNear({ offset, limit, position, further }: ListPlan): boolean {
  return offset + limit <= NEAR && position === null && further.length === 0;
}
