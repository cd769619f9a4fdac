import { DURATIONS, STATUSES } from './stats-measures';
import type { StatsScope } from './stats-scope';

const DAY_MS = 86_400_000;
const statusSum = STATUSES.map((name) => `r.${name}`).join(' + ');
const statusList = STATUSES.map((name) => `'${name}'`).join(', ');

/** Midnight of UTC nearest to a moment, and the time between them, which lies before or after it. */
export function nearestMidnight(moment: number): {
  midnight: number;
  gap: { from: number; to: number; sign: 1 | -1 } | null;
} {
  const midnight = Math.round(moment / DAY_MS) * DAY_MS;
  if (midnight === moment) return { midnight, gap: null };
  return midnight > moment
    ? { midnight, gap: { from: moment, to: midnight, sign: 1 } }
    : { midnight, gap: { from: midnight, to: moment, sign: -1 } };
}

/**
 * SQL of the number of tickets created since a moment: the counted days since the nearest midnight of UTC, and what is counted
 * between the two. Stands on `countSources`.
 *
 * @param moment ms since 1970
 */
export function createdSince(scope: StatsScope, moment: number): string {
  const { midnight, gap } = nearestMidnight(moment);
  const since = scope.daysWithin('r.day', { from: midnight, to: null });
  const folded = `(SELECT coalesce(sum(${statusSum}), 0) FROM ticket_stat_days r WHERE ${scope.folded('r')} AND ${since})`;
  const pending = `(SELECT coalesce(sum(r.n), 0) FROM pending r WHERE ${since} AND r.measures && ARRAY[${statusList}])`;
  const between = (span: { from: number; to: number }): string =>
    `(SELECT count(*) FROM tickets t WHERE ${scope.stored('t')} AND ${scope.momentsWithin('t.created_at', span)})`;
  return `(${folded} + ${pending}${gap ? ` ${gap.sign === 1 ? '+' : '-'} ${between(gap)}` : ''})`;
}

/** The same of the resolutions; by team or assignee they are counted one by one. */
export function resolvedSince(scope: StatsScope, moment: number): string {
  const metric = DURATIONS.resolution;
  const counted = (from: number, to: number | null): string =>
    `(SELECT count(*) FROM ticket_durations d WHERE ${scope.counted('d')} AND d.metric = ${metric} AND ${scope.momentsWithin('d.at', { from, to })})`;
  if (scope.isNarrowed) return counted(moment, null);
  const { midnight, gap } = nearestMidnight(moment);
  const folded = `(SELECT coalesce(sum(y.n), 0) FROM ticket_duration_tallies y WHERE ${scope.folded('y')} AND y.metric = ${metric} AND y.level = 2 AND ${scope.daysWithin('y.period', { from: midnight, to: null })})`;
  const pending = `(SELECT coalesce(sum(z.n), 0) FROM pending z WHERE z.metric = ${metric} AND ${scope.daysWithin('z.day', { from: midnight, to: null })})`;
  return `(${folded} + ${pending}${gap ? ` ${gap.sign === 1 ? '+' : '-'} ${counted(gap.from, gap.to)}` : ''})`;
}
