import type { Values } from '../../platform/resource/write-plan';
import { dueDates, type SlaTargets } from '../sla/sla-targets';
import { isDone } from './ticket-status';
import type { TicketStatus } from './ticket-values';

/** What of a ticket its clocks depend on; moments are ISO 8601. */
export interface ClockFacts {
  status: TicketStatus;
  priority: string;
  created_at: string;
  resolved_at: string | null;
  first_response_at: string | null;
  sla_paused_at: string | null;
  sla_paused_seconds: number;
}

const seconds = (from: string, to: string): number =>
  Math.max(0, Math.round((new Date(to).getTime() - new Date(from).getTime()) / 1_000));

/**
 * Values of the SLA columns after a change of status, priority or policy. Time on hold and time spent resolved move
 * the due moment; a policy or priority change keeps them.
 *
 * @param before null for a new ticket
 * @param now ISO 8601
 */
export function clockValues(
  before: ClockFacts | null,
  after: ClockFacts,
  policy: { id: number; targets: SlaTargets } | null,
  now: string,
): Values {
  if (!policy) return { sla_policy_id: null, sla_status: 'none', sla_due_at: null, first_response_due_at: null };
  const { pausedAt, pausedSeconds } = pauses(before, after, now);
  const paused = after.status === 'on_hold';
  const due = dueDates(policy.targets, after.priority, after.created_at, pausedSeconds, paused);
  return {
    sla_policy_id: policy.id,
    ...due,
    sla_paused_at: pausedAt,
    sla_paused_seconds: pausedSeconds,
    sla_status: clockStatus(after, paused, due.sla_due_at, now),
  };
}

function pauses(
  before: ClockFacts | null,
  after: ClockFacts,
  now: string,
): { pausedAt: string | null; pausedSeconds: number } {
  if (!before) return { pausedAt: after.status === 'on_hold' ? now : null, pausedSeconds: 0 };
  let pausedSeconds = before.sla_paused_seconds;
  if (before.status === 'on_hold' && after.status !== 'on_hold' && before.sla_paused_at) {
    pausedSeconds += seconds(before.sla_paused_at, now);
  }
  if (isDone(before.status) && !isDone(after.status) && before.resolved_at)
    pausedSeconds += seconds(before.resolved_at, now);
  const pausedAt = after.status !== 'on_hold' ? null : before.status === 'on_hold' ? before.sla_paused_at : now;
  return { pausedAt, pausedSeconds };
}

function clockStatus(after: ClockFacts, paused: boolean, due: string | null, now: string): string {
  if (paused) return 'paused';
  const until = isDone(after.status) ? (after.resolved_at ?? now) : now;
  const late = due !== null && new Date(until).getTime() > new Date(due).getTime();
  if (late) return 'breached';
  return isDone(after.status) ? 'met' : 'on_track';
}
