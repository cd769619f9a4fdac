import { type PersonalTable, RESOURCE_TEXTS } from '../../platform/area/personal';

export const categoriesPersonal: readonly PersonalTable[] = [
  {
    table: 'categories',
    texts: [...RESOURCE_TEXTS, 'name', 'slug', 'description'],
    free: ['color', 'icon', 'default_priority', 'required_skills'],
  },
];
