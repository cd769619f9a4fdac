import { defineResource } from '../../platform/resource/resource';
import { WorkSchedule } from './schedule.entity';

export const scheduleResource = defineResource(WorkSchedule, {
  name: 'schedules',
  singular: 'schedule',
  table: 'schedules',
  sort: { name: { column: 'name', type: 'text' } },
  filter: ['timezone', 'is_default'],
  search: { view: 'schedules_search', over: ['name', 'description', 'texts of custom_fields'] },
  expand: { sla_policies: { many: 'sla_policies', by: 'schedule_id', limit: 25, order: 'position' } },
  notice: { path: '/schedules', title: ['name'] },
});
