import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { clockMs } from '../../../platform/context/clock';
import { AnswerOf } from '../../../platform/http/answer-members';
import { AiMetrics, AiMetricsQuery } from './metrics.dto';
import { MetricsService } from './metrics.service';

@ApiTags('AI engine')
@Controller('ai-engine/metrics')
export class MetricsController {
  constructor(private readonly metrics: MetricsService) {}

  @Get()
  @ApiOperation({
    summary: 'How good the AI engine is',
    description:
      'Of predictions that were made, and of conversations that began in the window, by what became of them; each rate with its numerator and denominator. Counted when it is asked for, so what is reopened, corrected or resolved later counts as it is then.',
  })
  @AnswerOf(AiMetrics, { description: 'What became of conversations, and of predictions, task by task.' })
  read(@Query() query: AiMetricsQuery): Promise<AiMetrics> {
    return this.metrics.of(query, clockMs());
  }
}
