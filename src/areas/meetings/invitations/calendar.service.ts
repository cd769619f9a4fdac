import { Injectable } from '@nestjs/common';
import { currentWorkspaceId } from '../../../platform/context/current';
import { Database } from '../../../platform/database/database';
import { fail } from '../../../platform/http/errors';
import { FileResult } from '../../../platform/http/results';
import { readStatement } from '../../../platform/resource/read-plan';
import { wholeSelection } from '../../../platform/resource/selection';
import { meetingResource } from '../meeting.resource';
import { findUser } from '../../users/user-lookup';
import { calendarFile, type CalendarMeeting, methodOf } from './calendar-file';

/** Meetings as iCalendar files. */
@Injectable()
export class CalendarService {
  constructor(private readonly database: Database) {}

  /** The meeting as a file to be imported, as it is now: a cancelled one takes itself out of the calendar. */
  async file(id: number): Promise<FileResult> {
    return this.database.transaction(async () => {
      const whole = wholeSelection(meetingResource);
      const rows = await this.database.read(readStatement(meetingResource, whole, currentWorkspaceId(), id));
      const meeting = JSON.parse(rows[0]?.[0] ?? fail('not_found', `No meeting ${id}.`)) as CalendarMeeting & {
        host_id: number;
      };
      const host = await findUser(this.database, meeting.host_id);
      if (!host) throw new Error('A meeting without a host.');
      const method = methodOf(meeting.status);
      const type = `text/calendar; charset=utf-8; method=${method}`;
      return new FileResult(type, calendarFile(meeting, host, method), `meeting-${id}.ics`);
    });
  }
}
