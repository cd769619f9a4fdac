import { invalid } from '../../../platform/errors/api-error';
import type { TicketStatus } from '../ticket-values';
import type { CustomStatus } from './custom-status.entity';

/** What of a status the rules of tickets look at. */
export type KnownStatus = Pick<CustomStatus, 'id' | 'status' | 'is_default' | 'is_active'>;

/** The status of a ticket, in both of its forms. */
export interface StatusPair {
  status: TicketStatus;
  custom_status_id: number | null;
}

/**
 * Both forms of the status that is asked for. What is as it was counts as not asked for, so that a client may send back a record
 * of which it has changed the one or the other.
 *
 * @param before null for a new ticket
 * @throws ApiError 422 when the two contradict each other, or the status cannot be had
 */
export function chosenStatus(
  known: readonly KnownStatus[],
  before: StatusPair | null,
  asked: Partial<StatusPair>,
): StatusPair {
  const { status = before?.status ?? 'open', custom_status_id: id } = asked;
  const isStatusAsked = asked.status !== undefined && asked.status !== before?.status;
  const isCustomAsked = id !== undefined && id !== (before?.custom_status_id ?? null);
  if (isCustomAsked && id !== null) {
    const custom = known.find((each) => each.id === id);
    if (!custom)
      invalid('custom_status_id', 'not_found', '"custom_status_id" names a ticket status that does not exist.');
    if (!custom.is_active)
      invalid('custom_status_id', 'inactive', '"custom_status_id" names a ticket status that is not active.');
    if (isStatusAsked && custom.status !== status)
      invalid('custom_status_id', 'conflict', `The custom status stands for ${custom.status}, not for ${status}.`, {
        allowed: known.flatMap((each) => (each.status === status && each.is_active ? [each.id] : [])),
      });
    return { status: custom.status, custom_status_id: id };
  }
  if (isCustomAsked) return { status, custom_status_id: null };
  return before && status === before.status ? before : { status, custom_status_id: defaultOf(known, status) };
}

/** The custom status of tickets that come to a status without a word; null without one. */
export function defaultOf(known: readonly KnownStatus[], status: TicketStatus): number | null {
  return known.find((each) => each.status === status && each.is_default && each.is_active)?.id ?? null;
}
