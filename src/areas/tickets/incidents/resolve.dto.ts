import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsString, MaxLength } from 'class-validator';
import { IsNotBlank } from '../../../platform/columns/not-blank';
import { IfGiven } from '../../../platform/validation/shapes';
import { MAX_TEXT } from '../ticket-values';

/** `POST /tickets/{id}/resolve`; every member is optional. */
export class ResolveTicket {
  @ApiProperty({
    type: 'string',
    maxLength: MAX_TEXT,
    required: false,
    description: 'Public comment, on each ticket that is resolved.',
  })
  @IfGiven()
  @IsString()
  @IsNotBlank()
  @MaxLength(MAX_TEXT)
  comment?: string;

  @ApiProperty({
    type: 'boolean',
    required: false,
    default: false,
    example: false,
    description: 'Resolve the open incidents of a problem, too: tickets of type `incident` whose `parent_id` it is.',
  })
  @IfGiven()
  @IsBoolean()
  incidents?: boolean;
}
