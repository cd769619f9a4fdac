import { type PersonalTable, RESOURCE_TEXTS } from '../../platform/area/personal';

export const reportsPersonal: readonly PersonalTable[] = [
  {
    table: 'report_schedules',
    texts: [...RESOURCE_TEXTS, 'name', 'recipients'],
    free: ['report', 'group_by', 'period', 'schedule', 'format'],
  },
];
