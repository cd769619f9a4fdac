import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database';
import { FileResult } from '../../../platform/http/results';
import { Reader } from '../../../platform/resource/reader';
import { InjectReader } from '../../../platform/resource/store.module';
import { Meeting } from '../meeting.entity';
import { findUser } from '../../users/user-lookup';
import { calendarFile, methodOf } from './calendar-file';

/** Meetings as iCalendar files. */
@Injectable()
export class CalendarService {
  constructor(
    @InjectReader(Meeting) private readonly meetings: Reader<Meeting>,
    private readonly database: Database,
  ) {}

  /** The meeting as a file to be imported, as it is now: a cancelled one takes itself out of the calendar. */
  async file(id: number): Promise<FileResult> {
    return this.database.transaction(async () => {
      const meeting = await this.meetings.whole(id);
      const host = await findUser(this.database, meeting.host_id);
      if (!host) throw new Error('A meeting without a host.');
      const method = methodOf(meeting.status);
      const type = `text/calendar; charset=utf-8; method=${method}`;
      return new FileResult(type, calendarFile(meeting, host, method), `meeting-${id}.ics`);
    });
  }
}
