import { Body, Controller, Get, Query } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Id } from '../../platform/http/id';
import type { FileResult, ListResult, SingleResult } from '../../platform/http/results';
import type { ExpectedVersions } from '../../platform/resource/etag';
import { type ListParams, Reader } from '../../platform/resource/reader';
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
import { InjectReader } from '../../platform/resource/store.module';
import { Attendee } from './attendee';
import { readForce } from './forced-booking';
import { CalendarService } from './invitations/calendar.service';
import { CancelMeeting, ForceMeeting, RemoveMeeting } from './meeting-actions.dto';
import { CreateMeeting, UpdateMeeting } from './meeting.dto';
import { Meeting } from './meeting.entity';
import { meetingResource } from './meeting.resource';
import { MeetingsService } from './meetings.service';

@ApiTags('Meetings')
@ApiExtraModels(Attendee)
@Controller('meetings')
export class MeetingsController {
  constructor(
    @InjectReader(Meeting) private readonly records: Reader<Meeting>,
    private readonly meetings: MeetingsService,
    private readonly calendars: CalendarService,
  ) {}

  @ListRoute(meetingResource)
  list(@ListQuery() params: ListParams): Promise<ListResult> {
    return this.records.list(params);
  }

  @CreateRoute(meetingResource, {
    summary: 'Book a meeting',
    description:
      'With a type: a slot that `GET /meetings/availability` shows. Of a type with several seats the attendees join the meeting of the slot, if there is one with room; that meeting is the answer.',
  })
  create(@Body() body: CreateMeeting, @Query() query: ForceMeeting): Promise<SingleResult> {
    readForce(query.force);
    return this.meetings.create(body);
  }

  @ReadRoute(meetingResource)
  read(@Id() id: number): Promise<SingleResult> {
    return this.records.read(id);
  }

  @UpdateRoute(meetingResource, {
    description: 'Another time moves the meeting: attendees are asked again. `status` as the actions below.',
  })
  update(
    @Id() id: number,
    @Body() body: UpdateMeeting,
    @IfMatch() expected: ExpectedVersions,
    @Query() query: ForceMeeting,
  ): Promise<SingleResult> {
    readForce(query.force);
    return this.meetings.update(id, body, expected);
  }

  @DeleteRoute(meetingResource, {
    summary: 'Cancel a meeting',
    description: 'The meeting stays readable with status `cancelled`; cancelling it again changes nothing.',
  })
  remove(
    @Id() id: number,
    @IfMatch() expected: ExpectedVersions,
    @Query() query: RemoveMeeting,
  ): Promise<SingleResult> {
    return this.meetings.remove(id, expected, query);
  }

  @Get(':id/ics')
  @ApiOperation({
    summary: 'Get a meeting as an iCalendar file',
    description: 'To be imported into a calendar: an invitation, or of a cancelled meeting its cancellation.',
  })
  @ApiResponse({
    status: 200,
    description: 'The file (RFC 5545).',
    content: { 'text/calendar': { schema: { type: 'string' } } },
  })
  calendar(@Id() id: number): Promise<FileResult> {
    return this.calendars.file(id);
  }

  @ActionRoute(meetingResource, ':id/confirm', { summary: 'Confirm a requested meeting' })
  confirm(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.meetings.become(id, 'scheduled', undefined, expected);
  }

  @ActionRoute(meetingResource, ':id/reject', { summary: 'Decline a requested meeting' })
  reject(@Id() id: number, @Body() body: CancelMeeting, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.meetings.become(id, 'rejected', body.reason, expected);
  }

  @ActionRoute(meetingResource, ':id/cancel', { summary: 'Cancel a meeting, saying why' })
  cancel(@Id() id: number, @Body() body: CancelMeeting, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.meetings.become(id, 'cancelled', body.reason, expected);
  }

  @ActionRoute(meetingResource, ':id/complete', { summary: 'Say that a meeting took place' })
  complete(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.meetings.become(id, 'completed', undefined, expected);
  }

  @ActionRoute(meetingResource, ':id/no-show', { summary: 'Say that nobody came to a meeting' })
  noShow(@Id() id: number, @IfMatch() expected: ExpectedVersions): Promise<SingleResult> {
    return this.meetings.become(id, 'no_show', undefined, expected);
  }
}
