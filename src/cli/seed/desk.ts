import type { TicketStatus } from '../../areas/tickets/ticket-values';
import { drawer, type Random } from './random';

/** How a desk works: how far back its tickets go, how far they got, and what the finished ones leave behind. */
export interface Desk {
  /** Tickets are spread over so many days, more of them in recent times. */
  spanDays: number;
  /** How far tickets of an age got. */
  ofToday: (random: Random) => TicketStatus;
  ofTheWeek: (random: Random) => TicketStatus;
  ofTheBacklog: (random: Random) => TicketStatus;
  /** The slowest solution, as a multiple of what the policy allows. */
  slowest: number;
  /** Resolved tickets took as long as closed ones did, and the clocks of both are kept: every promise shows in the statistics. */
  keepsHistory: boolean;
}

const statuses: readonly TicketStatus[] = ['open', 'in_progress', 'on_hold', 'resolved', 'closed'];

/** Two years of a busy desk with everything in it that a measurement wants to meet. */
export const BULK_DESK: Desk = {
  spanDays: 730,
  ofToday: drawer(statuses, [50, 25, 7, 15, 3]),
  ofTheWeek: drawer(statuses, [20, 25, 10, 38, 7]),
  ofTheBacklog: drawer(statuses, [3, 4, 3, 2, 88]),
  slowest: 1.25,
  keepsHistory: false,
};

/** A desk in good health: nine promises of ten are kept, and few clocks run that would be missed when nobody comes back. */
export const DEMO_DESK: Desk = {
  spanDays: 90,
  ofToday: drawer(statuses, [20, 20, 10, 50, 0]),
  ofTheWeek: drawer(statuses, [1, 2, 8, 56, 33]),
  ofTheBacklog: drawer(statuses, [0, 0, 1, 0, 99]),
  slowest: 0.9,
  keepsHistory: true,
};
