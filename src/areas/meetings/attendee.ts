import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsEmail, IsIn, IsString, MaxLength } from 'class-validator';
import { IsTimeZoneName } from '../../platform/columns/column-validators';
import { IfGiven, IfPresent } from '../../platform/validation/shapes';
import { ATTENDEE_RESPONSES, type AttendeeResponse } from './meeting-values';

const trimmed = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

/** Somebody who is invited. */
export class Attendee {
  @ApiProperty({ type: 'string', format: 'email', required: true, maxLength: 254, example: 'paul.weber@acme.example' })
  @trimmed
  @IsString()
  @MaxLength(254)
  @IsEmail()
  email: string;

  @ApiProperty({ type: 'string', required: false, nullable: true, maxLength: 255, example: 'Paul Weber' })
  @IfPresent()
  @trimmed
  @IsString()
  @MaxLength(255)
  name?: string | null;

  @ApiProperty({ type: 'string', required: false, nullable: true, description: 'IANA name.', example: 'Europe/Rome' })
  @IfPresent()
  @IsString()
  @IsTimeZoneName()
  timezone?: string | null;

  @ApiProperty({ type: 'string', enum: ATTENDEE_RESPONSES, required: false, default: 'needs_action' })
  @IfGiven()
  @IsIn(ATTENDEE_RESPONSES)
  response?: AttendeeResponse;

  @ApiProperty({ type: 'boolean', required: false, default: false, description: 'Did not come.' })
  @IfGiven()
  @IsBoolean()
  no_show?: boolean;
}

/** An attendee as stored and shown. */
export interface Guest {
  email: string;
  name: string | null;
  timezone: string | null;
  response: AttendeeResponse;
  no_show: boolean;
}
