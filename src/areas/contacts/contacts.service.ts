import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { ResourceKernel } from '../../platform/resource/resource-kernel';
import { ResourceService, type Values } from '../../platform/resource/resource.service';
import { insertStatement } from '../../platform/resource/write-plan';
import { CompaniesService } from '../companies/companies.service';
import { contactResource } from './contact.resource';

/** What a ticket needs to know of its requester. */
export interface Requester {
  id: number;
  company_id: number | null;
  name: string | null;
  /** New tickets of theirs are refused. */
  is_blocked: boolean;
}

@Injectable()
export class ContactsService extends ResourceService {
  constructor(
    kernel: ResourceKernel,
    private readonly companies: CompaniesService,
  ) {
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
      insertStatement(this.resource, currentWorkspaceId(), values, events, { onConflict: 'ON CONFLICT DO NOTHING' }),
    ]);
    const id = rows?.[0]?.[1];
    if (id) return { id: Number(id), company_id: companyId, name, is_blocked: false };
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

  /** Without a word about the company it is the active one with the mail domain of the address. */
  protected override async prepareCreate(values: Values, body: Values): Promise<undefined> {
    if (body.company_id === undefined) values.company_id = await this.companies.find(null, values.email as string);
  }

  private async findByEmail(email: string): Promise<Requester | null> {
    const text = `SELECT id, company_id, name, status FROM contacts WHERE workspace_id = $1 AND email = $2`;
    const [rows] = await this.database.batch([{ text, values: [currentWorkspaceId(), email] }]);
    const [id, companyId, name, status] = rows?.[0] ?? [];
    if (!id) return null;
    const company_id = companyId ? Number(companyId) : null;
    return { id: Number(id), company_id, name: name ?? null, is_blocked: status === 'blocked' };
  }
}

function normalised(email: string): string {
  return email.trim().toLowerCase();
}
