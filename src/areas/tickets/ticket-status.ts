import { invalid } from '../../platform/errors/api-error';
import { requireTransition, type TransitionTable } from '../../platform/state/transitions';
import type { Values } from '../../platform/resource/rows';
import type { Ticket } from './ticket.entity';
import type { TicketStatus } from './ticket-values';

/** Product reference 2.1: row = from, list = to. */
export const TICKET_TRANSITIONS: TransitionTable<TicketStatus> = {
  open: ['in_progress', 'on_hold', 'resolved', 'closed'],
  in_progress: ['open', 'on_hold', 'resolved', 'closed'],
  on_hold: ['open', 'in_progress', 'resolved', 'closed'],
  resolved: ['open', 'in_progress', 'closed'],
  closed: ['open', 'in_progress'],
};

/** What of a ticket the status rules look at; moments are ISO 8601. */
export type StatusFacts = Pick<Ticket, 'status' | 'first_resolved_at' | 'resolved_at' | 'closed_at' | 'reopened_count'>;

export const isDone = (status: string): boolean => status === 'resolved' || status === 'closed';

const DAY_MS = 86_400_000;

/**
 * Values and events that come with a change of status.
 *
 * @param now ISO 8601
 * @param reopenWindowDays days after closing in which a ticket may be reopened; null = always
 */
export function statusEffects(
  before: StatusFacts,
  to: TicketStatus,
  now: string,
  reopenWindowDays: number | null,
): { values: Values<Ticket>; events: string[] } {
  if (before.status === to) return { values: {}, events: [] };
  requireTransition(TICKET_TRANSITIONS, 'status', before.status, to);
  const values: Values<Ticket> = { status: to };
  const events = ['ticket.status_changed'];
  if (to !== 'on_hold') Object.assign(values, { on_hold_reason: null, on_hold_until: null });
  if (isDone(to)) {
    values.resolved_at = before.resolved_at ?? now;
    values.first_resolved_at = before.first_resolved_at ?? values.resolved_at;
    if (to === 'closed') values.closed_at = now;
    events.push(to === 'closed' ? 'ticket.closed' : 'ticket.resolved');
  } else if (isDone(before.status)) {
    requireReopenWindow(before, now, reopenWindowDays);
    Object.assign(values, { resolved_at: null, closed_at: null, reopened_count: before.reopened_count + 1 });
    events.push('ticket.reopened');
  }
  return { values, events };
}

function requireReopenWindow(before: StatusFacts, now: string, days: number | null): void {
  if (before.status !== 'closed' || days === null || before.closed_at === null) return;
  const elapsed = new Date(now).getTime() - new Date(before.closed_at).getTime();
  if (elapsed > days * DAY_MS) {
    invalid(
      'status',
      'invalid_transition',
      `The ticket was closed more than ${days} days ago and can no longer be reopened.`,
      {
        from: 'closed',
        allowed: [],
      },
    );
  }
}
