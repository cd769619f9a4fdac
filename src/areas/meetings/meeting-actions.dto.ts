import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength, MinLength, ValidateIf } from 'class-validator';

/** `POST /meetings/{id}/cancel` and `/reject`. */
export class CancelMeeting {
  @ApiProperty({ type: 'string', required: false, minLength: 1, maxLength: 1_000, example: 'The room is not free.' })
  @ValidateIf((_: object, value: unknown) => value !== undefined)
  @IsString()
  @MinLength(1)
  @MaxLength(1_000)
  reason?: string;
}
