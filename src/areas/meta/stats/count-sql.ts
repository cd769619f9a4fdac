import { dueClocks } from '../../sla/due-clocks';
import { CHANNELS, MEASURES, OF_NOW, PRIORITIES, STATUSES, UNFINISHED } from './stats-measures';
import type { StatsScope } from './stats-scope';

/** SQL list of the statuses of tickets that are not finished. */
export const UNFINISHED_LIST = UNFINISHED.map((status) => `'${status}'`).join(', ');

const isOfNow = (measure: string): boolean => OF_NOW.some((name) => name === measure);
const OF_NOW_LIST = OF_NOW.map((name) => `'${name}'`).join(', ');

/** What is counted of a ticket `t`, and by which condition. */
const CONDITIONS: readonly (readonly [measure: string, condition: string])[] = [
  ...STATUSES.map((name) => [name, `t.status = '${name}'`] as const),
  ...PRIORITIES.map((name) => [name, `t.priority = '${name}'`] as const),
  ...CHANNELS.map((name) => [name, `t.channel = '${name}'`] as const),
  ['unassigned', 't.assigned_to IS NULL'],
];

/**
 * Members of a WITH list: the counted months, what was written since they were folded, and the clocks that a worker should have looked at.
 */
export function countSources(scope: StatsScope): string {
  return `
    months AS MATERIALIZED (SELECT m.* FROM ticket_stat_months m WHERE ${scope.folded('m')}),
    pending AS MATERIALIZED (
      SELECT d.day, d.measures, d.metric, d.bucket, d.n FROM ticket_stat_deltas d WHERE ${scope.counted('d')}
    ),
    overdue AS MATERIALIZED (
      SELECT k.metric, k.outcome, k.due_at, t.id, t.status, t.sla_status, t.next_sla_due_at, t.sla_at_risk_at
      FROM ${dueClocks()} k
        CROSS JOIN LATERAL (SELECT t.* FROM tickets t WHERE t.workspace_id = k.workspace_id AND t.id = k.ticket_id AND ${scope.stored('t')} OFFSET 0) t
    )`;
}

/** SQL of JSON objects of numbers by measure, or of an array of such; what a measure comes to is their sum. */
export function countExpressions(scope: StatsScope): Record<'of_window' | 'of_now' | 'recent', string> {
  const isWhole = scope.isWholeDay('r.day');
  const pending = `SELECT m.measure, r.n FROM pending r CROSS JOIN LATERAL unnest(r.measures) m(measure) WHERE r.metric IS NULL AND (m.measure IN (${OF_NOW_LIST}) OR ${isWhole})`;
  return {
    of_window: `json_build_array(${ofWindow(scope).join(', ')})`,
    of_now: `(SELECT ${sums(OF_NOW)} FROM months r)`,
    recent: byMeasure([pending, ...edges(scope), unnoticed(scope)].join(' UNION ALL ')),
  };
}

/** SQL of the statuses of SLA that tickets have by the clock but not yet by a worker, as differences. Stands on `countSources`. */
export function statusCorrections(): string {
  const due = `
    SELECT DISTINCT t.id, t.sla_status AS stored,
      CASE WHEN t.next_sla_due_at < now() AND t.sla_status IN ('on_track', 'at_risk', 'paused') THEN 'breached'
        WHEN t.sla_at_risk_at <= now() AND t.sla_status = 'on_track' THEN 'at_risk' ELSE t.sla_status END AS shown
    FROM overdue t WHERE t.status IN (${UNFINISHED_LIST})`;
  const measure = (column: string): string =>
    `CASE ${column} WHEN 'at_risk' THEN 'sla_at_risk' WHEN 'breached' THEN 'sla_breached' END`;
  return byMeasure(
    `SELECT m.measure, m.n FROM (${due}) s CROSS JOIN LATERAL (VALUES (${measure('s.stored')}, -1), (${measure('s.shown')}, 1)) m(measure, n)
     WHERE s.stored <> s.shown`,
  );
}

/** Objects of what was counted: in the whole months of the window, and in the days that make its whole days of them. */
function ofWindow(scope: StatsScope): string[] {
  const { months, looseDays } = scope.query.window;
  const names = MEASURES.filter((name) => !isOfNow(name));
  return [
    ...(months ? [`(SELECT ${sums(names)} FROM months r WHERE ${scope.daysWithin('r.month', months)})`] : []),
    ...looseDays.map((span) => {
      const days = `${scope.folded('r')} AND ${scope.daysWithin('r.day', span)}`;
      return `(SELECT ${sums(names, `${scope.parameters.bind(span.sign)}::integer * `)} FROM ticket_stat_days r WHERE ${days})`;
    }),
  ];
}

/** A JSON object of the sums of columns of `r`. */
function sums(names: readonly string[], times = ''): string {
  return `json_build_object(${names.map((name) => `'${name}', ${times}coalesce(sum(r.${name}), 0)`).join(', ')})`;
}

/** What is in the parts of days at the ends of the window. */
function edges(scope: StatsScope): string[] {
  return scope.query.window.edges.flatMap((edge) => [
    `SELECT m.measure, m.n FROM (
       SELECT ${CONDITIONS.map(([measure, condition]) => `count(*) FILTER (WHERE ${condition}) AS ${measure}`).join(', ')}
       FROM tickets t WHERE ${scope.stored('t')} AND ${scope.momentsWithin('t.created_at', edge)}
     ) c CROSS JOIN LATERAL (VALUES ${CONDITIONS.map(([measure]) => `('${measure}', c.${measure})`).join(', ')}) m(measure, n)`,
    `SELECT 'rated_' || r.score, count(*) FROM ticket_ratings r WHERE ${scope.stored('r')} AND ${scope.momentsWithin('r.rated_at', edge)} GROUP BY r.score`,
    `SELECT k.metric || '_' || k.outcome, count(*) FROM sla_clocks k
     WHERE ${scope.stored('k', 'team_id', 'agent_id')} AND ${scope.momentsWithin('k.decided_at', edge)} AND k.outcome IN ('met', 'breached')
     GROUP BY k.metric, k.outcome`,
  ]);
}

/** Breaches that no worker has noticed yet, of whoever has the ticket. */
function unnoticed(scope: StatsScope): string {
  return `SELECT k.metric || '_breached', 1 FROM overdue k
    WHERE k.outcome = 'active' AND k.due_at <= now() AND ${scope.momentsWithin('k.due_at', scope.query.window)}`;
}

function byMeasure(rows: string): string {
  return `(SELECT coalesce(json_object_agg(s.measure, s.n), '{}') FROM (
      SELECT measure, sum(n) AS n FROM (${rows}) u(measure, n) WHERE measure IS NOT NULL GROUP BY 1) s)`;
}
