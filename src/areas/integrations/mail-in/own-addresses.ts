import { In, Not } from 'typeorm';
import type { Database } from '../../../platform/database/database';
import { WorkspaceRepository } from '../../../platform/database/workspace-repository';
import type { MailAccounts } from '../../../platform/mail/mail-accounts';
import { cleanAddress } from '../../../platform/mail/mail-address';
import { Integration } from '../integration.entity';

/** Addresses that mail of this workspace comes from or goes to: what they send is not read in. Inside a unit of work. */
export async function ownAddresses(database: Database, { operatorAddress }: MailAccounts): Promise<string[]> {
  const accounts = await new WorkspaceRepository(database, Integration).find({
    select: { config: true },
    where: { provider: In(['imap', 'smtp']), status: Not('disabled') },
  });
  const named = accounts.flatMap(({ config }) => [config.address, config.from_address, config.reply_to]);
  const texts = [...named.map((text) => (typeof text === 'string' ? text : null)), operatorAddress];
  return texts.map((text) => cleanAddress(text ?? '')).filter((address) => address !== null);
}
