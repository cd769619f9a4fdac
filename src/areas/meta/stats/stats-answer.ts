import { type Counts, METRICS, PRIORITIES, CHANNELS, SCORES, STATUSES, type Measure } from './stats-measures';
import { COUNTED_NAMES } from './stats-resources';
import type { MetricStats, Stats } from './stats-shape';

/** What was read: times as median and 90th percentile in ms, null where nothing was measured. */
export interface StatsFigures {
  counts: Counts;
  createdToday: number;
  resolvedToday: number;
  backlogHours: number | null;
  firstResponse: readonly number[] | null;
  resolution: readonly number[] | null;
  resources: Readonly<Record<string, number>>;
}

const MINUTE_MS = 60_000;

/** The answer made of what was read; every status, priority, channel and score is there, 0 where there is none. */
export function statsAnswer(figures: StatsFigures): Stats {
  const { counts, firstResponse, resolution, resources } = figures;
  const count = (measure: Measure): number => counts[measure] ?? 0;
  const by_status = each(STATUSES, count);
  const by_score = each(SCORES, (score) => count(`rated_${score}`));
  const by_metric = each(METRICS, (metric) => kept(count(`${metric}_met`), count(`${metric}_breached`)));
  const decided = Object.values(by_metric);
  return {
    tickets: {
      total: sum(Object.values(by_status)),
      by_status,
      by_priority: each(PRIORITIES, count),
      by_channel: each(CHANNELS, count),
      unassigned: count('unassigned'),
      created_today: figures.createdToday,
      resolved_today: figures.resolvedToday,
      backlog_age_p50_hours: figures.backlogHours,
    },
    sla: {
      compliance_pct: kept(sum(decided.map(({ met }) => met)), sum(decided.map(({ breached }) => breached))).pct,
      by_metric,
      at_risk: count('sla_at_risk'),
      breached_open: count('sla_breached'),
    },
    response: {
      first_response_median_minutes: minutes(firstResponse?.[0]),
      first_response_p90_minutes: minutes(firstResponse?.[1]),
      resolution_median_minutes: minutes(resolution?.[0]),
      resolution_p90_minutes: minutes(resolution?.[1]),
    },
    csat: satisfaction(by_score),
    resources: each(COUNTED_NAMES, (name) => resources[name] ?? 0),
  };
}

/** Per cent of `of`, to two places; null of nothing. */
export function percent(part: number, of: number): number | null {
  return of === 0 ? null : rounded((part / of) * 100);
}

function satisfaction(by_score: Stats['csat']['by_score']): Stats['csat'] {
  const responses = sum(Object.values(by_score));
  const points = sum(SCORES.map((score) => score * by_score[score]));
  return {
    score_pct: percent(by_score[4] + by_score[5], responses),
    average: responses === 0 ? null : rounded(points / responses),
    responses,
    by_score,
  };
}

function kept(met: number, breached: number): MetricStats {
  return { met, breached, pct: percent(met, met + breached) };
}

function each<Name extends string | number, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const rounded = (number: number): number => Math.round(number * 100) / 100;
const minutes = (ms: number | undefined): number | null => (ms === undefined ? null : rounded(ms / MINUTE_MS));
