import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsIn, Matches } from 'class-validator';
import { DateTime } from 'luxon';
import { IfGiven, objectOf, Shaped } from '../../../platform/validation/shapes';

/** How a user is told of something. */
export const CHANNELS = ['mail', 'none'] as const;

type Channel = (typeof CHANNELS)[number];

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

function Told(description: string): PropertyDecorator {
  return (prototype, key) => {
    IfGiven()(prototype, key);
    IsIn(CHANNELS)(prototype, key);
    ApiProperty({ type: 'string', enum: [...CHANNELS], required: false, description })(prototype, key);
  };
}

/** A time of each day, in the zone of the user; passes midnight where it ends earlier than it begins. */
export class QuietHours {
  @ApiProperty({ type: 'string', required: true, example: '20:00' })
  @Matches(TIME)
  from: string;

  @ApiProperty({ type: 'string', required: true, description: 'Excluded.', example: '08:00' })
  @Matches(TIME)
  to: string;
}

/** What a user wants to be told, and when. Members that are left out take their defaults. */
export class NotificationPreferences {
  @Told('Tickets that somebody else assigned to them. Default `mail`.')
  assigned?: Channel;

  @Told('Answers of requesters. Default `none`.')
  replied?: Channel;

  @Told('Targets of an SLA policy that are at risk or missed. Default `none`.')
  sla?: Channel;

  @Told('What automations tell users (`notify`). Default `mail`.')
  automations?: Channel;

  @Told('Notes on tickets and messages of channels that name them (`@name`). Default `mail`.')
  mentioned?: Channel;

  @Told('Comments on tickets that they follow, and what becomes of those. Default `mail`.')
  followed?: Channel;

  @ApiProperty({
    type: 'boolean',
    required: false,
    description:
      'Tell of their own tickets alone; otherwise of those of their teams, too, that nobody has. Default `true`.',
  })
  @IfGiven()
  @IsBoolean()
  only_mine?: boolean;

  @Shaped(objectOf(QuietHours), {
    optional: true,
    nullable: true,
    description: 'Mail waits until they are over.',
  })
  quiet_hours?: QuietHours | null;
}

/** The same as plain data. */
export type Preferences = Pick<NotificationPreferences, keyof NotificationPreferences>;

/** What holds where nothing else is said; new users of the database have the same. */
export const USUAL: Required<Preferences> = {
  assigned: 'mail',
  replied: 'none',
  sla: 'none',
  automations: 'mail',
  mentioned: 'mail',
  followed: 'mail',
  only_mine: true,
  quiet_hours: null,
};

/**
 * When quiet hours that hold now are over; null when none hold. Moments in ms since 1970.
 *
 * @param zone IANA name
 */
export function quietUntil(quiet: QuietHours | null | undefined, zone: string, now: number): number | null {
  if (!quiet) return null;
  const [from, to] = [minutesOf(quiet.from), minutesOf(quiet.to)];
  const local = DateTime.fromMillis(now, { zone });
  const minute = local.hour * 60 + local.minute;
  const isQuiet = from <= to ? minute >= from && minute < to : minute >= from || minute < to;
  if (!isQuiet) return null;
  const day = minute < to ? local : local.plus({ days: 1 });
  const end = day.set({ hour: Math.floor(to / 60), minute: to % 60, second: 0, millisecond: 0 }).toMillis();
  // Where a clock is set forward over their end, it is over at once.
  return end > now ? end : null;
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}
