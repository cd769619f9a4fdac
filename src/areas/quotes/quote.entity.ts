import { getSchemaPath } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsObject, ValidateNested } from 'class-validator';
import { Column, Entity } from 'typeorm';
import { AmountColumn, CurrencyColumn } from '../../platform/money/currency';
import {
  ComputedColumn,
  DateColumn,
  EmailColumn,
  EnumColumn,
  IntegerColumn,
  JsonColumn,
  ReferenceColumn,
  StringColumn,
  TextColumn,
  TimestampColumn,
} from '../../platform/columns/columns';
import { timestampText } from '../../platform/columns/column-spec';
import { ResourceEntity } from '../../platform/resource/resource-entity';
import type { Parties } from './document/parties';
import { QuoteDiscount } from './amounts/quote-discount';
import { AcceptedBy } from './accepted-by';
import { type Discount, MAX_TEXT, QUOTE_STATUSES, TAX_MODES } from './quote-values';
import type { Computed, OneOf } from '../../platform/resource/rows';

const readOnly = true;
const nullable = true;

/** The customer's time is over, but the sweep has not come by yet. */
const isOver = (quote: string): string => `${quote}.status IN ('sent', 'viewed') AND ${quote}.expires_at <= now()`;

/** An offer to a customer: product reference 1.17. */
@Entity('quotes')
export class Quote extends ResourceEntity {
  /** The number inside `number`, for sorting. */
  @Column({ type: 'bigint' })
  serial: number;

  @StringColumn({ max: 40, readOnly, example: 'QUO-000123', description: 'Assigned by the service, never used again.' })
  number: string;

  @StringColumn({ required: true, max: 255, example: 'Printers for the Berlin office' })
  title: string;

  @EnumColumn(QUOTE_STATUSES, {
    default: 'draft',
    readOnly,
    description: 'Changed through `POST /quotes/{id}/status`.',
    shownAs: (quote) => `CASE WHEN ${isOver(quote)} THEN 'expired' ELSE ${quote}.status END`,
  })
  status: OneOf<typeof QUOTE_STATUSES>;

  @ReferenceColumn('companies', { nullable })
  company_id: number | null;

  @ReferenceColumn('contacts', { nullable, description: 'Who the quote goes to.' })
  contact_id: number | null;

  @ReferenceColumn('deals', { nullable, description: 'Won when the quote is accepted.' })
  deal_id: number | null;

  @ReferenceColumn('tickets', { nullable })
  ticket_id: number | null;

  @ReferenceColumn('users', { nullable, description: 'Who answers for the quote.' })
  owner_id: number | null;

  @EmailColumn({ nullable, example: 'paul.weber@acme.example', description: "Default: the contact's." })
  recipient_email: string | null;

  @CurrencyColumn({ required: true, description: 'ISO 4217 code.' })
  currency: string;

  @DateColumn({ description: "Default: today, in the workspace's time zone." })
  issue_date: string;

  @DateColumn({
    description:
      "The last day on which it can be accepted, in the workspace's time zone. Default: 30 days after issue.",
  })
  valid_until: string;

  @EnumColumn(TAX_MODES, { default: 'exclusive', description: 'Whether prices are without tax, or contain it.' })
  tax_mode: OneOf<typeof TAX_MODES>;

  @JsonColumn({
    nullable,
    rules: [Type(() => QuoteDiscount), IsObject(), ValidateNested()],
    api: { allOf: [{ $ref: getSchemaPath(QuoteDiscount) }] },
    description:
      'On the whole quote, shared out to its items. It takes prices as they are given, and never more than 100 %.',
  })
  discount: Discount | null;

  @AmountColumn({ readOnly, default: 0, description: 'Of the items, after their own discounts, without tax.' })
  subtotal: number;

  @AmountColumn({ readOnly, default: 0, description: 'What `discount` takes off, without tax.' })
  discount_total: number;

  @AmountColumn({ readOnly, default: 0 })
  tax_total: number;

  @AmountColumn({ readOnly, default: 0, description: '`subtotal` - `discount_total` + `tax_total`, exactly.' })
  total: number;

  @TextColumn({ max: MAX_TEXT, nullable, example: 'Payment within 30 days.' })
  terms: string | null;

  @TextColumn({ max: MAX_TEXT, nullable, description: 'For the customer, below the totals.' })
  notes: string | null;

  @TextColumn({ max: 2_000, nullable, description: 'Above the items.' })
  header: string | null;

  @TextColumn({ max: 500, nullable, description: 'At the foot of each page.' })
  footer: string | null;

  @IntegerColumn({ min: 1, default: 1, readOnly })
  revision: number;

  @ReferenceColumn('quotes', { nullable, readOnly, description: 'The quote that this one replaces.' })
  revision_of_id: number | null;

  @ComputedColumn(
    { type: 'integer', format: 'int64', description: 'The quote that replaces this one.' },
    (quote) =>
      `(SELECT r.id FROM quotes r WHERE r.workspace_id = ${quote}.workspace_id AND r.revision_of_id = ${quote}.id)`,
    nullable,
  )
  revised_by_id: Computed<number | null>;

  @StringColumn({
    max: 2_048,
    nullable,
    readOnly,
    description: 'Page on which the customer reads and answers the quote; once it was sent. Whoever has it may answer.',
  })
  public_url: string | null;

  @TimestampColumn({ nullable, readOnly })
  sent_at: string | null;

  @TimestampColumn({ nullable, readOnly, description: 'When the customer opened it for the first time.' })
  viewed_at: string | null;

  @TimestampColumn({ nullable, readOnly })
  accepted_at: string | null;

  @TimestampColumn({ nullable, readOnly })
  rejected_at: string | null;

  @TimestampColumn({
    nullable,
    readOnly,
    shownAs: (quote) =>
      `CASE WHEN ${isOver(quote)} THEN ${timestampText(`${quote}.expires_at`)} ELSE ${timestampText(`${quote}.expired_at`)} END`,
  })
  expired_at: string | null;

  @TimestampColumn({ nullable, readOnly })
  cancelled_at: string | null;

  @StringColumn({ max: 2_000, nullable, readOnly })
  rejection_reason: string | null;

  @JsonColumn({
    nullable,
    readOnly,
    api: { type: () => AcceptedBy },
    description: 'Who accepted it; with the address it came from where that was on the public page.',
  })
  accepted_by: AcceptedBy | null;

  /** The moment from which an open quote has expired: the end of `valid_until`, fixed when it is sent. */
  @Column({ type: 'timestamptz', precision: 3, nullable })
  expires_at: string | null;

  /** Who it is from and to, as it was when it was sent. */
  @Column({ type: 'jsonb', nullable })
  parties: Parties | null;
}
