import { getSchemaPath } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayUnique, IsArray, IsInt, IsUrl, Max, Min, ValidateNested } from 'class-validator';
import { Column, Entity } from 'typeorm';
import { IsTimeZoneName } from '../../platform/columns/column-validators';
import {
  BooleanColumn,
  EnumColumn,
  IntegerColumn,
  JsonColumn,
  ReferenceColumn,
  ReferencesColumn,
  StringColumn,
  TextColumn,
  TimestampColumn,
} from '../../platform/columns/columns';
import { ResourceEntity } from '../../platform/resource/resource-entity';
import { Attendee, type Guest } from './attendee';
import { LOCATION_TYPES, MAX_DURATION, MEETING_STATUSES } from './meeting-values';
import type { OneOf } from '../../platform/resource/rows';

/** An appointment of a host with attendees. Meetings are cancelled, never erased. Product reference 1.13. */
@Entity('meetings')
export class Meeting extends ResourceEntity {
  @StringColumn({ min: 1, max: 255, description: 'The name of the type unless given.', example: 'Onboarding call' })
  title: string;

  @ReferenceColumn('meeting_types', { nullable: true, description: 'What was booked; set once.' })
  type_id: number | null;

  @TextColumn({ max: 20_000, nullable: true })
  description: string | null;

  @TimestampColumn({ required: true, example: '2030-06-03T09:00:00.000Z' })
  starts_at: string;

  @TimestampColumn({ description: 'Or say `duration_minutes`.' })
  ends_at: string;

  @IntegerColumn({ min: 1, max: MAX_DURATION, description: 'Of the type, else 30, unless given.', example: 30 })
  duration_minutes: number;

  @IsTimeZoneName()
  @StringColumn({ max: 64, description: 'IANA name, for people; that of the host unless given.' })
  timezone: string;

  @EnumColumn(MEETING_STATUSES, { description: '`scheduled`, or `pending` where the type wants confirmation.' })
  status: OneOf<typeof MEETING_STATUSES>;

  @ReferenceColumn('users', {
    description: 'The user of the token; else who of the hosts of the type (or of all users) is free.',
  })
  host_id: number;

  @ReferencesColumn('users', { readOnly: true, description: 'Everybody whose time it takes.' })
  host_ids: number[];

  @JsonColumn({
    default: [],
    rules: [Type(() => Attendee), IsArray(), ArrayMaxSize(100), ValidateNested({ each: true })],
    api: { type: 'array', maxItems: 100, items: { $ref: getSchemaPath(Attendee) } },
    example: [{ email: 'paul.weber@acme.example', name: 'Paul Weber' }],
  })
  attendees: Guest[];

  @EnumColumn(LOCATION_TYPES, { description: 'Of the type, else `video`, unless given.' })
  location_type: OneOf<typeof LOCATION_TYPES>;

  @StringColumn({ max: 500, nullable: true, example: 'Room 4' })
  location: string | null;

  @IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false })
  @StringColumn({ max: 2_048, nullable: true, example: 'https://video.acme.example/r/42' })
  meeting_url: string | null;

  @ReferenceColumn('tickets', { nullable: true })
  ticket_id: number | null;

  @ReferenceColumn('companies', { nullable: true })
  company_id: number | null;

  @ReferenceColumn('contacts', { nullable: true })
  contact_id: number | null;

  @ReferenceColumn('leads', { nullable: true })
  lead_id: number | null;

  @ReferenceColumn('deals', { nullable: true })
  deal_id: number | null;

  @StringColumn({ max: 1_000, nullable: true, description: 'Also of a rejection.' })
  cancellation_reason: string | null;

  @ReferenceColumn('users', { readOnly: true, nullable: true, description: 'Who cancelled or rejected it.' })
  cancelled_by: number | null;

  @IntegerColumn({ readOnly: true, default: 0 })
  rescheduled_count: number;

  @TimestampColumn({ readOnly: true, nullable: true, description: 'Before it was last moved.' })
  previous_starts_at: string | null;

  @StringColumn({ max: 255, readOnly: true })
  ical_uid: string;

  @IntegerColumn({ readOnly: true, default: 0 })
  ical_sequence: number;

  @TextColumn({ max: 20_000, nullable: true, description: 'Never shown to attendees.' })
  internal_notes: string | null;

  @TextColumn({ max: 20_000, nullable: true })
  outcome_notes: string | null;

  @JsonColumn({
    default: [1_440, 60],
    rules: [
      IsArray(),
      ArrayMaxSize(10),
      ArrayUnique(),
      IsInt({ each: true }),
      Min(0, { each: true }),
      Max(43_200, { each: true }),
    ],
    api: { type: 'array', maxItems: 10, items: { type: 'integer', minimum: 0, maximum: 43_200 } },
    description: 'Minutes before the start.',
  })
  reminders: number[];

  @BooleanColumn({ readOnly: true, default: false, description: 'Booked although the time was not free.' })
  forced: boolean;

  /** For the filter. */
  @Column({ type: 'text', array: true, default: [] })
  attendee_emails: string[];

  @Column({ type: 'integer', default: 0 })
  buffer_before_minutes: number;

  @Column({ type: 'integer', default: 0 })
  buffer_after_minutes: number;

  /** When it was first said to have taken place, or not. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  concluded_at: string | null;
}
