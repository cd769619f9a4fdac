import { invalid } from '../../../platform/errors/api-error';
import { isDone } from '../ticket-status';

/** What of a ticket the rules of rating look at. */
export interface RatedTicket {
  status: string;
  reopened_count: number;
  merged_into_id: number | null;
}

/** Why a ticket cannot be rated. */
export type Obstacle = 'merged' | 'not_resolved';

const DAY_MS = 86_400_000;
/** Days for which a link leads to its page. */
const LINK_DAYS = 30;
/** Days in which a requester may change a rating on the page. */
const CHANGE_DAYS = 7;

/** The number of the resolution that a rating given now is about: every reopening begins another. */
export function resolutionOf({ reopened_count }: Pick<RatedTicket, 'reopened_count'>): number {
  return reopened_count + 1;
}

/** What stands in the way of a rating; null where nothing does. */
export function obstacleOf({
  status,
  merged_into_id,
}: Pick<RatedTicket, 'status' | 'merged_into_id'>): Obstacle | null {
  if (merged_into_id !== null) return 'merged';
  return isDone(status) ? null : 'not_resolved';
}

/** 422 for a ticket that was merged: whoever rates it means the one that it goes on in. */
export function requireOwn({ merged_into_id }: Pick<RatedTicket, 'merged_into_id'>): void {
  if (merged_into_id === null) return;
  invalid('id', 'merged', `The ticket was merged into ticket ${merged_into_id}; rate that one.`);
}

/** 422 unless the ticket can be rated: it must be resolved or closed, and not merged into another. */
export function requireRatable(ticket: Pick<RatedTicket, 'status' | 'merged_into_id'>): void {
  requireOwn(ticket);
  const { status } = ticket;
  if (!isDone(status)) {
    invalid('status', 'not_resolved', `The ticket is ${status}; only resolved and closed tickets can be rated.`, {
      status,
      allowed: ['resolved', 'closed'],
    });
  }
}

/** A comment as it is stored: line breaks of forms made one, nothing for blanks. */
export function cleanComment(text: string | null | undefined): string | null {
  const clean = (text ?? '').replaceAll('\r\n', '\n').trim();
  return clean === '' ? null : clean;
}

/** Whether the requester may still change a rating on the page. Moments in ms since 1970. */
export function isChangeable(ratedFirstAt: number, now: number): boolean {
  return now - ratedFirstAt <= CHANGE_DAYS * DAY_MS;
}

/** When a link made now ends. */
export function linkEnd(now: number): Date {
  return new Date(Math.floor((now + LINK_DAYS * DAY_MS) / 1_000) * 1_000);
}
