import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsString, Max, MaxLength, Min, MinLength } from 'class-validator';
import { MAX_URL } from '../../platform/outbound/target-url';
import { IfGiven } from '../../platform/validation/shapes';

/** Characters of a calendar that is sent, and bytes of one that is fetched. */
export const MAX_CALENDAR = 524_288;
export const MAX_YEARS = 10;

/** `POST /schedules/{id}/holidays/import`: a calendar, or where it is. */
export class ImportHolidays {
  @ApiProperty({
    type: 'string',
    required: false,
    description: 'The calendar: iCalendar (RFC 5545). Instead of `url`.',
    example:
      'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Example//Holidays//EN\r\nBEGIN:VEVENT\r\nUID:1@calendar.example\r\nDTSTAMP:20260101T000000Z\r\nDTSTART;VALUE=DATE:20260101\r\nRRULE:FREQ=YEARLY\r\nSUMMARY:New Year’s Day\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
  })
  @IfGiven()
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_CALENDAR)
  ical?: string;

  @ApiProperty({
    type: 'string',
    format: 'uri',
    required: false,
    description:
      'Where the calendar is, `https://` or `webcal://`; fetched now, once, at most 512 KiB in 10 seconds. Instead of `ical`.',
  })
  @IfGiven()
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_URL)
  url?: string;

  @ApiProperty({
    type: 'integer',
    required: false,
    default: 5,
    description: 'Years for which holidays are taken over, this one included. Default 5.',
  })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(MAX_YEARS)
  years?: number;

  @ApiProperty({
    type: 'boolean',
    required: false,
    default: false,
    description: 'The calendar takes the place of all holidays that the schedule has. Default `false`.',
  })
  @IfGiven()
  @IsBoolean()
  replace?: boolean;
}
