import { PartialType } from '@nestjs/swagger';
import { FlagParameter } from '../../platform/query/members';
import { BodyOf, MembersOf } from '../../platform/columns/bodies';
import { Company } from './company.entity';

const writable = [
  'name',
  'domains',
  'email',
  'phone',
  'website',
  'industry',
  'size',
  'tier',
  'is_vip',
  'status',
  'account_manager_id',
  'sla_policy_id',
  'address',
  'tax_id',
  'notes',
  'health_score',
  'renewal_date',
  'tags',
  'external_id',
  'custom_fields',
] as const;

@BodyOf(Company, writable)
export class CreateCompany extends MembersOf(Company, writable, ['name']) {}

@BodyOf(Company, writable)
export class UpdateCompany extends PartialType(CreateCompany, { skipNullProperties: false }) {}

/** Parameters of `DELETE /companies/{id}`. */
export class RemoveCompany {
  @FlagParameter({ description: '`true` deletes a company that still has open tickets.' })
  force?: boolean;
}
