import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength, ValidateIf } from 'class-validator';
import { IsNotBlank } from '../../platform/resource/not-blank';

/** `POST /meetings/{id}/cancel` and `/reject`. */
export class CancelMeeting {
  @ApiProperty({ type: 'string', required: false, minLength: 1, maxLength: 1_000, example: 'The room is not free.' })
  @ValidateIf((_: object, value: unknown) => value !== undefined)
  @IsString()
  @IsNotBlank()
  @MaxLength(1_000)
  reason?: string;
}
