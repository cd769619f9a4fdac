import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { idOr, momentSchema } from '../../../platform/resource/filters';
import type { Stats } from './stats-answer';
import { statsSchema } from './stats.schemas';
import { StatsService } from './stats.service';

@ApiTags('Meta')
@Controller('stats')
export class StatsController {
  constructor(private readonly stats: StatsService) {}

  @Get()
  @ApiOperation({
    operationId: 'getStats',
    summary: 'Statistics of the workspace',
    description:
      'Exact at the moment of the answer. The window applies to the creation of tickets (`tickets`), the decision of promises (`sla`), the first response and the resolution (`response`) and the rating (`csat`). What is said of today, of the backlog, of tickets at risk or breached, and of `resources` is as it is now, whatever the window.',
  })
  @ApiQuery({
    name: 'from',
    required: false,
    schema: momentSchema,
    description: 'Date (of UTC) or timestamp, included; default: everything before `to`.',
  })
  @ApiQuery({
    name: 'to',
    required: false,
    schema: momentSchema,
    description: 'Date (of UTC), which is included, or timestamp, which is not; default: now.',
  })
  @ApiQuery({ name: 'team_id', required: false, schema: idOr(['none']), description: 'Id of a team, or `none`.' })
  @ApiQuery({
    name: 'assigned_to',
    required: false,
    schema: idOr(['me', 'none']),
    description: 'Id of a user, `me` (the user of the token) or `none`.',
  })
  @ApiOkResponse({ description: 'The statistics.', schema: statsSchema })
  read(@Query() query: Record<string, unknown>): Promise<Stats> {
    return this.stats.of(query);
  }
}
