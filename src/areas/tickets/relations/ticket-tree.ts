import type { Database } from '../../../platform/database/database';
import { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { invalid } from '../../../platform/errors/api-error';
import { requirePlaceInTree } from '../../../platform/tree/tree';
import { Ticket } from '../ticket.entity';
import { ticketResource } from '../ticket.resource';

/** What is held while tickets are put below others; taken ahead of any ticket. */
export const TICKET_TREE = 'tickets.parent_id';

/** Most levels of tickets, the topmost included. */
const MAX_LEVELS = 5;

/**
 * Refuses (422) a parent that is not there, was merged, lies below the ticket, or is too deep already. Inside a unit of work that
 * holds {@link TICKET_TREE}.
 *
 * @param id null for a new ticket
 */
export async function requireParent(database: Database, id: number | null, parentId: number): Promise<void> {
  await requirePlaceInTree(database, ticketResource, id, parentId, MAX_LEVELS);
  const select = { merged_into_id: true } as const;
  const parent = await new WorkspaceRepository(database, Ticket).findOne({ select, where: { id: parentId } });
  const into = parent?.merged_into_id ?? null;
  if (into !== null) invalid('parent_id', 'merged', `"parent_id" names a ticket that was merged, into ticket ${into}.`);
}
