import { CreateCategories1763600500000 } from '../../../migrations/1763600500000-create-categories';
import { defineArea } from '../../platform/area/area';
import { usualPermissions } from '../../platform/context/permission-table';
import { changesOf } from '../../platform/events/event-domain';
import { CategoriesModule } from './categories.module';
import { categoryResource } from './category.resource';
import { categoriesPersonal } from './categories.personal';

/** What tickets are about, as a tree. */
export const categoriesArea = defineArea({
  name: 'categories',
  module: CategoriesModule,
  resources: [categoryResource],
  migrations: [CreateCategories1763600500000],
  permissions: usualPermissions('categories', 'categories', {
    read: 'light_agent',
    create: 'admin',
    update: 'admin',
    delete: 'admin',
  }),
  personal: categoriesPersonal,
  events: { domain: 'category', label: 'Categories', events: changesOf('category', 'A category') },
  tags: [{ name: 'Categories', place: 60, description: 'What tickets are about, as a tree.' }],
  examples: {
    'categories.delete': { id: 13 },
  },
});
