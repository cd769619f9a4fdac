import { PartialType } from '@nestjs/swagger';
import { BodyOf, MembersOf } from '../../platform/columns/bodies';
import { Automation } from './automation.entity';

const writable = [
  'name',
  'description',
  'is_active',
  'position',
  'stop_processing',
  'trigger',
  'conditions',
  'actions',
  'run_once_per_ticket',
  'delay_minutes',
  'only_in_business_hours',
  'external_id',
  'custom_fields',
] as const;

@BodyOf(Automation, writable)
export class CreateAutomation extends MembersOf(Automation, writable, ['name', 'trigger', 'actions']) {}

@BodyOf(Automation, writable)
export class UpdateAutomation extends PartialType(CreateAutomation, { skipNullProperties: false }) {}
