import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { momentSchema } from '../../../platform/resource/filters';
import { Id } from '../../../platform/http/id';
import { metricsWindow } from './metrics-query';
import { metricsSchema } from './metrics.schema';
import { type PipelineMetrics, PipelineMetricsService } from './pipeline-metrics.service';

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
  @ApiQuery({
    name: 'from',
    required: false,
    schema: momentSchema,
    description: 'Date or timestamp; default: 90 days before `to`.',
  })
  @ApiQuery({
    name: 'to',
    required: false,
    schema: momentSchema,
    description: 'Date, which is included, or timestamp, which is not; default: now.',
  })
  @ApiOkResponse({ description: 'The pipeline, and each of its stages in order.', schema: metricsSchema })
  read(@Id() id: number, @Query() query: Record<string, unknown>): Promise<PipelineMetrics> {
    return this.metrics.of(id, metricsWindow(query, Date.now()));
  }
}
