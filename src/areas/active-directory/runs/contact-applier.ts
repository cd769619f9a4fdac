import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { invalid } from '../../../platform/errors/api-error';
import { ValidationPipe } from '../../../platform/http/validation-pipe';
import type { Values } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { CreateContact, UpdateContact } from '../../contacts/contact.dto';
import { ContactsService } from '../../contacts/contacts.service';
import type { PlannedChange } from '../engine/plan';
import { DirectoryUser } from '../objects/directory-user.entity';

/** Writes who of a directory is which contact, by the rules of contacts. */
@Injectable()
export class ContactApplier {
  constructor(
    @InjectStore(DirectoryUser) private readonly people: Store<DirectoryUser>,
    private readonly contacts: ContactsService,
    private readonly pipe: ValidationPipe,
    private readonly database: Database,
  ) {}

  /** Which contact they are afterwards. Inside the unit of work. @throws ApiError 422 */
  async change(
    mirror: { id: number; contact_id: number | null },
    { action, contact: asked, contact_link: link }: PlannedChange,
  ): Promise<number | null> {
    if (!asked) return mirror.contact_id;
    if (action === 'create' && mirror.contact_id === null)
      return this.contacts.createFrom(this.pipe.validate({ ...asked }, CreateContact));
    const body = this.pipe.validate({ ...asked }, UpdateContact);
    if (action === 'link' && mirror.contact_id === null && link !== undefined) {
      await this.take(link, mirror.id);
      if (!(await this.contacts.changeFrom(link, body)))
        invalid('contact_id', 'not_found', 'Their contact is not there any more.');
      return link;
    }
    if (mirror.contact_id !== null) await this.contacts.changeFrom(mirror.contact_id, body);
    return mirror.contact_id;
  }

  /** A contact who is nobody in a directory, or somebody who is gone from it. */
  private async take(contactId: number, mirrorId: number): Promise<void> {
    const rows = await this.database.query<{ id: number }>(
      'SELECT id FROM directory_users WHERE workspace_id = $1 AND contact_id = $2 AND id <> $3 ORDER BY id',
      [currentWorkspaceId(), contactId, mirrorId],
    );
    for (const { id } of rows) {
      const former = await this.people.lockIfAny(id);
      if (former?.contact_id !== contactId) continue;
      if (former.sync_status !== 'deleted_in_source')
        invalid('contact_id', 'taken', 'Their contact has become somebody else in a directory.');
      const isUser = former.user_id !== null;
      const values: Values<DirectoryUser> = {
        ...{ contact_id: null, contact_applied: null },
        ...(isUser ? {} : { link_status: 'unlinked' }),
      };
      await this.people.apply(former, { values, events: ['directory_user.unlinked'] });
    }
  }
}
