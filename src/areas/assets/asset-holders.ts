import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import { invalid } from '../../platform/http/errors';
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
    if (user !== null) {
      const found = await this.held('SELECT status FROM users WHERE workspace_id = $1 AND id = $2 FOR SHARE', user);
      if (!found) invalid(fields.user, 'not_found', `"${fields.user}" names a user that does not exist.`);
      if (found.status !== 'active') {
        const message = `"${fields.user}" names a user that is ${found.status}; only active users get assets.`;
        invalid(fields.user, 'inactive', message);
      }
    }
    if (contact !== null) {
      const lock = 'SELECT status FROM contacts WHERE workspace_id = $1 AND id = $2 FOR KEY SHARE';
      const message = `"${fields.contact}" names a contact that does not exist.`;
      if (!(await this.held(lock, contact))) invalid(fields.contact, 'not_found', message);
    }
  }

  private async held(text: string, id: number): Promise<{ status: string } | undefined> {
    const [row] = await this.database.query<{ status: string }>(text, [currentWorkspaceId(), id]);
    return row;
  }
}
