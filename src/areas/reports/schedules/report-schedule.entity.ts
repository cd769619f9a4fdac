import { Column, Entity } from 'typeorm';
import {
  BooleanColumn,
  EnumColumn,
  ReferenceColumn,
  StringColumn,
  StringsColumn,
  TimestampColumn,
} from '../../../platform/columns/columns';
import { ResourceEntity } from '../../../platform/resource/resource-entity';
import type { OneOf } from '../../../platform/resource/rows';
import { REPORT_KINDS } from '../report-kinds';
import { MOST_GROUPS } from '../report-groups';
import { MAX_SCHEDULE, PERIODS } from './report-moments';

export const FORMATS = ['csv', 'xlsx'] as const;

const readOnly = true;
const nullable = true;

/** A report that is sent by mail, again and again. */
@Entity('report_schedules')
export class ReportSchedule extends ResourceEntity {
  @StringColumn({ required: true, max: 120, example: 'Promises of the week' })
  name: string;

  @EnumColumn(REPORT_KINDS, { required: true, example: 'sla' })
  report: OneOf<typeof REPORT_KINDS>;

  @StringsColumn({
    maxItems: MOST_GROUPS,
    maxLength: 20,
    description: 'As `group_by` of the report; empty = what it has by itself.',
  })
  group_by: string[];

  @EnumColumn(PERIODS, {
    default: 'last_7_days',
    description: "Whole days of the workspace's time zone before the mail.",
  })
  period: OneOf<typeof PERIODS>;

  @StringColumn({
    max: MAX_SCHEDULE,
    min: 1,
    default: 'weekly',
    example: '30 7 * * 1-5',
    description:
      "`daily`, `weekly` (Mondays) or `monthly` at six, or a cron expression of five fields whose minute is a number, by the workspace's clocks.",
  })
  schedule: string;

  @EnumColumn(FORMATS, { default: 'csv' })
  format: OneOf<typeof FORMATS>;

  @StringsColumn({
    required: true,
    maxItems: 20,
    maxLength: 254,
    email: true,
    lowerCase: true,
    example: ['lead@example.com'],
  })
  recipients: string[];

  @BooleanColumn({ default: true })
  is_active: boolean;

  @ReferenceColumn('users', {
    nullable,
    readOnly,
    description:
      'Who made or last changed it: it tells what they see and is sent for as long as they may. null = a token of no user, who sees all.',
  })
  owner_id: number | null;

  @TimestampColumn({ nullable, readOnly })
  last_sent_at: string | null;

  @TimestampColumn({ nullable, readOnly, description: 'null while it is not active.' })
  next_send_at: string | null;

  /** When it is due next; ahead of `next_send_at` while the mail of that moment is being made. */
  @Column({ type: 'timestamptz', precision: 3, nullable })
  due_at: string | null;

  /** The moment whose mail is being made, or was made last. */
  @Column({ type: 'timestamptz', precision: 3, nullable })
  taken_at: string | null;
}
