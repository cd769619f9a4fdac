import { PartialType } from '@nestjs/swagger';
import { BodyOf, MembersOf } from '../../platform/columns/bodies';
import { WorkSchedule } from './schedule.entity';

const writable = [
  'name',
  'description',
  'timezone',
  'weekly',
  'holidays',
  'is_default',
  'external_id',
  'custom_fields',
] as const;

@BodyOf(WorkSchedule, writable)
export class CreateSchedule extends MembersOf(WorkSchedule, writable, ['name']) {}

@BodyOf(WorkSchedule, writable)
export class UpdateSchedule extends PartialType(CreateSchedule, { skipNullProperties: false }) {}
