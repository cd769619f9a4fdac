import { workspacePredicate } from '../../database/database';
import { Parameters } from '../../database/parameters';
import type { Statement } from '../../postgres/statement-batch';
import {
  BIT_TOTAL,
  bitParts,
  FOLDED_NUMBERS,
  FOLDED_TOTAL,
  IS_BORDER_SMALL,
  isFolded,
  numberedRows,
  type Wanted,
} from '../../search/bits/bits-sql';
import { hasPhrase, hasRare, isCommon } from '../../search/bits/word-bits';
import type { Resource } from '../resource';
import type { ListPlan } from './list-query';
import { MANY } from './search-plan';
import { facetsOf } from './ranked-filters';
import { rowConditions, rowSource, type Scope } from './where';

/**
 * What a search finds, by the bits of common words: columns `total` (null where the bits cannot answer after all) and `ids`; null where some term
 * has none. Filters that are facets have bits, too; of others, the rows lead where the words leave many.
 */
export function bitStatement(
  resource: Resource,
  plan: ListPlan,
  workspaceId: number,
  scope: Scope,
  common: ReadonlySet<string>,
  mostBorder?: number,
): Statement | null {
  const { bits, view } = resource.search?.texts ?? {};
  const terms = plan.search?.terms ?? [];
  // Bits are of all records, whoever sees them.
  if (plan.seen !== null || !bits || !view || !terms.every((term) => isCommon(term, common))) return null;
  const facets: string[][] = [];
  const others = plan.filters.filter((filter) => {
    const keys = facetsOf(filter, common);
    if (keys === null || keys.not) return true;
    facets.push(keys.any);
    return false;
  });
  const parameters = new Parameters(workspaceId);
  const conditions = rowConditions(plan, scope, parameters);
  const rest = rowConditions({ ...plan, filters: others }, scope, parameters);
  // Bits know numbers; which of them were made when, the moments of their chunks tell nearly.
  const bounds = others.filter(({ spec }) => spec.bounds === 'created_at');
  const isPeriod = bounds.length > 0 && bounds.length === others.length && rest.length === others.length;
  const period = bounds.map(({ spec, value }) => {
    const bound = parameters.bind(value);
    return (alias: string): string => spec.sql(alias, value, () => bound);
  });
  const wanted: Wanted = { terms, facets, ...(isPeriod ? { period, mostBorder } : {}) };
  const parts = bitParts(bits, { view, conditions }, wanted, common, workspaceId, parameters.bind);
  const live = 'SELECT id FROM live';
  const numbered = (more: readonly string[]): string =>
    `SELECT r.id FROM ${numberedRows(resource.table, 's.id', FOLDED_NUMBERS, more)} r`;
  if (rest.length === 0) {
    const ids = `SELECT array_agg(id) FROM (${numbered([])} UNION ALL ${live}) i`;
    const text = `WITH ${parts.join(', ')} SELECT n, CASE WHEN n < ${MANY} THEN (${ids}) END FROM (SELECT ${BIT_TOTAL} AS n) c`;
    return { text, values: parameters.values, unnamed: hasRare(terms, common) || hasPhrase(terms), settled: true };
  }
  if (isPeriod) {
    // Where too much of it is in chunks that reach beyond the period.
    const beyond = `SELECT s.id FROM ${rowSource(resource, plan)} s WHERE ${all(workspacePredicate.of('s.workspace_id', '$1'), `NOT ${IS_BORDER_SMALL}`, ...rest, isFolded('s.number', 'guessed'))}`;
    const ids = `SELECT array_agg(id) FROM (SELECT id FROM (${numbered([])} WHERE ${IS_BORDER_SMALL}) f UNION ALL SELECT id FROM beyond UNION ALL ${live}) i`;
    const rows = `CASE WHEN ${IS_BORDER_SMALL} THEN ${FOLDED_TOTAL} ELSE (SELECT count(*) FROM beyond) END`;
    const text = `WITH ${[...parts, `beyond AS MATERIALIZED (${beyond})`].join(', ')} SELECT n, CASE WHEN n < ${MANY} THEN (${ids}) END
      FROM (SELECT CASE WHEN EXISTS (SELECT FROM state) THEN ${rows} + (SELECT count(*) FROM live) END AS n) c`;
    return { text, values: parameters.values, unnamed: true };
  }
  const isFew = `${FOLDED_TOTAL} < ${MANY}`;
  const byRow = `SELECT s.id FROM ${rowSource(resource, plan)} s WHERE ${all(workspacePredicate.of('s.workspace_id', '$1'), `NOT ${isFew}`, ...rest, isFolded('s.number'))}`;
  const found = `found AS MATERIALIZED (${numbered(rest)} WHERE ${isFew} UNION ALL ${byRow} UNION ALL ${live})`;
  const text = `WITH ${[...parts, found].join(', ')} SELECT n, CASE WHEN n < ${MANY} THEN (SELECT array_agg(id) FROM found) END
    FROM (SELECT CASE WHEN EXISTS (SELECT FROM state) THEN (SELECT count(*) FROM found) END AS n) c`;
  return { text, values: parameters.values, unnamed: true };
}

const all = (...conditions: readonly string[]): string => conditions.join(' AND ');
