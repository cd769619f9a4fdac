import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Id } from '../../platform/http/id';
import type { ListResult, SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { ListParams } from '../../platform/resource/reader';
import {
  ActionRoute,
  CreateRoute,
  DeleteRoute,
  IfMatch,
  ListQuery,
  ListRoute,
  ReadRoute,
  UpdateRoute,
} from '../../platform/routes/routes';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { ImportHolidays } from './holiday-import.dto';
import { HolidayImport } from './holiday-import.service';
import { CreateSchedule, UpdateSchedule } from './schedule.dto';
import { WorkSchedule } from './schedule.entity';
import { scheduleResource } from './schedule.resource';
import { SchedulesService } from './schedules.service';

@ApiTags('Schedules')
@Controller('schedules')
export class SchedulesController {
  constructor(
    @InjectStore(WorkSchedule) private readonly records: Store<WorkSchedule>,
    private readonly schedules: SchedulesService,
    private readonly imports: HolidayImport,
  ) {}

  @ListRoute(scheduleResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @CreateRoute(scheduleResource)
  create(@Body() body: CreateSchedule): Promise<SingleResult> {
    return this.schedules.create(body);
  }

  @ReadRoute(scheduleResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @UpdateRoute(scheduleResource, {
    description:
      'Only what the body names changes. SLA policies that follow the schedule have its hours at once; due moments of their open tickets follow in the background.',
  })
  update(@Id() id: number, @Body() body: UpdateSchedule, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.schedules.update(id, body, expected);
  }

  @DeleteRoute(scheduleResource, { description: 'Refused while SLA policies follow it. Answers its last state.' })
  remove(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.schedules.remove(id, expected);
  }

  @ActionRoute(scheduleResource, ':id/holidays/import', {
    summary: 'Import holidays from a calendar',
    description:
      'From iCalendar (RFC 5545), as text or from an address: events of whole days, those that return each year written out for some years. What is there already is not taken twice. `meta` tells how many holidays were `imported` and how many events `skipped`: those with times, of other years, cancelled.',
  })
  import(@Id() id: number, @Body() body: ImportHolidays, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.imports.run(id, body, expected);
  }
}
