import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { clockMs } from '../../../platform/context/clock';
import { Id } from '../../../platform/http/id';
import { MetricsQuery, metricsWindow } from './metrics-query';
import { PipelineMetricsService } from './pipeline-metrics.service';
import { PipelineMetrics } from './metrics-answer';
import { AnswerOf } from '../../../platform/http/answer-members';

@ApiTags('CRM')
@Controller('crm/pipelines/:id/metrics')
export class PipelineMetricsController {
  constructor(private readonly metrics: PipelineMetricsService) {}

  @Get()
  @ApiOperation({
    summary: 'How deals pass through a pipeline',
    description:
      'Conversion counts the stays in a stage that began in the window, by how they ended before its end: the denominator is `entered`. Ages, counts and values of the stages are of the deals that are there now. Won and lost count the deals of the pipeline that were closed in the window and still are; the cycle is from creation to winning.',
  })
  @AnswerOf(PipelineMetrics, { description: 'The pipeline, and each of its stages in order.' })
  read(@Id() id: number, @Query() query: MetricsQuery): Promise<PipelineMetrics> {
    return this.metrics.of(id, metricsWindow(query, clockMs()));
  }
}
