import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Needs } from '../../../platform/auth/permission';
import { Id } from '../../../platform/http/id';
import type { ListResult, SingleResult } from '../../../platform/http/results';
import type { ExpectedVersions } from '../../../platform/resource/etag';
import type { ListParams } from '../../../platform/resource/reader';
import {
  CreateRoute,
  DeleteRoute,
  IfMatch,
  ListQuery,
  ListRoute,
  ReadRoute,
  UpdateRoute,
} from '../../../platform/routes/routes';
import { Store } from '../../../platform/resource/store';
import { InjectStore } from '../../../platform/resource/store.module';
import { CreateMeetingType, UpdateMeetingType } from './meeting-type.dto';
import { MeetingType } from './meeting-type.entity';
import { meetingTypeResource } from './meeting-type.resource';
import { MeetingTypesService } from './meeting-types.service';

@ApiTags('Meetings')
@Controller('meetings/types')
export class MeetingTypesController {
  constructor(
    @InjectStore(MeetingType) private readonly records: Store<MeetingType>,
    private readonly types: MeetingTypesService,
  ) {}

  @ListRoute(meetingTypeResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @Needs('meetings.configure')
  @CreateRoute(meetingTypeResource)
  create(@Body() body: CreateMeetingType): Promise<SingleResult> {
    return this.types.create(body);
  }

  @ReadRoute(meetingTypeResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @Needs('meetings.configure')
  @UpdateRoute(meetingTypeResource)
  update(
    @Id() id: number,
    @Body() body: UpdateMeetingType,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<SingleResult> {
    return this.types.update(id, body, expected);
  }

  @Needs('meetings.configure')
  @DeleteRoute(meetingTypeResource, { description: 'A type that has meetings stays; make it inactive instead.' })
  remove(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.records.remove(id, expected);
  }
}
