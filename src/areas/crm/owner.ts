import { current, currentWorkspaceId } from '../../platform/context/current';
import type { Database } from '../../platform/database/database';
import { invalid } from '../../platform/http/errors';

/** The owner of a new record: the one given, who must be active, else the user of the token, else nobody. */
export async function ownerOf(database: Database, given: number | null | undefined): Promise<number | null> {
  if (given === undefined) return current().access?.token.user_id ?? null;
  if (given !== null) await requireActiveOwner(database, given);
  return given;
}

/** Refuses (422) an owner who does not exist or has left; holds the user active until the commit. */
export async function requireActiveOwner(database: Database, id: number): Promise<void> {
  const [user] = await database.query<{ status: string }>(
    `SELECT status FROM users WHERE workspace_id = $1 AND id = $2 FOR SHARE`,
    [currentWorkspaceId(), id],
  );
  if (!user) invalid('owner_id', 'not_found', '"owner_id" names a user that does not exist.');
  if (user.status !== 'active') {
    invalid('owner_id', 'inactive', `"owner_id" names a user that is ${user.status}; only active users can be owners.`);
  }
}
