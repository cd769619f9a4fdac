import { PartialType } from '@nestjs/swagger';
import { BodyOf, MembersOf } from '../../../platform/columns/bodies';
import { Deal } from './deal.entity';

const writable = [
  'title',
  'value',
  'currency',
  'pipeline_id',
  'stage_id',
  'status',
  'probability',
  'company_id',
  'contact_id',
  'owner_id',
  'lead_id',
  'ticket_id',
  'expected_close_date',
  'lost_reason',
  'next_step',
  'priority',
  'source',
  'notes',
  'tags',
  'position',
  'external_id',
  'custom_fields',
] as const;

@BodyOf(Deal, writable)
export class CreateDeal extends MembersOf(Deal, writable, ['title']) {}

@BodyOf(Deal, writable)
export class UpdateDeal extends PartialType(CreateDeal, { skipNullProperties: false }) {}
