import type { Statement } from '../../../platform/postgres/statement-batch';
import { backlogExpression } from './backlog-sql';
import { countExpressions, countSources, statusCorrections } from './count-sql';
import { durationExpression } from './duration-sql';
import type { StatsQuery } from './stats-query';
import { COUNTED } from './stats-resources';
import { StatsScope } from './stats-scope';
import { createdSince, resolvedSince } from './today-sql';

/**
 * One statement, so that everything in an answer is of one moment. It answers one row: whether the team and the user exist, three
 * objects of counts (to be added), the tickets created and resolved today, the median age of the backlog in hours, the times of first
 * response and resolution in ms, and the resources.
 *
 * @param today beginning of the workspace's day, ms since 1970
 * @param few see `StatsScope`
 */
export function statsStatement(workspaceId: number, query: StatsQuery, today: number, few?: number): Statement {
  const scope = new StatsScope(workspaceId, query, few);
  const { parameters } = scope;
  const columns = [
    exists(scope, 'teams', query.team),
    exists(scope, 'users', query.assignee),
    ...countExpressions(scope),
    statusCorrections(scope),
    createdSince(scope, today),
    resolvedSince(scope, today),
    backlogExpression(scope),
    durationExpression(scope, 'first_response'),
    durationExpression(scope, 'resolution'),
    resourceCounts(),
  ];
  return { text: `WITH ${countSources(scope)} SELECT ${columns.join(', ')}`, values: parameters.values };
}

function exists(scope: StatsScope, table: string, id: number | null): string {
  if (id === null || id === 0) return `true`;
  return `EXISTS (SELECT FROM ${table} x WHERE x.workspace_id = $1 AND x.id = ${scope.parameters.bind(id)}::bigint)`;
}

/** Totals of whole resources: from the counters where there are any. */
function resourceCounts(): string {
  const resources = COUNTED.map(({ resource }) => resource);
  const withCounters = resources.filter(({ counters }) => counters !== null).map(({ name }) => `'${name}'`);
  const counted = resources
    .filter(({ counters }) => counters === null)
    .map(({ name, table }) => `SELECT '${name}', count(*) FROM ${table} x WHERE x.workspace_id = $1`);
  const names = `y.workspace_id = $1 AND y.resource IN (${withCounters.join(', ')})`;
  const rows = [
    ...(withCounters.length === 0
      ? []
      : [
          `SELECT y.resource, y.n FROM resource_tallies y WHERE ${names} AND y.d1 = '*' AND y.d2 = '*' AND y.d3 = '*'`,
          `SELECT y.resource, y.n FROM resource_tally_deltas y WHERE ${names}`,
        ]),
    ...counted,
  ];
  if (rows.length === 0) return `'{}'`;
  return `(SELECT coalesce(json_object_agg(s.resource, s.n), '{}') FROM (
      SELECT resource, sum(n) AS n FROM (${rows.join(' UNION ALL ')}) u(resource, n) GROUP BY 1) s)`;
}
