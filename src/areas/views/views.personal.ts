import { type PersonalTable, RESOURCE_TEXTS } from '../../platform/area/personal';

export const viewsPersonal: readonly PersonalTable[] = [
  {
    table: 'views',
    texts: [...RESOURCE_TEXTS, 'name', 'description', 'filters'],
    free: ['resource', 'sort', 'columns', 'sharing'],
  },
];
