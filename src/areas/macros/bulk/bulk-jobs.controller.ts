import { applyDecorators, Body, Controller, HttpCode, Post, SetMetadata } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Needs } from '../../../platform/auth/permission';
import { Id } from '../../../platform/http/id';
import { location } from '../../../platform/http/openapi-components';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import type { ListParams } from '../../../platform/resource/reader';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { ActionRoute, IfMatch, ListQuery, ListRoute, ReadRoute, ROUTE_RESOURCE } from '../../../platform/routes/routes';
import { answerSchema } from '../../../platform/routes/schema-names';
import { BulkJob } from './bulk-job.entity';
import { bulkJobResource } from './bulk-job.resource';
import { BulkJobsService } from './bulk-jobs.service';
import { BulkTickets, MAX_TICKETS } from './bulk.dto';

/** `POST` that begins a job, and answers it with 202. */
const StartRoute = (path: string, summary: string, description: string): MethodDecorator =>
  applyDecorators(
    Post(path),
    HttpCode(202),
    SetMetadata(ROUTE_RESOURCE, bulkJobResource),
    ApiExtraModels(BulkJob),
    ApiOperation({ summary, description }),
    ApiResponse({
      status: 202,
      description: 'The job, which is yet to be done.',
      schema: answerSchema(bulkJobResource),
      headers: location,
    }),
  );

@ApiTags('Macros')
@Controller('tickets')
export class TicketBulkController {
  constructor(private readonly jobs: BulkJobsService) {}

  @Needs('tickets.update')
  @StartRoute(
    'bulk',
    'Apply actions or a macro to many tickets',
    `To at most ${MAX_TICKETS}, which are fixed now: those that come to fit the filter later are not among them. They are done one after the other, as the caller, who may do then what the role allows then; \`GET /bulk-jobs/{id}\` tells how far it is.`,
  )
  start(@Body() body: BulkTickets): Promise<SingleResult> {
    return this.jobs.start(body);
  }
}

@ApiTags('Macros')
@Controller('bulk-jobs')
export class BulkJobsController {
  constructor(
    @InjectStore(BulkJob) private readonly records: Store<BulkJob>,
    private readonly jobs: BulkJobsService,
  ) {}

  @ListRoute(bulkJobResource, {
    description:
      'Page by page; several filters narrow the list together. Users whose ticket scope is not `all` see their own.',
  })
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @ReadRoute(bulkJobResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @ActionRoute(bulkJobResource, ':id/cancel', {
    summary: 'Cancel a bulk job',
    description:
      'No further ticket is touched; what was done stays, and can be undone. A job that is over stays as it is.',
  })
  cancel(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.jobs.cancel(id, expected);
  }

  @StartRoute(
    ':id/undo',
    'Undo a bulk job',
    'Another job sets back the members that nobody has changed since. What was said, sent or escalated stays. Possible once, within 30 days.',
  )
  undo(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.jobs.undo(id, expected);
  }
}
