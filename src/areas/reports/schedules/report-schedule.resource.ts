import { defineResource } from '../../../platform/resource/resource';
import { ReportSchedule } from './report-schedule.entity';

export const reportScheduleResource = defineResource(ReportSchedule, {
  name: 'report_schedules',
  singular: 'report_schedule',
  table: 'report_schedules',
  sort: {
    name: { column: 'name', type: 'text' },
    next_send_at: { column: 'next_send_at', type: 'timestamptz', nullable: true },
  },
  filter: ['report', 'is_active', 'owner_id'],
  search: { view: 'report_schedules_search', over: ['name', 'texts of custom_fields'] },
  expand: { owner: { one: 'users', by: 'owner_id' } },
  notice: { path: '/report-schedules', title: ['name'] },
});
