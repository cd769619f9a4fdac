import { currentSight } from '../../../platform/context/demand';
import type { Query } from '../../../platform/postgres/statement-batch';
import { andSeen, filled, isReadable, seenRows } from '../../../platform/resource/read/sight';
import type { Resource } from '../../../platform/resource/resource';
import { backlogExpression } from './backlog-sql';
import { countExpressions, countSources, statusCorrections } from './count-sql';
import { durationExpression } from './duration-sql';
import type { StatsQuery } from './stats-query';
import { COUNTED } from './stats-resources';
import { StatsScope } from './stats-scope';
import type { Counts } from './stats-measures';
import { createdSince, resolvedSince } from './today-sql';

/** What the statement answers: one row. */
export interface StatsRow {
  /** Whether the team and the user that were asked for exist. */
  has_team: boolean;
  has_user: boolean;
  /** To be added. */
  of_window: readonly Counts[];
  of_now: Counts;
  recent: Counts;
  corrections: Counts;
  created_today: number;
  resolved_today: number;
  backlog_hours: number | null;
  /** Median and 90th percentile in ms; null where nothing was measured. */
  first_response: readonly number[] | null;
  resolution: readonly number[] | null;
  resources: Readonly<Record<string, number>>;
}

/**
 * One statement, so that everything in an answer is of one moment.
 *
 * @param today beginning of the workspace's day, ms since 1970
 * @param few see `StatsScope`
 */
export function statsStatement(workspaceId: number, query: StatsQuery, today: number, few?: number): Query<StatsRow> {
  const scope = new StatsScope(workspaceId, query, few);
  const { parameters } = scope;
  const columns: Record<keyof StatsRow, string> = {
    has_team: exists(scope, 'teams', query.team),
    has_user: exists(scope, 'users', query.assignee),
    ...countExpressions(scope),
    corrections: statusCorrections(),
    created_today: `${createdSince(scope, today)}::bigint`,
    resolved_today: `${resolvedSince(scope, today)}::bigint`,
    backlog_hours: `${backlogExpression(scope)}::float8`,
    first_response: durationExpression(scope, 'first_response'),
    resolution: durationExpression(scope, 'resolution'),
    resources: resourceCounts(),
  };
  const list = Object.entries(columns).map(([name, sql]) => `${sql} AS ${name}`);
  return filled({ text: `WITH ${countSources(scope)} SELECT ${list.join(', ')}`, values: parameters.values });
}

function exists(scope: StatsScope, table: string, id: number | null): string {
  if (id === null || id === 0) return `true`;
  return `EXISTS (SELECT FROM ${table} x WHERE x.workspace_id = $1 AND x.id = ${scope.parameters.bind(id)}::bigint)`;
}

/** Totals of whole resources: from the counters where there are any. */
function resourceCounts(): string {
  const sight = currentSight();
  const resources = COUNTED.map(({ resource }) => resource);
  const isCounted = (resource: Resource): boolean =>
    resource.counters !== null && isReadable(resource, sight) && seenRows(resource, 'x', sight) === null;
  const withCounters = resources.filter(isCounted).map(({ name }) => `'${name}'`);
  const counted = resources
    .filter((resource) => !isCounted(resource))
    .map((resource) => {
      const { name, table } = resource;
      if (!isReadable(resource, sight)) return `SELECT '${name}', 0`;
      return `SELECT '${name}', count(*) FROM ${table} x WHERE x.workspace_id = $1${andSeen(name, 'x', sight)}`;
    });
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
  if (rows.length === 0) return `'{}'::json`;
  return `(SELECT coalesce(json_object_agg(s.resource, s.n), '{}') FROM (
      SELECT resource, sum(n) AS n FROM (${rows.join(' UNION ALL ')}) u(resource, n) GROUP BY 1) s)`;
}
