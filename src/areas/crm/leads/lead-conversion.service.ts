import { Injectable } from '@nestjs/common';
import { saidIn } from '../../../platform/columns/not-blank';
import { currentSight } from '../../../platform/context/demand';
import { composedHere } from '../../../platform/database/constraint-errors';
import { Database } from '../../../platform/database/database';
import { SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { isReadable } from '../../../platform/resource/read/sight';
import type { Resource } from '../../../platform/resource/resource';
import type { Row, Values } from '../../../platform/resource/rows';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { CompaniesService } from '../../companies/companies.service';
import { companyResource } from '../../companies/company.resource';
import { findContact } from '../../contacts/contact-lookup';
import { contactResource } from '../../contacts/contact.resource';
import { ContactsService } from '../../contacts/contacts.service';
import { heldStatus } from '../../users/user-lookup';
import type { CreateDeal } from '../deals/deal.dto';
import { DealsService } from '../deals/deals.service';
import type { ConvertLead } from './lead.dto';
import { Lead } from './lead.entity';
import { requireConvertible } from './lead-states';

/** Who a lead turned out to be. */
interface Customer {
  company_id: number | null;
  contact_id: number | null;
}

/** Turns a lead into a deal, with the company and the contact that go with it, all or nothing. */
@Injectable()
export class LeadConversion {
  constructor(
    private readonly database: Database,
    @InjectStore(Lead) private readonly leads: Store<Lead>,
    private readonly deals: DealsService,
    private readonly companies: CompaniesService,
    private readonly contacts: ContactsService,
  ) {}

  /**
   * Answers `{lead, deal, company, contact}`; the last two may be null, and are for who may not read them. The lead is locked: twice at
   * once makes one deal.
   */
  async convert(id: number, body: ConvertLead, expected: ExpectedVersions): Promise<SingleResult> {
    return this.database.transaction(async () => {
      let deal = 'null';
      let customer: Customer = { company_id: null, contact_id: null };
      const lead = await this.leads.mutate(id, expected, async (before) => {
        requireConvertible(before.status);
        customer = await this.customerOf(before, body.create_company ?? true);
        const made = await this.deals.createKnown(composedHere(await this.dealOf(before, body, customer)));
        deal = made.result.json;
        const converted_at = await this.database.moment();
        const values: Values<Lead> = { ...customer, status: 'converted', converted_at, converted_deal_id: made.id };
        return { values, events: ['lead.updated', 'lead.status_changed', 'lead.converted'] };
      });
      const company = await shown(companyResource, customer.company_id, (id) => this.companies.jsonOf(id));
      const contact = await shown(contactResource, customer.contact_id, (id) => this.contacts.jsonOf(id));
      const json = `{"lead":${lead.json},"deal":${deal},"company":${company},"contact":${contact}}`;
      return new SingleResult(json, null);
    });
  }

  /**
   * The lead's company, else that of its contact, else the one of its name or mail domain, else a new one; the lead's
   * contact, else the one with its address, else a new one.
   */
  private async customerOf(lead: Row<Lead>, mayCreate: boolean): Promise<Customer> {
    const { email } = lead;
    const name = saidIn(lead.company_name);
    const known = await findContact(this.database, lead.contact_id, email);
    let companyId = lead.company_id ?? known?.company_id ?? (await this.companies.find(name, email));
    if (companyId === null && name && mayCreate) {
      const { website, industry } = lead;
      companyId = await this.companies.upsertByName(name, { website, industry, status: 'prospect' });
    }
    if (known) return { company_id: companyId, contact_id: known.id };
    if (email === null) return { company_id: companyId, contact_id: null };
    const { phone, job_title } = lead;
    const contact = await this.contacts.upsertByEmail(email, lead.name, companyId, { phone, job_title });
    return { company_id: companyId, contact_id: contact.id };
  }

  private async dealOf(lead: Row<Lead>, body: ConvertLead, customer: Customer): Promise<CreateDeal> {
    const ownerId = lead.owner_id;
    // An owner who has left hands over to whoever converts the lead.
    const owned = ownerId !== null && (await heldStatus(this.database, ownerId)) === 'active';
    return {
      ...customer,
      ...(body.pipeline_id === undefined ? {} : { pipeline_id: body.pipeline_id }),
      ...(body.stage_id === undefined ? {} : { stage_id: body.stage_id }),
      ...(owned ? { owner_id: ownerId } : {}),
      title: body.title ?? lead.name,
      value: body.value ?? lead.estimated_value ?? 0,
      currency: lead.currency,
      lead_id: lead.id,
      ticket_id: lead.source_ticket_id,
      source: lead.source,
      expected_close_date: lead.expected_close_date,
      notes: lead.notes,
      tags: lead.tags,
    };
  }
}

/** JSON of a record of another area; null where there is none, and for who may not read it. */
async function shown(resource: Resource, id: number | null, read: (id: number) => Promise<string>): Promise<string> {
  return id === null || !isReadable(resource, currentSight()) ? 'null' : read(id);
}
