import { Body, Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Id } from '../../../platform/http/id';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import { type ListParams, Reader } from '../../../platform/resource/reader';
import { InjectReader } from '../../../platform/resource/store.module';
import {
  CreateRoute,
  DeleteRoute,
  IfMatch,
  ListQuery,
  ListRoute,
  ReadRoute,
  UpdateRoute,
} from '../../../platform/routes/routes';
import { CreateCustomStatus, RemoveCustomStatus, UpdateCustomStatus } from './custom-status.dto';
import { CustomStatus } from './custom-status.entity';
import { customStatusResource } from './custom-status.resource';
import { CustomStatusesService } from './custom-statuses.service';

@ApiTags('Tickets')
@Controller('ticket-statuses')
export class CustomStatusesController {
  constructor(
    @InjectReader(CustomStatus) private readonly records: Reader<CustomStatus>,
    private readonly statuses: CustomStatusesService,
  ) {}

  @ListRoute(customStatusResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @CreateRoute(customStatusResource, {
    description:
      'It stands for one of the five that all rules go by. Setting the `custom_status_id` of a ticket sets its `status`, and the other way round.',
  })
  create(@Body() body: CreateCustomStatus): Promise<SingleResult> {
    return this.statuses.create(body);
  }

  @ReadRoute(customStatusResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @UpdateRoute(customStatusResource)
  update(
    @Id() id: number,
    @Body() body: UpdateCustomStatus,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.statuses.update(id, body, expected);
  }

  @DeleteRoute(customStatusResource, {})
  remove(
    @Id() id: number,
    @IfMatch() expected: ExpectedVersions,
    @Query() query: RemoveCustomStatus,
  ): Promise<SingleResult> {
    return this.statuses.remove(id, expected, query);
  }
}
