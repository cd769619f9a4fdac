import { invalid } from '../../platform/errors/api-error';
import type { Escalation, Ticket } from './ticket.entity';
import { isDone } from './ticket-status';
import { TICKET_PRIORITIES, type TicketPriority } from './ticket-values';

export const MAX_ESCALATION_LEVEL = 3;
/** Escalations that a ticket shows: every answer, event and list with it holds them. Its history has them all. */
const MAX_SHOWN = 100;

/** The escalations of a ticket with one more; the oldest go when they are too many. */
export function withEscalation(present: readonly Escalation[], entry: Escalation): Escalation[] {
  return [...present, entry].slice(-MAX_SHOWN);
}

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

type Lowered = Pick<Ticket, 'status' | 'priority' | 'escalation_level' | 'escalations'>;

/**
 * Level and priority after an escalation was taken back: the priority that it had been before that escalation, unless somebody has set
 * another since, which stays.
 *
 * @param asked explicit priority; 422 when it is above the present one
 */
export function deescalated(
  { status, priority, escalation_level: level, escalations }: Lowered,
  asked: TicketPriority | undefined,
): Pick<Ticket, 'priority' | 'escalation_level'> {
  if (isDone(status)) {
    invalid('status', 'invalid_transition', `A ${status} ticket cannot be de-escalated.`, {
      from: status,
      allowed: ['open', 'in_progress', 'on_hold'],
    });
  }
  if (level === 0) invalid('escalation_level', 'min', 'The ticket is not escalated.', { min: 1 });
  if (asked !== undefined && rankOf(asked) > rankOf(priority)) {
    const allowed = TICKET_PRIORITIES.slice(0, rankOf(priority) + 1);
    invalid('priority', 'max', `A de-escalation cannot raise the priority from ${priority}.`, { allowed });
  }
  const raise = raiseTo(level, escalations);
  const before = TICKET_PRIORITIES.find((each) => each === raise?.from);
  const usual = raise?.to === priority ? (before ?? priority) : priority;
  return { escalation_level: level - 1, priority: asked ?? usual };
}

/** What led to a level, from the priority before it on: at the highest one several escalations may have followed each other. */
function raiseTo(level: number, escalations: Ticket['escalations']): { from: string; to: string } | null {
  const raises = escalations.filter(({ from_priority: from, to_priority: to }) => rankOf(from) <= rankOf(to));
  const last = raises.findLastIndex((each) => each.level === level);
  const reached = raises[last];
  if (!reached) return null;
  let from = reached.from_priority;
  for (let index = last - 1; raises[index]?.level === level && raises[index]?.to_priority === from; index--)
    from = raises[index]?.from_priority ?? from;
  return { from, to: reached.to_priority };
}

const rankOf = (priority: string): number => TICKET_PRIORITIES.findIndex((each) => each === priority);
