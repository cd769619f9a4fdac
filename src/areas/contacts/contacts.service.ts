import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { changeMany } from '../../platform/resource/many-changes';
import { ResourceKernel } from '../../platform/resource/resource-kernel';
import { ResourceService, type Row } from '../../platform/resource/resource.service';
import { insertStatement, type Values } from '../../platform/resource/write-plan';
import { contactResource } from './contact.resource';

/** What a ticket needs to know of its requester. */
export interface Requester {
  id: number;
  company_id: number | null;
  name: string | null;
}

@Injectable()
export class ContactsService extends ResourceService {
  constructor(kernel: ResourceKernel) {
    super(contactResource, kernel);
  }

  /**
   * The contact with that address, created with name and company when there is none. Runs inside the current unit of
   * work; two at once make one contact. One round trip when the contact exists.
   *
   * @param more further values of a new contact
   */
  async upsertByEmail(
    email: string,
    name: string | null,
    companyId: number | null,
    more: Values = {},
  ): Promise<Requester> {
    const address = normalised(email);
    const known = await this.findByEmail(address);
    if (known) return known;
    const events = [{ type: 'contact.created', changes: null }];
    const values = { ...more, email: address, name, company_id: companyId };
    const [rows] = await this.database.batch([
      insertStatement(this.resource, currentWorkspaceId(), values, events, null, 'ON CONFLICT DO NOTHING'),
    ]);
    const id = rows?.[0]?.[1];
    if (id) return { id: Number(id), company_id: companyId, name };
    const winner = await this.findByEmail(address);
    if (!winner) throw new Error('A contact neither exists nor could be created.');
    return winner;
  }

  /** Takes turns, until the end of the transaction, with whoever else is about to create contacts of several of these addresses. */
  async holdAddresses(addresses: readonly string[]): Promise<void> {
    const distinct = new Set(addresses.map(normalised));
    if (distinct.size < 2) return;
    const text = `
      SELECT pg_advisory_xact_lock(key) FROM
        (SELECT DISTINCT hashtextextended('contact ' || address, $1::bigint) AS key FROM unnest($2::text[]) address ORDER BY key) k`;
    await this.database.batch([{ text, values: [currentWorkspaceId(), [...distinct]] }]);
  }

  /** Tickets keep the requester's address and name; leads and deals stay without the contact. */
  protected override async prepareRemove(contact: Row): Promise<void> {
    for (const [resource, singular] of Object.entries({ tickets: 'ticket', leads: 'lead', deals: 'deal' })) {
      await changeMany(this.database, {
        resource,
        condition: (bind) => `m.contact_id = ${bind(contact.id)}`,
        values: { contact_id: null },
        events: [`${singular}.updated`],
        changes: { contact_id: { from: contact.id, to: null } },
      });
    }
  }

  private async findByEmail(email: string): Promise<Requester | null> {
    const text = `SELECT id, company_id, name FROM contacts WHERE workspace_id = $1 AND email = $2`;
    const [rows] = await this.database.batch([{ text, values: [currentWorkspaceId(), email] }]);
    const [id, companyId, name] = rows?.[0] ?? [];
    return id ? { id: Number(id), company_id: companyId ? Number(companyId) : null, name: name ?? null } : null;
  }
}

function normalised(email: string): string {
  return email.trim().toLowerCase();
}
