import { invalid } from '../../platform/errors/api-error';
import type { Ticket } from './ticket.entity';
import { isDone } from './ticket-status';
import { TICKET_PRIORITIES, type TicketPriority } from './ticket-values';

export const MAX_ESCALATION_LEVEL = 3;

/** The next priority up; `urgent` stays. */
export function raisedPriority(priority: TicketPriority): TicketPriority {
  return TICKET_PRIORITIES[Math.min(TICKET_PRIORITIES.indexOf(priority) + 1, TICKET_PRIORITIES.length - 1)] ?? 'urgent';
}

type Raised = Pick<Ticket, 'status' | 'priority' | 'escalation_level'>;

/**
 * Status, level and priority after an escalation (product reference 2.2).
 *
 * @param asked explicit priority; 422 when it is below the present one
 */
export function escalated(before: Raised, asked: TicketPriority | undefined): Raised {
  if (isDone(before.status)) {
    invalid('status', 'invalid_transition', `A ${before.status} ticket cannot be escalated; reopen it first.`, {
      from: before.status,
      allowed: ['open', 'in_progress', 'on_hold'],
    });
  }
  if (asked !== undefined && TICKET_PRIORITIES.indexOf(asked) < TICKET_PRIORITIES.indexOf(before.priority)) {
    const allowed = TICKET_PRIORITIES.slice(TICKET_PRIORITIES.indexOf(before.priority));
    invalid('priority', 'min', `An escalation cannot lower the priority from ${before.priority}.`, { allowed });
  }
  return {
    status: before.status === 'on_hold' ? 'open' : before.status,
    priority: asked ?? raisedPriority(before.priority),
    escalation_level: Math.min(before.escalation_level + 1, MAX_ESCALATION_LEVEL),
  };
}
