import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { FlagParameter, TextParameter } from '../../platform/query/members';
import { IsNotBlank } from '../../platform/columns/not-blank';
import { IfGiven } from '../../platform/validation/shapes';

/** `POST /meetings/{id}/cancel` and `/reject`. */
export class CancelMeeting {
  @ApiProperty({ type: 'string', required: false, minLength: 1, maxLength: 1_000, example: 'The room is not free.' })
  @IfGiven()
  @IsString()
  @IsNotBlank()
  @MaxLength(1_000)
  reason?: string;
}

/** Parameters of what takes a time. */
export class ForceMeeting {
  @FlagParameter({
    description: '`true`: also when the time is not free. For admins and tokens with the scope `*`.',
  })
  force?: boolean;
}

/** Parameters of `DELETE /meetings/{id}`. */
export class RemoveMeeting {
  @TextParameter({ description: 'Becomes `cancellation_reason`.', max: 1_000 })
  reason?: string;
}
