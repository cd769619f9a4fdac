import { Injectable } from '@nestjs/common';
import { join } from 'node:path';
import { type Holiday, MAX_HOLIDAYS } from '../../platform/calendar/schedule';
import { clockNow } from '../../platform/context/clock';
import { invalid } from '../../platform/errors/api-error';
import type { SingleResult } from '../../platform/http/results';
import type { Change } from '../../platform/resource/change';
import type { ExpectedVersions } from '../../platform/resource/etag';
import type { Row } from '../../platform/resource/rows';
import { Store } from '../../platform/resource/store';
import { InjectStore } from '../../platform/resource/store.module';
import { threadTask } from '../../platform/workers/thread-task';
import { Workers } from '../../platform/workers/workers.service';
import { CalendarSource } from './calendar-source';
import type { HolidayAnswer, readHolidays } from './holiday-file';
import type { ImportHolidays } from './holiday-import.dto';
import { orderedHolidays } from './holidays';
import { WorkSchedule } from './schedule.entity';

const reading = threadTask<typeof readHolidays>('texts', join(__dirname, 'holiday-file'), 'readHolidays');
const DEFAULT_YEARS = 5;

/** Takes over the holidays of a calendar. */
@Injectable()
export class HolidayImport {
  constructor(
    @InjectStore(WorkSchedule) private readonly schedules: Store<WorkSchedule>,
    private readonly source: CalendarSource,
    private readonly workers: Workers,
  ) {}

  /**
   * Adds the holidays of a calendar to a schedule. The same calendar again changes nothing. Fetched and read before anything is locked.
   *
   * @throws ApiError 422 for a calendar that cannot be fetched or read, or has too many holidays; 503 when too many are being read
   */
  async run(id: number, body: ImportHolidays, expected: ExpectedVersions): Promise<SingleResult> {
    await this.schedules.require(id);
    const field = fieldOf(body);
    const text = body.ical ?? (await this.source.fetch(body.url ?? ''));
    const found = await this.workers.run(reading, { text, ...yearsFrom(clockNow(), body.years ?? DEFAULT_YEARS) });
    if (found.problem !== null) invalid(field, 'format', `"${field}" ${found.problem}.`);
    return this.schedules.mutate(id, expected, (schedule) => imported(schedule, found, body.replace ?? false));
  }
}

/** Whole years from that of a moment on. */
export function yearsFrom(moment: Date, years: number): { first: string; last: string } {
  const year = moment.getUTCFullYear();
  return { first: `${year}-01-01`, last: `${year + years - 1}-12-31` };
}

/** What becomes of a schedule, and what of the calendar's holidays it had not. */
function imported(
  { holidays: present }: Row<WorkSchedule>,
  { holidays: found, skipped }: HolidayAnswer,
  replaces: boolean,
): Change<WorkSchedule> {
  const holidays = orderedHolidays(replaces ? found : [...present, ...found]);
  if (holidays.length > MAX_HOLIDAYS) {
    const message = `The schedule would have ${holidays.length} holidays; ${MAX_HOLIDAYS} is the most. Take fewer years.`;
    invalid('holidays', 'max', message, { max: MAX_HOLIDAYS });
  }
  const known = new Set(present.map(keyOf));
  const added = holidays.filter((holiday) => !known.has(keyOf(holiday))).length;
  return { values: { holidays }, meta: { imported: added, skipped } };
}

const keyOf = ({ date, recurring }: Holiday): string => `${date} ${String(recurring ?? false)}`;

function fieldOf({ ical, url }: ImportHolidays): 'ical' | 'url' {
  if (ical !== undefined && url !== undefined) invalid('url', 'conflict', 'Name either "ical" or "url", not both.');
  if (ical === undefined && url === undefined) invalid('ical', 'required', 'Name a calendar: "ical" or "url".');
  return ical === undefined ? 'url' : 'ical';
}
