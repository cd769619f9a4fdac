import { current } from '../../platform/context/current';
import type { Database } from '../../platform/database/database';
import { requireActiveUser } from '../users/user-lookup';

/** The owner of a new record: the one given, who must be active, else the user of the token, else nobody. */
export async function ownerOf(database: Database, given: number | null | undefined): Promise<number | null> {
  if (given === undefined) return current().principal?.userId ?? null;
  if (given !== null) await requireActiveOwner(database, given);
  return given;
}

/** Refuses (422) an owner who does not exist or has left; holds the user active until the commit. */
export async function requireActiveOwner(database: Database, id: number): Promise<void> {
  await requireActiveUser(database, 'owner_id', id, 'only active users can be owners');
}
