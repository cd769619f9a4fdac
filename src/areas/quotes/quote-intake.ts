import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../platform/context/current';
import { Database } from '../../platform/database/database';
import type { WorkspaceRepository } from '../../platform/database/workspace-repository';
import { InjectWorkspaceRepository } from '../../platform/database/workspace-repository.module';
import { CustomerFields } from '../../platform/resource/customer-fields';
import { companyLetterhead } from '../companies/company-lookup';
import { findContact } from '../contacts/contact-lookup';
import type { Parties } from './document/parties';
import type { Line } from './amounts/quote-money';
import { Quote } from './quote.entity';
import type { ItemAmounts } from './amounts/quote-totals';

const NAMES = ['subtotal', 'discount', 'tax', 'total'] as const;

/** An item as far as computing and copying look at it. */
export type ItemRow = Line & {
  id: number;
  position: number;
  sku: string | null;
  name: string;
  description: string | null;
  unit: string | null;
  custom_fields: Record<string, unknown>;
  subtotal: number;
  discount: number;
  tax: number;
  total: number;
};

/** What a new quote begins with: the next number of the workspace, and the day it is there. */
export interface Opening {
  serial: number;
  today: string;
}

/** What time it is for a quote. */
export interface Today {
  now: string;
  /** In the workspace's time zone. */
  today: string;
  /** The first moment after `valid_until` there. */
  ends: string;
}

/** Looks up what the rules of quotes need; inside a unit of work. */
@Injectable()
export class QuoteIntake {
  constructor(
    @InjectWorkspaceRepository(Quote) private readonly quotes: WorkspaceRepository<Quote>,
    private readonly database: Database,
    private readonly fields: CustomerFields,
  ) {}

  /** Parties without what customers are shown no longer. */
  async shownParties(parties: Parties): Promise<Parties> {
    const visible = new Set((await this.fields.visible('quote')).map(({ key }) => key));
    return { ...parties, fields: (parties.fields ?? []).filter(({ key }) => visible.has(key)) };
  }

  async opening(): Promise<Opening> {
    const [row] = await this.database.query<{ serial: number; today: string }>(
      `SELECT next_number('quote') AS serial, (now() AT TIME ZONE timezone)::date::text AS today FROM workspaces WHERE id = $1`,
      [currentWorkspaceId()],
    );
    if (!row) throw new Error('The workspace has gone.');
    return row;
  }

  /** Now, today and the end of the given day, by the database's clock and the workspace's zone. */
  async today(validUntil: string): Promise<Today> {
    const [row] = await this.database.query<Today & { today: string }>(
      `SELECT clock_timestamp() AS now, (now() AT TIME ZONE timezone)::date::text AS today,
         (($2::date + 1)::timestamp AT TIME ZONE timezone) AS ends FROM workspaces WHERE id = $1`,
      [currentWorkspaceId(), validUntil],
    );
    if (!row) throw new Error('The workspace has gone.');
    return row;
  }

  /** The items of a quote, in their order. */
  async items(quoteId: number): Promise<ItemRow[]> {
    const rows = await this.database.query<{ item: ItemRow }>(
      `SELECT row_to_json(i) AS item FROM quote_items i WHERE workspace_id = $1 AND quote_id = $2 ORDER BY position, id`,
      [currentWorkspaceId(), quoteId],
    );
    return rows.map(({ item }) => item);
  }

  /** Stores the amounts of those items whose amounts have changed, as new versions of them. */
  async storeAmounts(items: readonly ItemRow[], amounts: readonly ItemAmounts[]): Promise<void> {
    const rows = items
      .map(({ id }, index) => ({ id, ...amounts[index] }))
      .filter((row, index) => NAMES.some((name) => row[name] !== items[index]?.[name]));
    if (rows.length === 0) return;
    await this.database.query(
      `UPDATE quote_items i SET subtotal = v.subtotal, discount = v.discount, tax = v.tax, total = v.total,
         version = i.version + 1, updated_at = now()
       FROM jsonb_to_recordset($2::jsonb) AS v(id bigint, subtotal numeric, discount numeric, tax numeric, total numeric)
       WHERE i.workspace_id = $1 AND i.id = v.id`,
      [currentWorkspaceId(), JSON.stringify(rows)],
    );
  }

  /** The quote that replaces this one; null when there is none. */
  revisionOf(quoteId: number): Promise<{ id: number; number: string } | null> {
    return this.quotes.findOne({ select: { id: true, number: true }, where: { revision_of_id: quoteId } });
  }

  /** Who the quote is from and to, as they are now; the company is the contact's where the quote names none. */
  async parties({
    company_id,
    contact_id,
    recipient_email,
    custom_fields,
  }: Pick<Quote, 'company_id' | 'contact_id' | 'recipient_email' | 'custom_fields'>): Promise<Parties> {
    const [seller] = await this.database.query<Pick<Parties, 'seller' | 'locale' | 'timezone'>>(
      `SELECT name AS seller, locale, timezone FROM workspaces WHERE id = $1`,
      [currentWorkspaceId()],
    );
    if (!seller) throw new Error('The workspace has gone.');
    const contact = contact_id === null ? undefined : await findContact(this.database, contact_id, null);
    const companyId = company_id ?? contact?.company_id ?? null;
    const company = companyId === null ? undefined : await companyLetterhead(this.database, companyId);
    const { name = null, tax_id = null, address = null } = company ?? {};
    const email = recipient_email ?? contact?.email ?? null;
    const fields = await this.fields.shown('quote', custom_fields, seller.locale);
    return { ...seller, company: name, tax_id, address, contact: contact?.name ?? null, email, fields };
  }
}
