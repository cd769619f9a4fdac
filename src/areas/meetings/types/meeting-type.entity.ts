import { Entity } from 'typeorm';
import { SCHEDULE, type Schedule } from '../../../platform/calendar/schedule';
import {
  BooleanColumn,
  EnumColumn,
  IntegerColumn,
  JsonColumn,
  ReferencesColumn,
  StringColumn,
  TextColumn,
} from '../../../platform/columns/columns';
import { ResourceEntity } from '../../../platform/resource/resource-entity';
import { LOCATION_TYPES, MAX_BUFFER, MAX_HOSTS, SCHEDULINGS } from '../meeting-values';
import type { OneOf } from '../../../platform/resource/rows';

/** A kind of meeting that can be booked: how long, with whom, when. Product reference 1.13. */
@Entity('meeting_types')
export class MeetingType extends ResourceEntity {
  @StringColumn({ required: true, max: 120, example: 'Product demo' })
  name: string;

  @StringColumn({
    min: 1,
    max: 80,
    pattern: /^[a-z0-9]+(-[a-z0-9]+)*$/,
    description: 'Unique; made of the name unless given.',
  })
  slug: string;

  @TextColumn({ max: 5_000, nullable: true })
  description: string | null;

  @IntegerColumn({ required: true, min: 5, max: 480, example: 45 })
  duration_minutes: number;

  @IntegerColumn({
    min: 5,
    max: 480,
    nullable: true,
    description: 'Minutes from one possible start to the next; null: as long as the meeting.',
  })
  slot_interval_minutes: number | null;

  @IntegerColumn({ min: 0, max: MAX_BUFFER, default: 0, description: 'Minutes kept free before.' })
  buffer_before_minutes: number;

  @IntegerColumn({ min: 0, max: MAX_BUFFER, default: 0, description: 'Minutes kept free after.' })
  buffer_after_minutes: number;

  @IntegerColumn({ min: 0, max: 525_600, default: 120, description: 'Not bookable later than this before the start.' })
  minimum_notice_minutes: number;

  @IntegerColumn({ min: 1, max: 730, default: 60, description: 'Not bookable further ahead than this.' })
  booking_window_days: number;

  @IntegerColumn({
    min: 1,
    max: 100,
    nullable: true,
    description: 'Most meetings of this type per host and day; null: as many as fit.',
  })
  max_per_day: number | null;

  @EnumColumn(LOCATION_TYPES, { default: 'video' })
  location_type: OneOf<typeof LOCATION_TYPES>;

  @BooleanColumn({ default: false, description: 'Bookings are `pending` until they are confirmed.' })
  requires_confirmation: boolean;

  @EnumColumn(SCHEDULINGS, {
    default: 'single',
    description:
      '`single`: the first host of the list who is free; `round_robin`: who has had the fewest; `collective`: all hosts together.',
  })
  scheduling: OneOf<typeof SCHEDULINGS>;

  @ReferencesColumn('users', {
    max: MAX_HOSTS,
    description: 'Who can be booked, in order; none: any active user.',
  })
  host_ids: number[];

  @JsonColumn({
    ...SCHEDULE,
    nullable: true,
    description: 'When it can take place; null: in the hours that each host keeps.',
  })
  schedule: Schedule | null;

  @IntegerColumn({
    min: 1,
    max: 100,
    default: 1,
    description: 'Attendees who can share one meeting: with more than one, a booking joins the meeting of its slot.',
  })
  seats: number;

  @StringColumn({ max: 7, nullable: true, pattern: /^#[0-9a-fA-F]{6}$/, example: '#2563eb' })
  color: string | null;

  @BooleanColumn({ default: true, description: 'Only active types can be booked.' })
  is_active: boolean;
}
