import { ApiProperty } from '@nestjs/swagger';
import { IsString, ValidateBy } from 'class-validator';
import { isIsoTimestamp } from '../../platform/columns/column-validators';
import { FlagMember, MomentMember, NumberMember } from '../../platform/http/answer-members';
import type { ShownClock } from '../../platform/sandbox/sandbox-clock';
import { IfGiven } from '../../platform/validation/shapes';
import { isAdvance, MOST_SECONDS } from './clock-target';

/** `POST /sandbox/clock`: one of the two. */
export class MoveClock {
  @ApiProperty({
    required: false,
    oneOf: [
      { type: 'string', format: 'duration', maxLength: 60 },
      { type: 'integer', minimum: 1, maximum: MOST_SECONDS },
    ],
    description: 'By how much: an ISO 8601 duration, or seconds. Either this or `set`.',
    example: 'PT4H',
  })
  @IfGiven()
  @ValidateBy({
    name: 'isAdvance',
    validator: {
      validate: isAdvance,
      defaultMessage: () =>
        'advance must be an ISO 8601 duration of more than nothing, e.g. PT4H, or a whole number of seconds',
    },
  })
  advance?: string | number;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    required: false,
    description: 'What it is to show; not before what it shows. Either this or `advance`.',
  })
  @IfGiven()
  @IsString()
  @isIsoTimestamp()
  set?: string;
}

/** The clock of the workspace. */
export class SandboxClockAnswer implements ShownClock {
  @FlagMember({ description: 'False: an ordinary workspace, whose clock is that of the world.' })
  is_sandbox: boolean;

  @MomentMember({ description: 'What it shows.' })
  now: string;

  @NumberMember({ minimum: 0, description: 'How far it is ahead of the world.' })
  ahead_seconds: number;

  @FlagMember({
    description:
      'Everything is done that was asked for or has come due, and what followed from it: no event is to be handed on, no job to be done now.',
  })
  is_settled: boolean;
}
