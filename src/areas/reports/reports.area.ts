import { CreateReportSchedules1765100000000 } from '../../../migrations/1765100000000-create-report-schedules';
import { ReportSchedulesHaveOwners1765390100000 } from '../../../migrations/1765390100000-report-schedules-have-owners';
import { defineArea } from '../../platform/area/area';
import { usualPermissions } from '../../platform/context/permission-table';
import { changesOf } from '../../platform/events/event-domain';
import { ReportsModule } from './reports.module';
import { reportMail } from './schedules/report.mail';
import { ReportZones } from './schedules/report-zones';
import { reportScheduleResource } from './schedules/report-schedule.resource';
import { reportsPersonal } from './reports.personal';

/** What happened in a window, as a table, and by mail. */
export const reportsArea = defineArea({
  name: 'reports',
  module: ReportsModule,
  resources: [reportScheduleResource],
  migrations: [CreateReportSchedules1765100000000, ReportSchedulesHaveOwners1765390100000],
  permissions: [
    { name: 'reports.read', description: 'See reports about the tickets that one sees.', from: 'agent' },
    ...usualPermissions('report-schedules', 'reports that are sent by mail', {
      read: 'supervisor',
      create: 'supervisor',
      update: 'supervisor',
      delete: 'supervisor',
    }),
  ],
  consumers: [ReportZones],
  mails: [reportMail],
  personal: reportsPersonal,
  events: {
    domain: 'reports',
    label: 'Reports',
    events: {
      ...changesOf('report_schedule', 'A report schedule'),
      'report_schedule.sent': 'A report was sent by mail, as its schedule says.',
    },
  },
  demo: [
    {
      resource: reportScheduleResource,
      values: {
        name: 'Promises of the week',
        report: 'sla',
        group_by: ['team'],
        recipients: ['lead@example.com'],
        is_active: false,
      },
    },
  ],
  tags: [
    { name: 'Reports', place: 185, description: 'What happened in a window, by whatever tells it apart, and by mail.' },
  ],
});
