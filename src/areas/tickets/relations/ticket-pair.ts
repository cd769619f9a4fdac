import { fail, invalid } from '../../../platform/errors/api-error';
import type { Row } from '../../../platform/resource/rows';
import type { Store } from '../../../platform/resource/store';
import type { Ticket } from '../ticket.entity';

/**
 * Two tickets, locked in the order of their ids so that nobody waits in a circle. 404 without the first, 422 without the other, where
 * both are one, and where one was merged. Inside a unit of work.
 *
 * @param field the member of the request that names the other
 */
export async function lockedPair(
  tickets: Store<Ticket>,
  id: number,
  otherId: number,
  field: string,
): Promise<[one: Row<Ticket>, other: Row<Ticket>]> {
  if (id === otherId) invalid(field, 'invalid', `"${field}" names the ticket itself.`);
  const first = await tickets.lockIfAny(Math.min(id, otherId));
  const second = await tickets.lockIfAny(Math.max(id, otherId));
  const [one, other] = id < otherId ? [first, second] : [second, first];
  if (!one) fail('not_found', `No ticket ${id}.`);
  if (!other) invalid(field, 'not_found', `"${field}" names a ticket that does not exist.`);
  requireUnmerged(one, 'id');
  requireUnmerged(other, field);
  return [one, other];
}

/** 422 for a ticket that was merged: what was meant for it belongs to the other one. */
export function requireUnmerged({ id, merged_into_id }: Row<Ticket>, field: string): void {
  if (merged_into_id !== null)
    invalid(field, 'merged', `Ticket ${id} was itself merged, into ticket ${merged_into_id}.`);
}
