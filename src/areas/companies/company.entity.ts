import { getSchemaPath } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsFQDN, IsObject, IsUrl, ValidateNested } from 'class-validator';
import { Entity } from 'typeorm';
import {
  BooleanColumn,
  ComputedColumn,
  DateColumn,
  EmailColumn,
  EnumColumn,
  IntegerColumn,
  JsonColumn,
  ReferenceColumn,
  StringColumn,
  StringsColumn,
  TagsColumn,
  TextColumn,
} from '../../platform/columns/columns';
import { ResourceEntity } from '../../platform/resource/resource-entity';
import { counterTotal } from '../../platform/counters/counter-sql';
import { Address } from './address';
import { IsOwnDomain } from './company-domains';
import type { Computed, OneOf } from '../../platform/resource/rows';

export const companySizes = ['1-10', '11-50', '51-200', '201-500', '501-1000', '1000+'] as const;
export const companyTiers = ['standard', 'silver', 'gold', 'platinum'] as const;
export const companyStatuses = ['active', 'inactive', 'prospect'] as const;

/** A customer organisation. Its domains tell which company a new requester belongs to. */
@Entity('companies')
export class Company extends ResourceEntity {
  @StringColumn({ required: true, max: 255, description: 'Unique in the workspace, case aside.', example: 'Acme GmbH' })
  name: string;

  @IsOwnDomain()
  @IsFQDN({}, { each: true })
  @StringsColumn({ maxItems: 50, maxLength: 253, lowerCase: true, example: ['acme.example'] })
  domains: string[];

  @EmailColumn({ nullable: true, example: 'office@acme.example' })
  email: string | null;

  @StringColumn({ max: 50, nullable: true, example: '+49 30 901820' })
  phone: string | null;

  @IsUrl({ protocols: ['http', 'https'], require_protocol: true })
  @StringColumn({ max: 2_048, nullable: true, example: 'https://www.acme.example' })
  website: string | null;

  @StringColumn({ max: 120, nullable: true, example: 'Manufacturing' })
  industry: string | null;

  @EnumColumn(companySizes, { nullable: true, description: 'Number of employees.' })
  size: OneOf<typeof companySizes> | null;

  @EnumColumn(companyTiers, { default: 'standard' })
  tier: OneOf<typeof companyTiers>;

  @BooleanColumn({ default: false })
  is_vip: boolean;

  @EnumColumn(companyStatuses, { default: 'active' })
  status: OneOf<typeof companyStatuses>;

  @ReferenceColumn('users', { nullable: true })
  account_manager_id: number | null;

  @ReferenceColumn('sla_policies', { nullable: true, description: 'Wins over the policy that would match a ticket.' })
  sla_policy_id: number | null;

  @JsonColumn({
    nullable: true,
    rules: [Type(() => Address), IsObject(), ValidateNested()],
    api: { allOf: [{ $ref: getSchemaPath(Address) }] },
  })
  address: Address | null;

  @StringColumn({ max: 64, nullable: true, example: 'DE811234567' })
  tax_id: string | null;

  @TextColumn({ max: 20_000, nullable: true })
  notes: string | null;

  @IntegerColumn({ min: 0, max: 100, nullable: true, example: 80 })
  health_score: number | null;

  @DateColumn({ nullable: true, example: '2027-01-31' })
  renewal_date: string | null;

  @TagsColumn({ example: 'emea,manufacturing' })
  tags: string;

  @ComputedColumn({ type: 'integer' }, (company) =>
    counterTotal(company, 'contacts_by_company', [`= ${company}.id::text`, null, null]),
  )
  contact_count: Computed<number>;

  @ComputedColumn({ type: 'integer', description: 'Tickets of the company that are not resolved.' }, (company) =>
    counterTotal(company, 'tickets_by_company', [
      `= ${company}.id::text`,
      `IN ('open', 'in_progress', 'on_hold')`,
      null,
    ]),
  )
  open_ticket_count: Computed<number>;
}
