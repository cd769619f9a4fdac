import { currentWorkspaceId } from '../../platform/context/current';
import type { Database } from '../../platform/database/database';
import { constraintError } from '../../platform/database/constraint-errors';
import { ticketResource } from './ticket.resource';

/**
 * Gives a ticket that nobody will ever see values that only the service sets, as if time had passed. It tells nobody and counts as
 * no change: for the unit of work of a dry run, which is always taken back. 422 for values that the columns do not take.
 */
export async function imagine(database: Database, id: number, values: ReadonlyMap<string, unknown>): Promise<void> {
  const assignments = [...values.keys()].map((name, index) => `${name} = $${index + 3}`).join(', ');
  try {
    await database.query(`UPDATE tickets SET ${assignments} WHERE workspace_id = $1 AND id = $2`, [
      currentWorkspaceId(),
      id,
      ...values.values(),
    ]);
  } catch (error) {
    throw constraintError(error, ticketResource);
  }
}
