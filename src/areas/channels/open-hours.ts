import { workingTime } from '../../platform/calendar/working-time';
import { clockMs } from '../../platform/context/clock';
import type { Database } from '../../platform/database/database';
import { heldSchedule } from '../schedules/schedule-lookup';
import type { Channel } from './channel.entity';

/** Whether somebody is there by the hours of a channel; without hours always. Inside a unit of work. */
export async function isOpenNow(
  database: Database,
  { schedule_id: id }: Pick<Channel, 'schedule_id'>,
): Promise<boolean> {
  const schedule = id === null ? null : await heldSchedule(database, id);
  return schedule === null || workingTime(schedule.hours).isOpen(clockMs());
}
