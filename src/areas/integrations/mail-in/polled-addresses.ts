import { currentWorkspaceId } from '../../../platform/context/current';
import type { Database } from '../../../platform/database/database';

/** The addresses (lower-case) of the mailboxes that are read in: what is sent there would come back as a ticket. Inside a unit of work. */
export async function polledAddresses(database: Database): Promise<string[]> {
  const rows = await database.query<{ address: string }>(
    `SELECT lower(config ->> 'address') AS address FROM integrations
     WHERE workspace_id = $1 AND provider = 'imap' AND status = 'active' AND config ->> 'address' IS NOT NULL`,
    [currentWorkspaceId()],
  );
  return rows.map(({ address }) => address);
}
