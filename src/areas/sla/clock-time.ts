import { workingTime } from '../../platform/calendar/working-time';
import type { Clock, Metric, Pause, Terms } from './clock-types';
import type { SlaTarget } from './sla-targets';

/** ISO 8601, UTC, with milliseconds. */
export const iso = (ms: number): string => new Date(ms).toISOString();

export const ms = (moment: string): number => Date.parse(moment);

/** Neither fulfilled nor given up; a breached one still waits for its answer. */
export function isUnanswered(clock: Clock): boolean {
  return clock.fulfilled_at === null && clock.outcome !== 'cancelled';
}

/** Running or standing still, with nothing decided: the only clocks that a change of terms reaches. */
export function isUndecided({ outcome }: Pick<Clock, 'outcome'>): boolean {
  return outcome === 'active' || outcome === 'paused';
}

/** Nothing is answered yet: an edit of the policy changes its terms, or at least its steps of escalation. */
export function followsPolicy(clock: Pick<Clock, 'outcome' | 'fulfilled_at'>): boolean {
  return isUndecided(clock) || (clock.outcome === 'breached' && clock.fulfilled_at === null);
}

/** Seconds allowed by the terms; null when they do not measure the metric at that priority. */
export function targetSeconds(terms: Terms, metric: Metric, priority: string): number | null {
  const target: SlaTarget | undefined = terms.targets[priority];
  const minutes = target?.[`${metric}_minutes`] ?? null;
  return minutes === null ? null : minutes * 60;
}

/** Working seconds of a pause under the present schedule; an open one is counted until `until` (ms). */
export function pauseSeconds(terms: Pick<Terms, 'schedule'>, { from, to }: Pause, until: number): number {
  return workingTime(terms.schedule).between(ms(from), to === null ? until : Math.min(ms(to), until));
}

/**
 * The clock with its due moments, from its start, target and pauses: product reference 3.3 and 3.6. They are null while it is
 * paused.
 *
 * @param at ISO 8601, the present; a warning that lies before it again is one still to come
 */
export function timed(clock: Clock, terms: Terms, at: string): Clock {
  if (clock.pauses.at(-1)?.to === null) return { ...clock, due_at: null, at_risk_at: null };
  const time = workingTime(terms.schedule);
  const paused = clock.pauses.reduce((sum, pause) => sum + pauseSeconds(terms, pause, Infinity), 0);
  const after = (seconds: number): string | null => {
    const moment = time.add(ms(clock.started_at), seconds + paused);
    return moment === null ? null : iso(moment);
  };
  const due_at = after(clock.target_seconds);
  const at_risk_at = after(Math.ceil((clock.target_seconds * terms.at_risk_threshold_pct) / 100));
  const warned = clock.at_risk_notified && at_risk_at !== null && ms(at_risk_at) <= ms(at);
  return { ...clock, due_at, at_risk_at, at_risk_notified: warned };
}
