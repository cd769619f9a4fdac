import { PartialType } from '@nestjs/swagger';
import { BodyOf, MembersOf } from '../../../platform/columns/bodies';
import { MeetingType } from './meeting-type.entity';

const writable = [
  'name',
  'slug',
  'description',
  'duration_minutes',
  'slot_interval_minutes',
  'buffer_before_minutes',
  'buffer_after_minutes',
  'minimum_notice_minutes',
  'booking_window_days',
  'max_per_day',
  'location_type',
  'requires_confirmation',
  'scheduling',
  'host_ids',
  'schedule',
  'seats',
  'color',
  'is_active',
  'external_id',
  'custom_fields',
] as const;

@BodyOf(MeetingType, writable)
export class CreateMeetingType extends MembersOf(MeetingType, writable, ['name', 'duration_minutes']) {}

@BodyOf(MeetingType, writable)
export class UpdateMeetingType extends PartialType(CreateMeetingType, { skipNullProperties: false }) {}
