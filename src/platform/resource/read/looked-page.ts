import { workspacePredicate } from '../../database/database';
import { Parameters } from '../../database/parameters';
import type { Statement } from '../../postgres/statement-batch';
import type { Resource } from '../resource';
import type { ListPlan } from './list-query';
import { alongIndex, keyExpression, pageOrder, slice } from './page-order';
import { type Reads, readsTemplate } from './page-reads';
import { render } from './read-plan';
import { rowConditions, type Scope, totalExpression } from './where';

/**
 * Rows in the order of a list among which its first page is looked for, where so many have what it wants that it is there if these are evenly spread: the
 * last row twice as far as it is then. Looking at them takes less than bits do.
 */
const LOOKED = 6_000;
const SPREAD = 2;

/**
 * The first page of a list whose total counters know, from the first rows of all in its order: in the columns of `listStatement`, or of
 * `stampStatement`. It has fewer rows than there are where these lie further on. One of few statements, so it is prepared, for any values.
 * What counters count has the name of its column.
 */
export function lookedStatement(
  resource: Resource,
  plan: ListPlan,
  workspaceId: number,
  scope: Scope,
  reads: Reads,
): Statement {
  const parameters = new Parameters(workspaceId);
  const { sort, filters, limit, offset } = plan;
  const along = alongIndex(plan);
  const counted = (of: ListPlan): string => totalExpression(resource, of, parameters, scope);
  const items = [
    `told AS MATERIALIZED (SELECT (${counted(plan)}) AS n)`,
    `among AS MATERIALIZED (SELECT (${counted({ ...plan, filters: [] })}) AS n)`,
  ];
  const where = [
    workspacePredicate.of('s.workspace_id', '$1'),
    `(SELECT n FROM told) * ${LOOKED} > (SELECT n FROM among) * ${(offset + limit) * SPREAD}`,
    ...along.conditions,
  ];
  const columns = new Set(['workspace_id', 'id', sort.spec.column, ...filters.map(({ name }) => name)]);
  // No literal: of how many rows a workspace has, a statement for any of them knows nothing, and sorts all of what it takes for a few.
  const first = `SELECT ${[...columns].map((name) => `s.${name}`).join(', ')} FROM ${resource.table} s WHERE ${where.join(' AND ')} ORDER BY ${along.order} LIMIT (SELECT ${LOOKED})`;
  const conditions = rowConditions(plan, scope, parameters);
  const ids = `SELECT s.workspace_id, s.id, ${keyExpression(sort)} AS k FROM (${first}) s WHERE ${conditions.join(' AND ')} ORDER BY ${along.order} ${slice(pageOrder(plan, null))}`;
  const template = `WITH ${items.join(', ')} ${readsTemplate(resource, plan, { ids, total: '(SELECT n FROM told)' }, reads)}`;
  const quick = plan.selection.expand.length === 0;
  return { ...render(resource, plan.selection, template, parameters), quick, settled: true };
}
