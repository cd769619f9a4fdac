import { Type } from 'class-transformer';
import { IsObject, IsUrl, ValidateNested } from 'class-validator';
import { getSchemaPath } from '@nestjs/swagger';
import { Entity } from 'typeorm';
import { SCHEDULE, type Schedule } from '../../platform/calendar/schedule';
import { IsLanguageTag, IsTimeZoneName } from '../../platform/columns/column-validators';
import {
  ComputedColumn,
  EmailColumn,
  EnumColumn,
  IntegerColumn,
  JsonColumn,
  ReferenceColumn,
  ReferencesColumn,
  StringColumn,
  StringsColumn,
  TextColumn,
  TimestampColumn,
} from '../../platform/columns/columns';
import { REACHES } from '../../platform/context/access';
import { BUILT_IN_ROLES } from '../../platform/context/permission-table';
import { ResourceEntity } from '../../platform/resource/resource-entity';
import { counterTotal } from '../../platform/counters/counter-sql';
import { objectOf } from '../../platform/validation/shapes';
import { NotificationPreferences, USUAL } from './notices/notification-preferences';
import { type Absence, OutOfOffice } from './out-of-office';
import { availabilities, userSources, userStatuses } from './user-states';
import type { Computed, OneOf } from '../../platform/resource/rows';

/** Teams that a user may be in. */
export const MAX_TEAMS = 100;

/** An agent. Users are never erased, only deactivated: tickets keep their history. */
@Entity('users')
export class User extends ResourceEntity {
  @StringColumn({ required: true, max: 120, example: 'Ines Ortega' })
  name: string;

  @EmailColumn({ required: true, description: 'Unique in the workspace.', example: 'ines.ortega@acme.example' })
  email: string;

  @EnumColumn(BUILT_IN_ROLES, { default: 'agent', description: 'Nobody gives or takes rights that they do not have.' })
  role: OneOf<typeof BUILT_IN_ROLES>;

  @ReferenceColumn('roles', {
    nullable: true,
    description: 'A custom role, whose permissions take the place of those of `role`; not of owners and admins.',
  })
  role_id: number | null;

  @EnumColumn(userStatuses, { default: 'active' })
  status: OneOf<typeof userStatuses>;

  @StringColumn({ max: 120, nullable: true, example: 'Support engineer' })
  title: string | null;

  @StringColumn({ max: 50, nullable: true, example: '+49 30 901820' })
  phone: string | null;

  @IsUrl({ protocols: ['http', 'https'], require_protocol: true })
  @StringColumn({ max: 2_048, nullable: true, example: 'https://cdn.acme.example/ines.png' })
  avatar_url: string | null;

  @TextColumn({
    max: 5_000,
    nullable: true,
    description: 'Markdown: what stands below mail to customers that the user wrote.',
    example: 'Ines Ortega\nSecond line · +49 30 901820',
  })
  signature: string | null;

  @IsTimeZoneName()
  @StringColumn({ max: 64, description: 'IANA name; that of the workspace unless given.', example: 'Europe/Berlin' })
  timezone: string;

  @IsLanguageTag()
  @StringColumn({ max: 35, default: 'en', description: 'BCP 47 tag.', example: 'de-AT' })
  locale: string;

  @ReferencesColumn('teams', { max: MAX_TEAMS, example: [1] })
  team_ids: number[];

  @StringsColumn({ maxItems: 50, maxLength: 50, lowerCase: true, example: ['billing', 'networking'] })
  skills: string[];

  @EnumColumn(REACHES, {
    default: 'all',
    description:
      'Which tickets the user sees and works on: all, those of their teams and their own, or those assigned to them.',
  })
  ticket_scope: OneOf<typeof REACHES>;

  @EnumColumn(availabilities, { default: 'offline' })
  availability: OneOf<typeof availabilities>;

  @TimestampColumn({ readOnly: true, nullable: true })
  availability_changed_at: string | null;

  @JsonColumn({
    nullable: true,
    description: 'While away, tickets assigned to the user go to the replacement.',
    rules: [Type(() => OutOfOffice), IsObject(), ValidateNested()],
    api: { allOf: [{ $ref: getSchemaPath(OutOfOffice) }] },
  })
  out_of_office: Absence | null;

  @JsonColumn({
    ...SCHEDULE,
    nullable: true,
    description: 'Hours in which the user can be met; Monday to Friday, 9 to 17 in their time zone, unless given.',
  })
  schedule: Schedule | null;

  @JsonColumn({
    default: USUAL,
    shape: objectOf(NotificationPreferences),
    description: 'What the user wants to be told by mail, and when. A change names all that is other than usual.',
    example: { assigned: 'mail', replied: 'mail', quiet_hours: { from: '20:00', to: '08:00' } },
  })
  notifications: NotificationPreferences;

  @IntegerColumn({ min: 0, max: 100_000, nullable: true })
  max_open_tickets: number | null;

  @EnumColumn(userSources, { default: 'local', readOnly: true })
  source: OneOf<typeof userSources>;

  @ReferenceColumn('directory_users', { readOnly: true, nullable: true, description: 'The user of the directory.' })
  directory_user_id: number | null;

  @ReferenceColumn('users', { nullable: true, description: 'Escalations without another target go to the manager.' })
  manager_id: number | null;

  @TimestampColumn({ readOnly: true, nullable: true })
  last_login_at: string | null;

  @ComputedColumn({ type: 'integer', description: 'Tickets assigned to the user that are not resolved.' }, (user) =>
    counterTotal(user, 'tickets', [`IN ('open', 'in_progress', 'on_hold')`, null, `= ${user}.id::text`]),
  )
  open_ticket_count: Computed<number>;
}
