import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Id } from '../../../platform/http/id';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import type { ListParams } from '../../../platform/resource/reader';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import {
  CreateRoute,
  DeleteRoute,
  IfMatch,
  ListQuery,
  ListRoute,
  ReadRoute,
  UpdateRoute,
} from '../../../platform/routes/routes';
import { CreateReportSchedule, UpdateReportSchedule } from './report-schedule.dto';
import { ReportSchedule } from './report-schedule.entity';
import { reportScheduleResource } from './report-schedule.resource';
import { ReportSchedulesService } from './report-schedules.service';

@ApiTags('Reports')
@Controller('report-schedules')
export class ReportSchedulesController {
  constructor(
    @InjectStore(ReportSchedule) private readonly records: Store<ReportSchedule>,
    private readonly schedules: ReportSchedulesService,
  ) {}

  @ListRoute(reportScheduleResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @CreateRoute(reportScheduleResource, {
    description: 'The report is sent by mail at the moments of its schedule, as a file.',
  })
  create(@Body() body: CreateReportSchedule): Promise<SingleResult> {
    return this.schedules.create(body);
  }

  @ReadRoute(reportScheduleResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @UpdateRoute(reportScheduleResource)
  update(
    @Id() id: number,
    @Body() body: UpdateReportSchedule,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.schedules.update(id, body, expected);
  }

  @DeleteRoute(reportScheduleResource)
  remove(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.records.remove(id, expected);
  }
}
