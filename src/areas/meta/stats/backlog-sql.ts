import { UNFINISHED_LIST } from './count-sql';
import { UNFINISHED } from './stats-measures';
import type { StatsScope } from './stats-scope';

const unfinishedSum = UNFINISHED.map((name) => `r.${name}`).join(' + ');

/**
 * SQL of the median age of the tickets that are not finished, in hours, now: the counted months tell in which month the
 * middle one was created, its days on which day, an index which one it is. Stands on `countSources`.
 */
export function backlogExpression(scope: StatsScope): string {
  return `(
    WITH by_month AS MATERIALIZED (
      SELECT month, sum(n)::integer AS n FROM (
        SELECT r.month, ${unfinishedSum} AS n FROM months r WHERE ${unfinishedSum} <> 0
        UNION ALL
        SELECT date_trunc('month', r.day)::date, r.n FROM pending r WHERE r.measures && ARRAY[${UNFINISHED_LIST}]
      ) s GROUP BY month HAVING sum(n) > 0
    ), middle AS MATERIALIZED (
      SELECT (sum(n) - 1) / 2 AS place, ((sum(n) - 1) % 2) * 0.5 AS fraction FROM by_month
    ), month AS MATERIALIZED (
      SELECT m.month, (m.month + interval '1 month')::date AS next, middle.place - m.before AS place, middle.fraction
      FROM middle CROSS JOIN LATERAL (
        SELECT s.month, s.upto - s.n AS before FROM (SELECT b.month, b.n, sum(b.n) OVER (ORDER BY b.month) AS upto FROM by_month b) s
        WHERE s.upto > middle.place ORDER BY s.month LIMIT 1
      ) m
    ), counted AS MATERIALIZED (
      SELECT day, sum(n)::integer AS n FROM (
        SELECT r.day, ${unfinishedSum} AS n FROM month CROSS JOIN LATERAL (
          SELECT d.* FROM ticket_stat_days d WHERE ${scope.folded('d')} AND d.day >= month.month AND d.day < month.next OFFSET 0
        ) r WHERE ${unfinishedSum} <> 0
        UNION ALL
        SELECT r.day, r.n FROM month JOIN pending r ON r.day >= month.month AND r.day < month.next AND r.measures && ARRAY[${UNFINISHED_LIST}]
      ) s GROUP BY day HAVING sum(n) > 0
    ), ranks AS MATERIALIZED (
      SELECT day, n, sum(n) OVER (ORDER BY day) AS upto FROM counted
    )
    SELECT round((extract(epoch FROM now() - min(v.created_at)) - (extract(epoch FROM max(v.created_at) - min(v.created_at)) * fraction)) / 3600, 2)
    FROM (
      SELECT month.fraction, p.* FROM month CROSS JOIN LATERAL (
        SELECT r.day::timestamp AT TIME ZONE 'UTC' AS since, month.place - (r.upto - r.n) AS before
        FROM ranks r WHERE r.upto > month.place ORDER BY r.day LIMIT 1
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
