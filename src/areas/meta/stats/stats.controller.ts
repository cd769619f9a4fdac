import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Stats } from './stats-answer';
import { StatsParameters } from './stats-query';
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
  @ApiOkResponse({ description: 'The statistics.', schema: statsSchema })
  read(@Query() query: StatsParameters): Promise<Stats> {
    return this.stats.of(query);
  }
}
