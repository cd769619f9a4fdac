import { workspacePredicate } from '../../database/database';
import { Parameters } from '../../database/parameters';
import type { Statement } from '../../postgres/statement-batch';
import { BIT_TOTAL, bitParts, FOLDED_TOTAL, IS_BORDER_SMALL, isFolded, type Wanted } from '../../search/bits/bits-sql';
import { newestNumbers } from '../../search/bits/newest-sql';
import { FOLDED_NUMBERS, numberedRows } from '../../search/bits/rows-sql';
import { exactKeys, hasPhrase, hasRare, isCommon } from '../../search/bits/word-bits';
import type { Resource } from '../resource';
import type { ListPlan } from './list-query';
import { MANY, MOST_SORTED } from './search-plan';
import { dividedFilters, isPeriodOnly, seenFacets } from './ranked-filters';
import { filled } from './sight';
import { rowConditions, rowSource, type Scope } from './where';

/**
 * What a search finds, by the bits of common words: columns `total` (null where the bits cannot answer after all), `numbers`, null where they are many, and whether those of the page are soon
 * met in its order, if that is known; null where some term has none. Filters that are facets have bits, too; of others, the rows lead where the words leave many.
 *
 * @param newest of so many of the newest, no more need to be among `numbers`
 */
export function bitStatement(
  resource: Resource,
  plan: ListPlan,
  workspaceId: number,
  scope: Scope,
  common: ReadonlySet<string>,
  newest: number | null = null,
  mostBorder?: number,
): Statement | null {
  const { bits, view } = resource.search?.texts ?? {};
  const terms = plan.search?.terms ?? [];
  if (!bits || !view || !terms.every((term) => isCommon(term, common))) return null;
  const seen = seenFacets(resource, plan.seen, bits, common);
  if (!seen) return null;
  const { facets, others } = dividedFilters(plan.filters, bits, common);
  // What bits tell nearly has no ranks: beyond those that are sorted it is looked for along the list.
  const most = exactKeys(terms, common) ? MANY : MOST_SORTED;
  const parameters = new Parameters(workspaceId);
  const conditions = rowConditions(plan, scope, parameters);
  const rest = rowConditions({ ...plan, filters: others, seen: null }, scope, parameters);
  // Bits know numbers; which of them were made when, the moments of their chunks tell nearly.
  const isPeriod = others.length > 0 && isPeriodOnly(others) && rest.length === others.length;
  const period = (isPeriod ? others : []).map(({ spec, value }) => {
    const bound = parameters.bind(value);
    return (alias: string): string => spec.sql(alias, value, () => bound);
  });
  const told = [...facets, ...seen];
  const wanted: Wanted = { terms, facets: told, ...(isPeriod ? { period, mostBorder } : {}) };
  const parts = bitParts(bits, { view, conditions }, wanted, common, workspaceId, parameters.bind);
  const live = 'SELECT number FROM live';
  const numbers = (folded: string): string => `(SELECT array_agg(number) FROM (${folded} UNION ALL ${live}) i)`;
  const isWithin = rest.length === 0 || isPeriod;
  const near = newest === null || !isWithin ? null : newestNumbers(bits, `${parameters.bind(newest)}::bigint`);
  const areSoon = near?.areSoon ?? 'false';
  if (rest.length === 0) {
    const items = [...parts, `total AS MATERIALIZED (SELECT ${BIT_TOTAL} AS n)`, ...(near?.items ?? [])];
    const ofNewest = near ? `WHEN ${near.areEnough} THEN ${numbers('SELECT number FROM newest')} ` : '';
    const text = `WITH ${items.join(', ')} SELECT n, CASE ${ofNewest}WHEN n < ${most} THEN ${numbers(FOLDED)} END, ${areSoon} FROM total`;
    const unnamed = hasRare(terms, common) || hasPhrase(terms) || told.some(({ rest: some }) => some !== undefined);
    return filled({ text, values: parameters.values, unnamed, settled: true });
  }
  if (isPeriod) {
    // Where too much of it is in chunks that reach beyond the period.
    const beyond = `SELECT s.number FROM ${rowSource(resource, plan)} s WHERE ${all(workspacePredicate.of('s.workspace_id', '$1'), `NOT ${IS_BORDER_SMALL}`, ...rest, isFolded('s.number', 'guessed'))}`;
    const folded = `SELECT number FROM (${FOLDED} WHERE ${IS_BORDER_SMALL}) f UNION ALL SELECT number FROM beyond`;
    const rows = `CASE WHEN ${IS_BORDER_SMALL} THEN ${FOLDED_TOTAL} ELSE (SELECT count(*) FROM beyond) END`;
    const text = `WITH ${[...parts, `beyond AS MATERIALIZED (${beyond})`].join(', ')} SELECT n, CASE WHEN n < ${most} THEN ${numbers(folded)} END, ${areSoon}
      FROM (SELECT CASE WHEN EXISTS (SELECT FROM state) THEN ${rows} + (SELECT count(*) FROM live) END AS n) c`;
    return filled({ text, values: parameters.values, unnamed: true });
  }
  const isFew = `${FOLDED_TOTAL} < ${most}`;
  const byNumber = `SELECT r.number FROM ${numberedRows(resource.table, 's.number', FOLDED_NUMBERS, rest)} r WHERE ${isFew}`;
  const byRow = `SELECT s.number FROM ${rowSource(resource, plan)} s WHERE ${all(workspacePredicate.of('s.workspace_id', '$1'), `NOT ${isFew}`, ...rest, isFolded('s.number'))}`;
  const found = `found AS MATERIALIZED (${byNumber} UNION ALL ${byRow} UNION ALL ${live})`;
  const text = `WITH ${[...parts, found].join(', ')} SELECT n, CASE WHEN n < ${most} THEN (SELECT array_agg(number) FROM found) END
    FROM (SELECT CASE WHEN EXISTS (SELECT FROM state) THEN (SELECT count(*) FROM found) END AS n) c`;
  return filled({ text, values: parameters.values, unnamed: true });
}

/** SELECT of the numbers in `folded`; for few. */
const FOLDED = `SELECT f.number FROM ${FOLDED_NUMBERS} f`;

const all = (...conditions: readonly string[]): string => conditions.join(' AND ');
