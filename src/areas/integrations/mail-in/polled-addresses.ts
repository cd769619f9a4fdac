import type { Database } from '../../../platform/database/database';
import { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import { Integration } from '../integration.entity';

/** The addresses (lower-case) of the mailboxes that are read in: what is sent there would come back as a ticket. Inside a unit of work. */
export async function polledAddresses(database: Database): Promise<string[]> {
  const mailboxes = await new WorkspaceRepository(database, Integration).find({
    select: { config: true },
    where: { provider: 'imap', status: 'active' },
  });
  return mailboxes.flatMap(({ config: { address } }) => (typeof address === 'string' ? address.toLowerCase() : []));
}
