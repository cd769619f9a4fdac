import { type PersonalTable, RESOURCE_TEXTS } from '../../platform/area/personal';

export const schedulesPersonal: readonly PersonalTable[] = [
  {
    table: 'schedules',
    texts: [...RESOURCE_TEXTS, 'name', 'description', 'holidays'],
    free: ['timezone', 'weekly'],
  },
];
