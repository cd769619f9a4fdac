import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { invalid } from '../../platform/errors/api-error';
import { holdContact } from '../contacts/contact-lookup';
import { requireActiveUser } from '../users/user-lookup';
import type { Holders } from './asset-status';

/** Who can have an asset. */
@Injectable()
export class AssetHolders {
  constructor(private readonly database: Database) {}

  /**
   * Refuses a user who is unknown or not active, and an unknown contact; holds who is found until the commit. Inside the
   * unit of work.
   *
   * @param fields the names under which the request has them
   */
  async require(
    { assigned_to: user = null, assigned_contact_id: contact = null }: Partial<Holders>,
    fields = { user: 'assigned_to', contact: 'assigned_contact_id' },
  ): Promise<void> {
    const why = 'only active users get assets';
    if (user !== null) await requireActiveUser(this.database, fields.user, user, why);
    if (contact === null || (await holdContact(this.database, contact))) return;
    invalid(fields.contact, 'not_found', `"${fields.contact}" names a contact that does not exist.`);
  }
}
