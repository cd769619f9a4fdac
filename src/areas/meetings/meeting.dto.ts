import { OmitType, PartialType } from '@nestjs/swagger';
import { BodyOf, MembersOf } from '../../platform/columns/bodies';
import type { Attendee } from './attendee';
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

/** A booking: what a body says of its attendees need not be all that is stored of them. */
export type Booking = Omit<CreateMeeting, 'attendees'> & { attendees?: readonly Attendee[] };

@BodyOf(Meeting, writable)
export class UpdateMeeting extends PartialType(OmitType(CreateMeeting, ['type_id']), { skipNullProperties: false }) {}
