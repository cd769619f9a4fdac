import { IsISO31661Alpha2, IsUrl } from 'class-validator';
import { Entity } from 'typeorm';
import { AmountColumn, CurrencyColumn } from '../../../platform/money/currency';
import { flatObjectSchema, IsFlatObject } from '../../../platform/columns/column-validators';
import {
  DateColumn,
  EmailColumn,
  EnumColumn,
  IntegerColumn,
  JsonColumn,
  ReferenceColumn,
  StringColumn,
  TagsColumn,
  TextColumn,
  TimestampColumn,
} from '../../../platform/columns/columns';
import { ResourceEntity } from '../../../platform/resource/resource-entity';
import { CRM_SOURCES, LEAD_RATINGS } from '../crm-values';
import { LEAD_STATUSES } from './lead-states';
import type { OneOf } from '../../../platform/resource/rows';

const readOnly = true;
const nullable = true;

/** Somebody who may become a customer: product reference 1.14. */
@Entity('leads')
export class Lead extends ResourceEntity {
  @StringColumn({ required: true, max: 255, description: 'A person, or an opportunity.', example: 'Grace Hopper' })
  name: string;

  @EmailColumn({
    nullable,
    description: 'One of `email`, `phone`, `company_name`, `company_id` and `contact_id` must be given.',
    example: 'grace.hopper@navy.example',
  })
  email: string | null;

  @StringColumn({ nullable, max: 50, example: '+1 202 555 0142' })
  phone: string | null;

  @StringColumn({ nullable, max: 255, example: 'Navy Computing' })
  company_name: string | null;

  @ReferenceColumn('companies', { nullable })
  company_id: number | null;

  @ReferenceColumn('contacts', { nullable })
  contact_id: number | null;

  @StringColumn({ nullable, max: 120, example: 'Head of Computing' })
  job_title: string | null;

  @IsUrl({ protocols: ['http', 'https'], require_protocol: true })
  @StringColumn({ nullable, max: 2_048, example: 'https://www.navy.example' })
  website: string | null;

  @EnumColumn(CRM_SOURCES, { default: 'api' })
  source: OneOf<typeof CRM_SOURCES>;

  @EnumColumn(LEAD_STATUSES, { default: 'new', description: '`converted` is set by converting the lead.' })
  status: OneOf<typeof LEAD_STATUSES>;

  @ReferenceColumn('users', { nullable, description: 'An active user; the user of the token unless given.' })
  owner_id: number | null;

  @IntegerColumn({ min: 0, max: 100, default: 0, example: 60 })
  score: number;

  @EnumColumn(LEAD_RATINGS, { nullable })
  rating: OneOf<typeof LEAD_RATINGS> | null;

  @AmountColumn({ nullable, example: 12_000 })
  estimated_value: number | null;

  @CurrencyColumn()
  currency: string;

  @DateColumn({ nullable, example: '2027-03-31' })
  expected_close_date: string | null;

  @StringColumn({ nullable, max: 120, example: 'Defence' })
  industry: string | null;

  @IntegerColumn({ nullable, min: 0, example: 250 })
  employee_count: number | null;

  @IsISO31661Alpha2()
  @StringColumn({
    nullable,
    max: 2,
    pattern: /^[A-Z]{2}$/,
    description: 'ISO 3166-1 alpha-2.',
    example: 'US',
    written: (code) => code.toUpperCase(),
  })
  country: string | null;

  @TextColumn({ nullable, max: 20_000 })
  notes: string | null;

  @TagsColumn({ example: 'trade-fair,2026' })
  tags: string;

  @StringColumn({ nullable, max: 1_000, description: 'Needed by `unqualified`, possible for `junk`, else null.' })
  lost_reason: string | null;

  @ReferenceColumn('tickets', { nullable, description: 'The ticket that the lead came from.' })
  source_ticket_id: number | null;

  @TimestampColumn({ nullable })
  last_contacted_at: string | null;

  @TimestampColumn({ nullable, readOnly })
  converted_at: string | null;

  @ReferenceColumn('deals', { nullable, readOnly })
  converted_deal_id: number | null;

  @JsonColumn({
    default: {},
    rules: [IsFlatObject()],
    api: {
      ...flatObjectSchema,
      description: 'Campaign parameters, flat.',
      example: { source: 'newsletter', campaign: 'spring' },
    },
  })
  utm: Record<string, unknown>;
}
