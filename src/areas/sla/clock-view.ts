import { figuresOf } from './clock-figures';
import { iso, isUnanswered, ms } from './clock-time';
import {
  type Clock,
  type Metric,
  METRICS,
  type Outcome,
  OUTCOMES,
  type Pause,
  PAUSE_KINDS,
  type SlaStatus,
  type Terms,
} from './clock-types';
import {
  EnumMember,
  IntegerMember,
  ListMember,
  MomentMember,
  NumberMember,
  TextMember,
} from '../../platform/http/answer-members';

/** A time that did not count. */
export class PauseView {
  @MomentMember()
  from: string;

  @MomentMember({ nullable: true })
  to: string | null;

  @EnumMember(PAUSE_KINDS)
  kind: Pause['kind'];

  @IntegerMember()
  working_seconds: number;
}

/** A clock as `GET /tickets/{id}/sla` shows it: product reference 3.10. Seconds are whole working seconds. */
export class ClockView {
  @EnumMember(METRICS)
  metric: Metric;

  @IntegerMember()
  instance: number;

  @TextMember()
  priority_applied: string;

  @NumberMember()
  target_minutes: number;

  @MomentMember()
  started_at: string;

  @MomentMember({ nullable: true, description: 'Null while paused.' })
  due_at: string | null;

  @MomentMember({ nullable: true })
  at_risk_at: string | null;

  @MomentMember({ nullable: true })
  fulfilled_at: string | null;

  @MomentMember({ nullable: true })
  breached_at: string | null;

  @EnumMember(OUTCOMES)
  outcome: Outcome;

  /** Null when cancelled: nobody measures any more. */
  @IntegerMember({ nullable: true })
  elapsed_working_seconds: number | null;

  @IntegerMember({ nullable: true })
  remaining_working_seconds: number | null;

  /** Since the due moment, without pauses; until the answer, or now. */
  @IntegerMember()
  overdue_seconds: number;

  @ListMember(() => PauseView)
  pauses: PauseView[];
}

/** Due moments of a ticket: product reference 3.9. */
export interface DueMoments {
  sla_due_at: string | null;
  first_response_due_at: string | null;
  next_response_due_at: string | null;
  /** The earliest of the running clocks. */
  next_due_at: string | null;
  /** When the first of the running clocks is (or was) at risk. */
  at_risk_at: string | null;
}

/** When time alone changes the clock next; null while it stands still or is decided. */
export function nextCheckAt(clock: Clock): string | null {
  if (clock.outcome !== 'active') return null;
  return clock.at_risk_notified ? clock.due_at : earliest([clock.at_risk_at, clock.due_at]);
}

/** The clock as it is at `now` (ms), whether or not a worker has noticed. */
export function current(clock: Clock, now: number): Clock {
  if (clock.outcome !== 'active' || clock.due_at === null || ms(clock.due_at) > now) return clock;
  return { ...clock, outcome: 'breached', breached_at: clock.due_at };
}

/** `sla_status` of the ticket at `now` (ms): product reference 3.7. */
export function rollup(clocks: readonly Clock[], now: number): SlaStatus {
  const live = clocks.filter(({ outcome }) => outcome !== 'cancelled').map((clock) => current(clock, now));
  if (live.length === 0) return 'none';
  if (live.some(({ outcome }) => outcome === 'breached')) return 'breached';
  if (live.some(({ metric, outcome }) => metric === 'resolution' && outcome === 'paused')) return 'paused';
  const active = live.filter(({ outcome }) => outcome === 'active');
  if (active.some(({ at_risk_at }) => at_risk_at !== null && ms(at_risk_at) <= now)) return 'at_risk';
  if (active.length > 0) return 'on_track';
  return live.some(({ outcome }) => outcome === 'paused') ? 'paused' : 'met';
}

/** The ticket's due moments; of the next response while one is awaited. */
export function dueMoments(clocks: readonly Clock[]): DueMoments {
  const live = clocks.filter(({ outcome }) => outcome !== 'cancelled');
  const active = live.filter(({ outcome }) => outcome === 'active');
  const due = (metric: Metric): string | null => live.findLast((clock) => clock.metric === metric)?.due_at ?? null;
  return {
    sla_due_at: due('resolution'),
    first_response_due_at: due('first_response'),
    next_response_due_at: live.find((clock) => clock.metric === 'next_response' && isUnanswered(clock))?.due_at ?? null,
    next_due_at: earliest(active.map(({ due_at }) => due_at)),
    at_risk_at: earliest(active.map(({ at_risk_at }) => at_risk_at)),
  };
}

/**
 * The clock at a moment, with the time that passed; what is answered keeps its figures, whatever becomes of the policy.
 *
 * @param terms the policy under which it runs, or ran
 * @param now ms since 1970
 */
export function view(stored: Clock, terms: Pick<Terms, 'schedule'>, now: number): ClockView {
  const clock = current(stored, now);
  const { elapsed, remaining, overdue, pauses } = clock.figures ?? figuresOf(clock, terms, now);
  const cancelled = clock.outcome === 'cancelled';
  return {
    metric: clock.metric,
    instance: clock.instance_no,
    priority_applied: clock.priority_applied,
    target_minutes: clock.target_seconds / 60,
    started_at: clock.started_at,
    due_at: clock.due_at,
    at_risk_at: clock.at_risk_at,
    fulfilled_at: clock.fulfilled_at,
    breached_at: clock.breached_at,
    outcome: clock.outcome,
    elapsed_working_seconds: cancelled ? null : elapsed,
    remaining_working_seconds: cancelled ? null : remaining,
    overdue_seconds: overdue,
    pauses: clock.pauses.map((pause, index) => ({ ...pause, working_seconds: pauses[index] ?? 0 })),
  };
}

function earliest(moments: readonly (string | null)[]): string | null {
  const known = moments.filter((moment) => moment !== null).map(ms);
  return known.length === 0 ? null : iso(Math.min(...known));
}
