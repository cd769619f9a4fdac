import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsObject, ValidateNested } from 'class-validator';
import { isIsoTimestamp } from '../../platform/columns/column-validators';
import { IfGiven } from '../../platform/validation/shapes';
import type { CommentAuthor } from './clock-types';
import { TIMELINE_AUTHORS, TIMELINE_CHANNELS, TIMELINE_PRIORITIES, TIMELINE_STATUSES } from './simulate';

const timestamp = { type: 'string', format: 'date-time' } as const;

/** A comment, as clocks see it. */
export class SimulatedComment {
  @ApiProperty({ required: true, enum: TIMELINE_AUTHORS })
  @IsIn(TIMELINE_AUTHORS)
  author: CommentAuthor;

  @ApiProperty({ type: 'boolean', required: false, default: false })
  @IfGiven()
  @IsBoolean()
  is_internal?: boolean;
}

/** Something that happens to the ticket: at least one of the three. */
export class SimulatedMoment {
  @ApiProperty({ ...timestamp, required: true, example: '2026-10-20T09:00:00.000Z' })
  @isIsoTimestamp()
  at: string;

  @ApiProperty({ required: false, enum: TIMELINE_STATUSES })
  @IfGiven()
  @IsIn(TIMELINE_STATUSES)
  status?: string;

  @ApiProperty({ required: false, enum: TIMELINE_PRIORITIES })
  @IfGiven()
  @IsIn(TIMELINE_PRIORITIES)
  priority?: string;

  @ApiProperty({ required: false, type: () => SimulatedComment })
  @IfGiven()
  @IsObject()
  @ValidateNested()
  @Type(() => SimulatedComment)
  comment?: SimulatedComment;
}

/** `POST /sla/{id}/simulate`. */
export class SimulateSla {
  @ApiProperty({ ...timestamp, required: true, example: '2026-10-20T08:00:00.000Z' })
  @isIsoTimestamp()
  created_at: string;

  @ApiProperty({ required: true, enum: TIMELINE_PRIORITIES, example: 'high' })
  @IsIn(TIMELINE_PRIORITIES)
  priority: string;

  @ApiProperty({ required: false, enum: TIMELINE_CHANNELS, default: 'portal' })
  @IfGiven()
  @IsIn(TIMELINE_CHANNELS)
  channel?: string;

  @ApiProperty({ required: false, enum: TIMELINE_STATUSES, default: 'open' })
  @IfGiven()
  @IsIn(TIMELINE_STATUSES)
  status?: string;

  @ApiProperty({
    required: false,
    type: () => [SimulatedMoment],
    maxItems: 200,
    default: [],
    description: 'In order of time, from `created_at` on, within 10 years of it.',
    example: [
      { at: '2026-10-20T08:30:00.000Z', comment: { author: 'agent' } },
      { at: '2026-10-20T09:00:00.000Z', status: 'on_hold' },
      { at: '2026-10-20T11:00:00.000Z', comment: { author: 'requester' } },
    ],
  })
  @IfGiven()
  @IsArray()
  @ArrayMaxSize(200)
  @ValidateNested({ each: true })
  @Type(() => SimulatedMoment)
  timeline?: SimulatedMoment[];

  @ApiProperty({
    ...timestamp,
    required: false,
    description: 'Up to when time passes; default: the last moment of the timeline.',
  })
  @IfGiven()
  @isIsoTimestamp()
  as_of?: string;
}
