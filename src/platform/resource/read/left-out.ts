import { workspacePredicate } from '../../database/database';
import type { Parameters } from '../../database/parameters';
import type { Resource } from '../resource';
import type { ActiveFilter, ListPlan } from './list-query';
import { DEEP_OFFSET, pageOrder } from './page-order';
import { hasLackingIndex, isAbsence, isSoonerGathered } from './gathering';

/** Records that filters leave out, up to which they are looked up by their ids. As a hash they take less than the least memory that PostgreSQL gives one. */
const MOST = 110_000;
/** Records of a value, or within a bound, up to which these are counted, whatever others there are. */
const FEW_WITHIN = 20_000;

/**
 * Filters that may leave out next to nothing (`has_parent=false`, `csat_score=none`, a moment that nearly all are before): what they
 * leave out, their indexes have, while no index has the rest in the order of a list.
 */
export interface LeftOut {
  /** The other filters. */
  others: ActiveFilter[];
  /** Item of WITH, `left_out`: the ids of what they leave out, as far as they are few. */
  item: string;
  /** Condition that these are all of them. */
  isWhole: string;
  /** Condition that it pays to look: values and bounds leave more than a few (`FEW_WITHIN`, unless a test says otherwise). */
  isWorthIt(fewWithin?: number): string;
  /** Conditions over `s`, one of which meets what is left out. */
  out(): string[];
  /** Condition over `s` that stands for the filters where it is so: nothing but the id is read for it. */
  condition: string;
}

/** The filters of a list of which it can be so, and that no counter knows. */
export function leavingOut(resource: Resource, { search, filters }: ListPlan): readonly ActiveFilter[] {
  const { counters, listed } = resource;
  if (counters === null || listed !== undefined || search !== null || filters.some(({ spec }) => spec.leaky)) return [];
  const unbound = (): string => 'NULL';
  return filters.filter((filter) => {
    const { name, spec, value } = filter;
    if (counters.includes(name) || hasLackingIndex(resource, filter)) return false;
    return (spec.leavesOut?.('o', value, unbound) ?? null) !== null;
  });
}

/** What such filters leave out; null without one. */
export function leftOut(resource: Resource, plan: ListPlan, parameters: Parameters): LeftOut | null {
  const filters = leavingOut(resource, plan);
  if (filters.length === 0) return null;
  const { bind } = parameters;
  const rows = `FROM ${resource.table} o WHERE ${workspacePredicate.of('o.workspace_id', '$1')}`;
  const out = (alias: string): string[] =>
    filters.flatMap(({ spec, value }) => spec.leavesOut?.(alias, value, bind) ?? []);
  const ids = out('o').map((condition) => `SELECT o.id ${rows} AND ${condition}`);
  return {
    others: plan.filters.filter((filter) => !filters.includes(filter)),
    item: `left_out AS MATERIALIZED (SELECT id FROM (${ids.join(' UNION ALL ')}) o LIMIT ${MOST + 1})`,
    isWhole: `(SELECT count(*) FROM left_out) <= ${MOST}`,
    isWorthIt: (fewWithin = FEW_WITHIN) => {
      const valued = filters.filter((filter) => !isAbsence(filter));
      const within = valued.map(
        ({ spec, value }) => `SELECT ${rows} AND ${spec.sql('o', value, bind)} LIMIT ${fewWithin + 1}`,
      );
      return ['true', ...within.map((some) => `(SELECT count(*) FROM (${some}) w) > ${fewWithin}`)].join(' AND ');
    },
    out: () => out('s'),
    // Not a join: rows are looked up as the scan meets them, in its order.
    condition: '(s.id IN (SELECT o.id FROM left_out o)) IS NOT TRUE',
  };
}

/** The same for a page far down the list, which a scan in its order finds. */
export function leftOutOfPage(
  resource: Resource,
  plan: ListPlan,
  total: number | null,
  parameters: Parameters,
): LeftOut | null {
  if (total === null || plan.position || isSoonerGathered(resource, plan, total)) return null;
  return pageOrder(plan, total).offset < DEEP_OFFSET ? null : leftOut(resource, plan, parameters);
}
