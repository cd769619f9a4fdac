import { type Duration, DURATIONS } from './stats-measures';
import type { StatsScope } from './stats-scope';
import { isUnlimited, type LooseDays, type Span } from './stats-window';

const QUANTILES = [0.5, 0.9];

/**
 * SQL of a JSON array: median and 90th percentile of a time, in ms, interpolated between neighbours as `percentile_cont` does; null
 * where nothing was measured. Exact: the counters tell the bucket and the rank in it, the index the value. Stands on `countSources`.
 */
export function durationExpression(scope: StatsScope, duration: Duration): string {
  const metric = DURATIONS[duration];
  const { window } = scope.query;
  const wanted = `${scope.counted('d')} AND d.metric = ${metric} AND ${scope.momentsWithin('d.at', window)}`;
  const sorted = `(SELECT percentile_cont(ARRAY[${QUANTILES.join(', ')}]) WITHIN GROUP (ORDER BY d.ms) FROM ticket_durations d WHERE ${wanted})`;
  // By assignee and time at once, and of a team in less than a month, nothing is counted beforehand: the index is narrow enough.
  if (scope.isNarrowed && !isUnlimited(window) && !hasMonths(scope)) return `(SELECT array_to_json(${sorted}))`;
  // `IS TRUE` keeps the planner from the index by time: the order by value is what the rank is found in.
  const inOrder = `${scope.counted('d')} AND d.metric = ${metric} AND (${scope.momentsWithin('d.at', window)}) IS TRUE`;
  const chosen = QUANTILES.map((quantile) => ranked(quantile, inOrder));
  return `(
    WITH counted AS MATERIALIZED (
      SELECT bucket, sum(n)::integer AS n FROM (${buckets(scope, metric).join(' UNION ALL ')}) s GROUP BY bucket HAVING sum(n) > 0
    ), ranks AS MATERIALIZED (
      SELECT bucket, n, sum(n) OVER (ORDER BY bucket) AS upto FROM counted
    ), total AS MATERIALIZED (SELECT coalesce(sum(n), 0) AS n FROM counted)
    SELECT CASE WHEN n = 0 THEN NULL WHEN n <= ${scope.few} THEN array_to_json(${sorted}) ELSE json_build_array(${chosen.join(', ')}) END FROM total
  )`;
}

/** Whether the months of a team are wanted, which are counted. */
function hasMonths({ query }: StatsScope): boolean {
  return query.team !== null && query.assignee === null && query.window.months !== null;
}

/** Rows of bucket and number: from the counters, what was written since, and the ends of the window. */
function buckets(scope: StatsScope, metric: number): string[] {
  const { window } = scope.query;
  const folded = (level: number, condition: string, n = 'y.n'): string =>
    `SELECT y.bucket, ${n} AS n FROM ticket_duration_tallies y WHERE ${scope.folded('y')} AND y.metric = ${metric} AND y.level = ${level} AND ${condition}`;
  // The index by team has the value, but not its bucket.
  const bucket = scope.isNarrowed ? 'duration_bucket(d.ms)' : 'd.bucket';
  const measured = (span: Span, n = '1'): string =>
    `SELECT ${bucket}, ${n} AS n FROM ticket_durations d WHERE ${scope.counted('d')} AND d.metric = ${metric} AND ${scope.momentsWithin('d.at', span)}`;
  // As a parameter: windows whose months end elsewhere have one statement.
  const signed = ({ sign }: LooseDays): string => `${scope.parameters.bind(sign)}::integer`;
  const pending = (condition: string): string =>
    `SELECT z.bucket, z.n FROM pending z WHERE z.metric = ${metric} AND (${condition})`;
  if (isUnlimited(window)) return [folded(0, 'true'), pending('true')];
  const { months } = window;
  if (scope.isNarrowed && months !== null) {
    return [
      folded(1, scope.daysWithin('y.period', months)),
      pending(scope.daysWithin('z.day', months)),
      ...window.looseDays.map((span) => measured(span, signed(span))),
      ...window.edges.map((span) => measured(span)),
    ];
  }
  return [
    ...(months ? [folded(1, scope.daysWithin('y.period', months))] : []),
    ...window.looseDays.map((span) => folded(2, scope.daysWithin('y.period', span), `${signed(span)} * y.n`)),
    pending(scope.isWholeDay('z.day')),
    ...window.edges.map((span) => measured(span)),
  ];
}

/**
 * SQL of the value at a quantile: the two neighbours of its rank are read in the order of the index, from that end of their bucket which
 * is nearer. From its upper end, the neighbour of its last value is the first one of the buckets behind it.
 */
function ranked(quantile: number, wanted: string): string {
  const rank = `((total.n - 1) * ${quantile})`;
  const values = `SELECT d.ms FROM ticket_durations d WHERE ${wanted}`;
  return `(
    SELECT min(v.ms) + (max(v.ms) - min(v.ms)) * (${rank} - floor(${rank}))
    FROM (SELECT floor(${rank})::bigint AS place OFFSET 0) q
    CROSS JOIN LATERAL (
      SELECT r.bucket, q.place - (r.upto - r.n) AS before, r.upto - q.place - 1 AS behind FROM ranks r WHERE r.upto > q.place ORDER BY r.bucket LIMIT 1
    ) p
    CROSS JOIN LATERAL (
      (${values} AND p.before <= p.behind AND d.bucket >= p.bucket ORDER BY d.bucket, d.ms OFFSET p.before LIMIT 2)
      UNION ALL
      (${values} AND p.before > p.behind AND d.bucket <= p.bucket ORDER BY d.bucket DESC, d.ms DESC
        OFFSET greatest(p.behind - 1, 0) LIMIT least(p.behind, 1) + 1)
      UNION ALL
      (${values} AND p.before > p.behind AND p.behind = 0 AND d.bucket > p.bucket ORDER BY d.bucket, d.ms LIMIT 1)
    ) v
  )`;
}
