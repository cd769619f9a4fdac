import { OmitType, PartialType } from '@nestjs/swagger';
import { BodyOf, MembersOf } from '../../platform/resource/resource-entity';
import { Meeting } from './meeting.entity';

const writable = [
  'title',
  'description',
  'starts_at',
  'ends_at',
  'duration_minutes',
  'timezone',
  'status',
  'host_id',
  'attendees',
  'location_type',
  'location',
  'meeting_url',
  'ticket_id',
  'company_id',
  'contact_id',
  'lead_id',
  'deal_id',
  'cancellation_reason',
  'internal_notes',
  'outcome_notes',
  'reminders',
  'external_id',
  'custom_fields',
] as const;

const bookable = ['title', 'type_id', ...writable.slice(1)] as const;

@BodyOf(Meeting, bookable)
export class CreateMeeting extends MembersOf(Meeting, ['type_id', ...writable], ['starts_at']) {}

@BodyOf(Meeting, writable)
export class UpdateMeeting extends PartialType(OmitType(CreateMeeting, ['type_id']), { skipNullProperties: false }) {}
