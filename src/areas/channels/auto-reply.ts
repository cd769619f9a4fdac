import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsString, MaxLength } from 'class-validator';
import { IsNotBlank } from '../../platform/columns/not-blank';
import { IfPresent, objectOf } from '../../platform/validation/shapes';

const MAX_REPLY = 2_000;

/** What a channel answers by itself. */
export class AutoReply {
  @ApiProperty({ type: 'boolean', required: true })
  @IsBoolean()
  readonly enabled: boolean;

  @ApiProperty({ type: 'string', required: false, nullable: true, description: 'While somebody is there.' })
  @IfPresent()
  @IsString()
  @IsNotBlank()
  @MaxLength(MAX_REPLY)
  readonly message?: string | null;

  @ApiProperty({ type: 'string', required: false, nullable: true, description: 'Outside the hours of the channel.' })
  @IfPresent()
  @IsString()
  @IsNotBlank()
  @MaxLength(MAX_REPLY)
  readonly outside_hours_message?: string | null;
}

export const autoReplyShape = objectOf(AutoReply);
