import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AnswerOf } from '../../../platform/http/answer-members';
import { Id } from '../../../platform/http/id';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import type { ListParams } from '../../../platform/resource/reader';
import { Reader } from '../../../platform/resource/reader';
import { InjectReader } from '../../../platform/resource/store.module';
import { ListQuery, ListRoute, ReadRoute } from '../../../platform/routes/routes';
import { RetentionPreview, RetentionQuery } from './retention.dto';
import { RetentionRun } from './retention-run.entity';
import { retentionRunResource } from './retention-run.resource';
import { RetentionService } from './retention.service';

@ApiTags('Privacy')
@Controller('retention-runs')
export class RetentionController {
  constructor(
    @InjectReader(RetentionRun) private readonly records: Reader<RetentionRun>,
    private readonly retention: RetentionService,
  ) {}

  @ListRoute(retentionRunResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @Get('preview')
  @ApiOperation({
    summary: 'Preview what the retention rules do',
    description:
      'What would happen if they were carried out now, by the rules of the workspace (`settings.retention_ticket_days`, `.retention_anonymise_days` and `.retention_log_days` of `/workspace`) or by others. Nothing is done.',
  })
  @AnswerOf(RetentionPreview, { description: 'What is due, and what is held.' })
  preview(@Query() days: RetentionQuery): Promise<RetentionPreview> {
    return this.retention.preview(days);
  }

  @ReadRoute(retentionRunResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }
}
