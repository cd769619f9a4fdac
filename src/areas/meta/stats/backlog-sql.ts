import { UNFINISHED_LIST } from './count-sql';
import { UNFINISHED } from './stats-measures';
import type { StatsScope } from './stats-scope';

const unfinishedSum = UNFINISHED.map((name) => `r.${name}`).join(' + ');

/**
 * SQL of the median age of the tickets that are not finished, in hours, now: the counted days tell on which day the middle
 * one was created, an index which one it is. Stands on `countSources`.
 */
export function backlogExpression(scope: StatsScope): string {
  return `(
    WITH counted AS MATERIALIZED (
      SELECT day, sum(n)::integer AS n FROM (
        SELECT r.day, ${unfinishedSum} AS n FROM days r WHERE ${unfinishedSum} <> 0
        UNION ALL
        SELECT r.day, r.n FROM pending r WHERE r.measures && ARRAY[${UNFINISHED_LIST}]
      ) s GROUP BY day HAVING sum(n) > 0
    ), ranks AS MATERIALIZED (
      SELECT day, n, sum(n) OVER (ORDER BY day) AS upto FROM counted
    ), middle AS MATERIALIZED (SELECT (sum(n) - 1) / 2 AS place, ((sum(n) - 1) % 2) * 0.5 AS fraction FROM counted)
    SELECT round((extract(epoch FROM now() - min(v.created_at)) - (extract(epoch FROM max(v.created_at) - min(v.created_at)) * fraction)) / 3600, 2)
    FROM (
      SELECT middle.fraction, p.* FROM middle CROSS JOIN LATERAL (
        SELECT r.day::timestamp AT TIME ZONE 'UTC' AS since, middle.place - (r.upto - r.n) AS before
        FROM ranks r WHERE r.upto > middle.place ORDER BY r.day LIMIT 1
      ) p
    ) p CROSS JOIN LATERAL (${oldest(scope)}) v GROUP BY fraction
  )`;
}

/** The two tickets after so many, by creation. */
function oldest(scope: StatsScope): string {
  const wanted = `${scope.stored('t')} AND t.created_at >= p.since`;
  if (scope.isNarrowed) {
    return `SELECT t.created_at FROM tickets t WHERE ${wanted} AND t.status IN (${UNFINISHED_LIST}) ORDER BY t.created_at OFFSET p.before LIMIT 2`;
  }
  // One ordered scan of the index by status for each of them.
  const each = UNFINISHED.map(
    (status) =>
      `(SELECT t.created_at FROM tickets t WHERE ${wanted} AND t.status = '${status}' ORDER BY t.created_at LIMIT p.before + 2)`,
  );
  return `SELECT created_at FROM (${each.join(' UNION ALL ')}) u ORDER BY created_at OFFSET p.before LIMIT 2`;
}
