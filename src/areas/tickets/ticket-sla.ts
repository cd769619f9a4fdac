import type { Values } from '../../platform/resource/rows';
import type { CommentAuthor, Fact } from '../sla/clock-types';
import type { AssignmentWay } from './assigning/assignment-reason';
import type { Assigned } from './assigning/ticket-assigning';
import type { Ticket } from './ticket.entity';

/** What else happens to a ticket with a change. */
export interface Following {
  /** The comment that brings the change. */
  comment?: { author: CommentAuthor; is_internal: boolean };
  /** Nothing more is promised to the ticket: it was merged into another. */
  cancels?: boolean;
  /** Member of the body that names the assignee, for errors; `assigned_to` unless given. */
  field?: string;
  /** Who has been found for it already. */
  given?: Assigned;
  /** What decides who gets it, where that is no person and no rule. */
  way?: AssignmentWay;
}

/** What a change of a ticket is to its clocks, in the order in which it counts. */
export function clockFacts(
  { status, priority }: Values<Ticket>,
  changed: (name: string) => boolean,
  { cancels, comment }: Following,
  at: string,
): Fact[] {
  const facts: Fact[] = [];
  if (cancels) facts.push({ at, type: 'cancelled' });
  if (status !== undefined && changed('status')) facts.push({ at, type: 'status', to: status });
  if (priority !== undefined && changed('priority')) facts.push({ at, type: 'priority', priority });
  if (comment && !comment.is_internal) facts.push({ at, type: 'comment', ...comment });
  return facts;
}
