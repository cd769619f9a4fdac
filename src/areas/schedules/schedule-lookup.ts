import type { BusinessHours } from '../../platform/calendar/schedule';
import { currentWorkspaceId } from '../../platform/context/current';
import type { Database } from '../../platform/database/database';

/** The part of a schedule that time depends on. */
export type ScheduleHours = Omit<BusinessHours, 'mode'>;

/** Hours of a schedule in the form of those that are written into a record. */
export function hoursOf({ timezone, weekly, holidays = [] }: ScheduleHours): BusinessHours {
  return { mode: 'business_hours', timezone, weekly, holidays };
}

/** A schedule that something is to follow. */
export interface KnownSchedule {
  id: number;
  hours: BusinessHours;
}

const COLUMNS = `id, timezone, weekly, holidays`;

/**
 * The schedule, which nobody changes until the end of the unit of work; null when there is none.
 *
 * @param id null = the default of the workspace
 */
export async function heldSchedule(database: Database, id: number | null): Promise<KnownSchedule | null> {
  const [row] = await database.query<ScheduleHours & { id: number }>(
    `SELECT ${COLUMNS} FROM schedules WHERE workspace_id = $1 AND ${id === null ? 'is_default' : 'id = $2'} FOR SHARE`,
    id === null ? [currentWorkspaceId()] : [currentWorkspaceId(), id],
  );
  return row ? { id: row.id, hours: hoursOf(row) } : null;
}
