import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Stats, statsExample } from './stats-shape';
import { StatsParameters } from './stats-query';
import { StatsService } from './stats.service';
import { AnswerOf } from '../../../platform/http/answer-members';
import { Reads } from '../../../platform/routes/routes';

@ApiTags('Meta')
@Controller('stats')
export class StatsController {
  constructor(private readonly stats: StatsService) {}

  @Get()
  @Reads()
  @ApiOperation({
    operationId: 'getStats',
    summary: 'Statistics of the workspace',
    description:
      'Exact at the moment of the answer. The window applies to the creation of tickets (`tickets`), the decision of promises (`sla`), the first response and the resolution (`response`) and the rating (`csat`). What is said of today, of the backlog, of tickets at risk or breached, and of `resources` is as it is now, whatever the window.',
  })
  @AnswerOf(Stats, { description: 'The statistics.', example: statsExample })
  read(@Query() query: StatsParameters): Promise<Stats> {
    return this.stats.of(query);
  }
}
