import { PartialType } from '@nestjs/swagger';
import { BodyOf, MembersOf } from '../../../platform/columns/bodies';
import { ReportSchedule } from './report-schedule.entity';

const writable = [
  'name',
  'report',
  'group_by',
  'period',
  'schedule',
  'format',
  'recipients',
  'is_active',
  'external_id',
  'custom_fields',
] as const;

@BodyOf(ReportSchedule, writable)
export class CreateReportSchedule extends MembersOf(ReportSchedule, writable, ['name', 'report', 'recipients']) {}

@BodyOf(ReportSchedule, writable)
export class UpdateReportSchedule extends PartialType(CreateReportSchedule, { skipNullProperties: false }) {}
