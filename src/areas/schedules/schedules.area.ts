import { CreateSchedules1765010000000 } from '../../../migrations/1765010000000-create-schedules';
import { defineArea } from '../../platform/area/area';
import { usualPermissions } from '../../platform/context/permission-table';
import { changesOf } from '../../platform/events/event-domain';
import { scheduleResource } from './schedule.resource';
import { SchedulesModule } from './schedules.module';
import { schedulesPersonal } from './schedules.personal';

/** Business hours and holidays under names, which others follow. */
export const schedulesArea = defineArea({
  name: 'schedules',
  module: SchedulesModule,
  resources: [scheduleResource],
  migrations: [CreateSchedules1765010000000],
  permissions: usualPermissions('schedules', 'business hours and holidays', {
    read: 'light_agent',
    create: 'admin',
    update: 'admin',
    delete: 'admin',
  }),
  personal: schedulesPersonal,
  events: { domain: 'sla', label: 'Service levels', events: changesOf('schedule', 'A schedule') },
  tags: [{ name: 'Schedules', place: 85, description: 'Business hours and holidays, which SLA policies follow.' }],
  examples: { 'schedules.delete': { id: 2 } },
});
