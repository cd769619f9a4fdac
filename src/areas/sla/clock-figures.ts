import { workingTime } from '../../platform/calendar/working-time';
import { ms, pauseSeconds } from './clock-time';
import type { Clock, Figures, Terms } from './clock-types';

/**
 * The time that passed for a clock until its answer, or until a moment.
 *
 * @param terms the policy under which it runs
 * @param now ms since 1970
 */
export function figuresOf(clock: Clock, terms: Pick<Terms, 'schedule'>, now: number): Figures {
  const time = workingTime(terms.schedule);
  const end = clock.fulfilled_at === null ? now : ms(clock.fulfilled_at);
  const between = (from: number): number =>
    time.between(from, end) -
    clock.pauses.reduce((sum, { from: start, to }) => sum + time.between(Math.max(from, ms(start)), upTo(to, end)), 0);
  const elapsed = Math.max(0, between(ms(clock.started_at)));
  const overdue = clock.outcome === 'breached' && clock.due_at !== null ? between(ms(clock.due_at)) : 0;
  return {
    elapsed: Math.floor(elapsed),
    remaining: Math.max(0, Math.ceil(clock.target_seconds - elapsed)),
    overdue: Math.max(0, Math.floor(overdue)),
    pauses: clock.pauses.map((pause) => Math.round(pauseSeconds(terms, pause, end))),
  };
}

const upTo = (to: string | null, end: number): number => (to === null ? end : Math.min(ms(to), end));
