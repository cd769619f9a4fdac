import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsInt, IsObject, Max, Min } from 'class-validator';
import { ACTION } from '../../../platform/area/action-schema';
import { IfGiven } from '../../../platform/validation/shapes';
import { MAX_ACTIONS } from '../../automations/automation.schemas';
import { filtersSchema } from '../../views/view-check';

/** Tickets of one job. */
export const MAX_TICKETS = 10_000;

/** `POST /tickets/bulk`: which tickets, and what is done to each of them. */
export class BulkTickets {
  @ApiProperty({
    ...filtersSchema,
    selfRequired: false,
    description: `Filters of \`GET /tickets\` by name, and \`q\`; at most ${MAX_TICKETS} tickets. Either this or \`ids\`.`,
    example: { tags: 'restart', status: 'open' },
  })
  @IfGiven()
  @IsObject()
  filter?: Record<string, unknown>;

  @ApiProperty({
    type: 'array',
    required: false,
    minItems: 1,
    maxItems: MAX_TICKETS,
    items: { type: 'integer', format: 'int64', minimum: 1 },
  })
  @IfGiven()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_TICKETS)
  @ArrayUnique()
  @IsInt({ each: true })
  @Min(1, { each: true })
  @Max(Number.MAX_SAFE_INTEGER, { each: true })
  ids?: number[];

  @ApiProperty({
    type: 'array',
    required: false,
    minItems: 1,
    maxItems: MAX_ACTIONS,
    items: ACTION.api,
    description: 'Actions of automations; of each ticket all are done, or none. Either these or `macro_id`.',
    example: [{ type: 'add_tags', tags: 'checked' }],
  })
  @IfGiven()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_ACTIONS)
  @IsObject({ each: true })
  actions?: Record<string, unknown>[];

  @ApiProperty({ type: 'integer', format: 'int64', required: false, minimum: 1 })
  @IfGiven()
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  macro_id?: number;
}
