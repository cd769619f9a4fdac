import { Entity } from 'typeorm';
import {
  HasWorkingTime,
  type Holiday,
  holidayList,
  type WeeklyHours,
  weeklyHours,
} from '../../platform/calendar/schedule';
import { IsTimeZoneName } from '../../platform/columns/column-validators';
import { BooleanColumn, JsonColumn, StringColumn } from '../../platform/columns/columns';
import { ResourceEntity } from '../../platform/resource/resource-entity';

const OFFICE = [['09:00', '17:00']] as const;

/** What a schedule has unless it says otherwise. */
const OFFICE_HOURS: WeeklyHours = { mon: OFFICE, tue: OFFICE, wed: OFFICE, thu: OFFICE, fri: OFFICE };

/** Business hours and holidays under a name: what follows one by its id changes with it. */
@Entity('schedules')
export class WorkSchedule extends ResourceEntity {
  @StringColumn({ required: true, max: 120, description: 'Unique.', example: 'Berlin office' })
  name: string;

  @StringColumn({ max: 2_000, nullable: true })
  description: string | null;

  @IsTimeZoneName()
  @StringColumn({ max: 64, description: 'IANA name; that of the workspace unless given.', example: 'Europe/Berlin' })
  timezone: string;

  @HasWorkingTime()
  @JsonColumn({
    default: OFFICE_HOURS,
    shape: weeklyHours(),
    description:
      'Intervals by day, each from its start to its end, which is excluded; a day that is not named has none.',
    example: { mon: [['09:00', '13:00'], ['14:00', '18:00']], tue: [['09:00', '17:30']], fri: [['09:00', '24:00']] }, // prettier-ignore
  })
  weekly: WeeklyHours;

  @JsonColumn({
    default: [],
    shape: holidayList(),
    description: 'Dates without work, in order, each once. A change names them all; see the import, too.',
    example: [{ date: '2026-12-25', name: 'Christmas Day', recurring: true }],
  })
  holidays: Holiday[];

  @BooleanColumn({
    default: false,
    description: 'New SLA policies that name no hours follow it. Setting it takes it from the other.',
  })
  is_default: boolean;
}
