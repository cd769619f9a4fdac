import { CreateReportSchedule, UpdateReportSchedule } from '../../src/areas/reports/schedules/report-schedule.dto';
import { reportScheduleResource } from '../../src/areas/reports/schedules/report-schedule.resource';
import { describeResource } from '../support/describe-resource';

describeResource({
  resource: reportScheduleResource,
  path: () => '/report-schedules',
  bodies: { create: CreateReportSchedule, update: UpdateReportSchedule },
  create: (serial) => ({
    name: `Report ${serial % 7} ${serial}`,
    report: ['sla', 'agents', 'csat'][serial % 3],
    group_by: serial % 2 ? ['team', 'month'] : [],
    period: ['yesterday', 'last_7_days', 'last_month'][serial % 3],
    schedule: ['daily', 'weekly', 'monthly', '15 7 * * 1-5'][serial % 4],
    format: serial % 2 ? 'csv' : 'xlsx',
    recipients: [`lead-${serial}@example.com`],
    is_active: serial % 4 !== 0,
  }),
  update: (serial) => ({
    name: `Renamed ${serial}`,
    report: 'csat',
    group_by: ['agent'],
    schedule: '0 5 2 * *',
    recipients: ['other@example.com'],
    is_active: false,
  }),
  required: ['name', 'report', 'recipients'],
  invalid: {
    name: ['', ' ', 7, 'x'.repeat(121)],
    report: ['revenue', 7],
    group_by: ['team', ['team', 'team'], [7], ['a', 'b', 'c', 'd']],
    period: ['forever', 1],
    schedule: ['', 7, 'x'.repeat(101)],
    format: ['pdf', 1],
    recipients: ['a@example.com', ['nobody'], [7]],
    is_active: ['true', 1],
    external_id: ['', 7],
  },
});
